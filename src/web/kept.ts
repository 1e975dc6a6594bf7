// Answers that this device keeps, so that they can be read while the service is away: Home, the first page of
// the list, and the runs that were opened last. No photo, original, key or setting is among them.

import { createStore } from './store.ts'

/** In localStorage, once wanted: for whom answers are kept on this device, and which. */
export const KEPT_KEY = 'harrier.kept'
const KEPT_CACHE = 'harrier-answers'

/** When the oldest answer shown now was kept, milliseconds; null: the service answers. */
export const offlineSince = createStore<number | null>(null)

/** Browsers keep answers over https alone, and on localhost. */
export const canKeep = () => window.isSecureContext && 'caches' in window
export const isKeeping = () => canKeep() && localStorage.getItem(KEPT_KEY) !== null

/** The answer as it was kept, which the page is then shown from; null: it is not on this device. */
export async function keptAnswer(path: string): Promise<string | null> {
  const at = isKeeping() ? stored()?.answers[path] : undefined
  const kept = at === undefined ? undefined : await (await caches.open(KEPT_CACHE)).match(path)
  if (at === undefined || kept === undefined) return null
  const text = await kept.text()
  offlineSince.set(Math.min(at.atMs, offlineSince.get() ?? at.atMs))
  return text
}

/** Deletes everything kept, and ends keeping. */
export async function forgetKept(): Promise<void> {
  offlineSince.set(null)
  localStorage.removeItem(KEPT_KEY)
  if (canKeep()) await caches.delete(KEPT_CACHE)
}

/** Deletes what is kept for another user. */
export async function keepOnlyFor(userId: string): Promise<void> {
  const kept = localStorage.getItem(KEPT_KEY)
  if (kept !== null && JSON.parse(kept).userId !== userId) await forgetKept()
}

/** What of a run is kept: its detail and what its page shows of it. */
const OF_A_RUN =
  /^\/workouts\/([\da-f-]{36})(?:\/(?:samples|training|laps|intervals|sources|best-efforts|similar-routes))?(?:\?|$)/
const OTHERS = /^\/(?:auth\/me$|shoes$|stats\/|training\/|races(?:\?|$)|workouts\?(?!.*(?:page=(?!1(?:&|$))|search=)))/
const MOST_RUNS = 50
const MOST_BYTES = 20_000_000

export interface Kept {
  readonly userId: string
  /** By path: size of the answer, and when it was kept. */
  readonly answers: Readonly<Record<string, { readonly bytes: number; readonly atMs: number }>>
}

/** Begins to keep answers for a user. */
export function beginKeeping(userId: string): void {
  store({ userId, answers: {} })
}

/** For whom answers are kept, and how many bytes of how many runs; null: none are. */
export function keptNow(): { readonly userId: string; readonly runs: number; readonly bytes: number } | null {
  const kept = stored()
  if (kept === null) return null
  const groups = groupsOf(kept)
  return {
    userId: kept.userId,
    runs: groups.filter(({ isRun }) => isRun).length,
    bytes: groups.reduce((sum, group) => sum + group.bytes, 0),
  }
}

export const mayBeKept = (path: string) => OF_A_RUN.test(path) || OTHERS.test(path)

/** Keeps an answer when the runner wants it and it is one of those that may be kept. */
export async function keepAnswer(path: string, text: string): Promise<void> {
  if (!isKeeping() || !mayBeKept(path)) return
  const cache = await caches.open(KEPT_CACHE)
  try {
    await cache.put(path, new Response(text, { headers: { 'content-type': 'application/json' } }))
  } catch {
    // the device is full: what is there stays
    return
  }
  const before = stored()
  // forgotten meanwhile
  if (before === null) return void (await caches.delete(KEPT_CACHE))
  const bytes = new Blob([text]).size
  const kept = { ...before, answers: { ...before.answers, [path]: { bytes, atMs: Date.now() } } }
  const answers = { ...kept.answers }
  const gone = surplusOf(kept)
  for (const one of gone) delete answers[one]
  store({ ...kept, answers })
  for (const one of gone) await cache.delete(one)
}

interface Group {
  readonly isRun: boolean
  readonly paths: readonly string[]
  readonly bytes: number
  readonly atMs: number
}

/** The answers of one run are one group, every other answer is its own; the latest first. */
function groupsOf({ answers }: Kept): Group[] {
  const paths = Map.groupBy(Object.keys(answers), (path) => OF_A_RUN.exec(path)?.[1] ?? path)
  const groups = [...paths].map(([name, of]) => ({
    isRun: !name.startsWith('/'),
    paths: of,
    bytes: of.reduce((sum, path) => sum + answers[path]!.bytes, 0),
    atMs: Math.max(...of.map((path) => answers[path]!.atMs)),
  }))
  return groups.toSorted((a, b) => b.atMs - a.atMs)
}

/** Paths that go: runs beyond the latest fifty, and the oldest of all beyond the most bytes. */
export function surplusOf(kept: Kept): string[] {
  let [runs, bytes] = [0, 0]
  return groupsOf(kept).flatMap((group) => {
    if (group.isRun) runs += 1
    bytes += group.bytes
    return bytes > MOST_BYTES || (group.isRun && runs > MOST_RUNS) ? group.paths : []
  })
}

function stored(): Kept | null {
  const text = localStorage.getItem(KEPT_KEY)
  return text === null ? null : JSON.parse(text)
}

function store(kept: Kept): void {
  localStorage.setItem(KEPT_KEY, JSON.stringify(kept))
}
