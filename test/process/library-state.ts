// All that a service answers about its runs, in a form in which two libraries of the same runs are equal.

export type Call = (path: string, init?: RequestInit) => Promise<Response>

/** What is answered of a run, without what two imports of one file differ in. */
export interface ShownRun {
  readonly startedAt: string
  readonly detail: Readonly<Record<string, unknown>>
  /** SHA-256, in order: of samples, laps, the original and so on by path, and of photos. */
  readonly parts: Readonly<Record<string, string>>
  readonly photos: readonly string[]
}

export interface LibraryState {
  readonly runs: readonly ShownRun[]
  readonly trash: readonly string[]
}

const PARTS = ['/samples', '/laps', '/intervals', '/sources', '/file'] as const
/** These follow from other runs as well, and some come a moment after the run. */
const OF_OTHERS = /^(?:load|loadSource|suggestedRunType)$/
const OF_THE_MOMENT = /(?:^i|I)ds?$|^(?:created|updated|imported|added|fetched|made|undone)At$/
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/
const A_PAGE = 100
const AT_ONCE = 8

/** The parsed answer without ids and moments. */
export async function plain(answer: Response): Promise<unknown> {
  return JSON.parse(await answer.text(), (key, value) =>
    OF_THE_MOMENT.test(key) || UUID.test(String(value)) ? undefined : value,
  )
}

/** Every item of a list that is answered in pages. */
export async function allOf<T>(call: Call, path: string): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; ; page += 1) {
    const answer = await call(`${path}?pageSize=${A_PAGE}&page=${page}`)
    if (answer.status === 404) return found
    const { items, totalPages } = (await answer.json()) as { items: T[]; totalPages: number }
    found.push(...items)
    if (page >= totalPages) return found
  }
}

/** @throws Error when a run that is listed is not answered */
export async function stateOf(call: Call): Promise<LibraryState> {
  const listed = await allOf<{ id: string; startedAt: string; distanceM: number }>(call, '/workouts')
  const waiting = [...listed.entries()]
  const runs: ShownRun[] = []
  const shown = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      runs[next[0]] = await shownRun(call, next[1])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, shown))
  const trash = await allOf<{ startedAt: string }>(call, '/trash')
  return { runs, trash: trash.map(({ startedAt }) => startedAt) }
}

/** Where every run went, and all squares together, once that is computed. */
export async function groundOf(call: Call): Promise<unknown> {
  const squares = async () => (await (await ok(call, '/map/squares')).json()) as { filling: number }
  for (const untilMs = Date.now() + 60_000; (await squares()).filling > 0 && Date.now() < untilMs; ) await Bun.sleep(50)
  const runs = await allOf<{ id: string; startedAt: string }>(call, '/workouts')
  const grounds = runs.map(async ({ id, startedAt }) => {
    // the start is a place of several runs, of which any may give it its name
    const { start: _, ...ground } = (await plain(await ok(call, `/workouts/${id}/ground`))) as { start: unknown }
    return { startedAt, ...ground }
  })
  return [await Promise.all(grounds), await squares()]
}

async function shownRun(call: Call, { id, startedAt }: { readonly id: string; readonly startedAt: string }) {
  const path = `/workouts/${id}`
  const detail = (await plain(await ok(call, `${path}?includeRaw=false`))) as Record<string, unknown>
  const parts: Record<string, string> = {}
  for (const part of PARTS) {
    // a run of numbers alone has no original
    const answer = await call(path + part)
    parts[part] =
      part === '/file'
        ? `${answer.status} ${sha256(await answer.bytes())}`
        : sha256(JSON.stringify(await plain(answer)))
  }
  const media = (await (await ok(call, `${path}/media`)).json()) as { id: string; filename: string }[]
  const photos: string[] = []
  for (const one of media) {
    photos.push(`${one.filename} ${sha256(await (await ok(call, `${path}/media/${one.id}`)).bytes())}`)
  }
  const own = Object.fromEntries(Object.entries(detail).filter(([key]) => !OF_OTHERS.test(key) && key !== 'media'))
  return { startedAt, detail: own, parts, photos: photos.toSorted() }
}

async function ok(call: Call, path: string): Promise<Response> {
  const answer = await call(path)
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  return answer
}

export function sha256(value: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(value).digest('hex')
}
