import { faultsOf, leftovers } from '../library/whole.ts'
import { Defect } from './attack.ts'
import { type Detail, departure, type Ledger, type Planned, type Run } from './ledger.ts'
import { sha256 } from './made-runs.ts'
import type { Service } from './service.ts'

const A_PAGE = 100
const AT_ONCE = 4
/** What a crash left is gone so soon after the next start, however busy the machine is. */
const SWEPT_MS = 20_000

async function detailOf(service: Service, id: string): Promise<Detail> {
  const { status, json } = await service.call('GET', `/workouts/${id}?includeRaw=false`)
  if (status !== 200) throw new Defect(`The workout ${id} answers ${status}`)
  return json
}

/** SHA-256 of the original; null: none is kept. */
async function originalOf(service: Service, id: string): Promise<string | null> {
  const { status, bytes } = await service.call('GET', `/workouts/${id}/file`)
  if (status !== 200 && status !== 404) throw new Defect(`The original of ${id} answers ${status}`)
  return status === 404 ? null : sha256(bytes)
}

/** SHA-256 by id of everything that is listed, each read. */
async function photosOf(service: Service, id: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const { json } = await service.call('GET', `/workouts/${id}/media`)
  for (const photo of json as readonly { id: string; fileSizeBytes: number }[]) {
    const { status, bytes } = await service.call('GET', `/workouts/${id}/media/${photo.id}`)
    if (status !== 200 || bytes.length !== photo.fileSizeBytes) {
      throw new Defect(`The photo ${photo.id} of ${photo.fileSizeBytes} bytes answers ${status}, ${bytes.length} bytes`)
    }
    found.set(photo.id, sha256(bytes))
  }
  return found
}

/** A run as the service shows it now, which has to be of one piece. */
export async function shownRun(service: Service, id: string): Promise<Run> {
  const [detail, photos] = [await detailOf(service, id), await photosOf(service, id)]
  const run = { id, sha256: await originalOf(service, id), detail, photos, isBusy: false, doubts: [], version: 0 }
  expectWhole(run)
  return run
}

/** A run that was sent gets its id, and has to be as it was sent. */
export async function adopted(
  service: Service,
  ledger: Ledger,
  { planned, id }: { readonly planned: Planned; readonly id: string },
): Promise<void> {
  const run = await shownRun(service, id)
  if (run.sha256 !== planned.sha256) throw new Defect(`The original of ${id} is not what was sent`)
  const sent = [...planned.photos.values()]
  const stored = [...run.photos.values()]
  if (stored.some((photo) => !sent.includes(photo)) || new Set(stored).size < stored.length) {
    throw new Defect(`Photos of ${id} were not sent, or are there twice`)
  }
  if (planned.isAcknowledged && stored.length < sent.length) throw new Defect(`Photos of ${id} are lost`)
  ledger.runs.set(id, run)
  ledger.planned.delete(planned.startedAt)
}

/**
 * Compares the service with the ledger, after a start and before any client calls: acknowledged data is there, and data
 * that was not acknowledged is there completely or not at all. Afterwards the ledger has no doubts.
 */
export async function expectKept(service: Service, ledger: Ledger): Promise<void> {
  const listed = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { status, json } = await service.call('GET', `/workouts?pageSize=${A_PAGE}&page=${page}`)
    if (status !== 200) throw new Defect(`The list answers ${status}`)
    for (const { id, startedAt } of json.items) listed.set(id, startedAt)
    if (page >= json.totalPages) break
  }
  await inTurns([...ledger.runs.values()], (run) => expectKnown(service, ledger, { run, isListed: listed.has(run.id) }))
  const unknown = [...listed].filter(([id]) => !ledger.runs.has(id))
  await inTurns(unknown, async ([id, startedAt]) => {
    const planned = ledger.planned.get(startedAt)
    if (planned !== undefined) return await adopted(service, ledger, { planned, id })
    const restored = ledger.isRestoring && ledger.deleted.has(id) ? ledger.archive?.runs.get(id) : undefined
    if (!ledger.isRestoring || !ledger.deleted.has(id))
      throw new Defect(`Nobody sent the workout ${id} of ${startedAt}`)
    const run = await shownRun(service, id)
    if (restored !== undefined && restored.sha256 !== run.sha256)
      throw new Defect(`The original of ${id} is not the archive's`)
    ledger.deleted.delete(id)
    ledger.runs.set(id, run)
  })
  const lost = [...ledger.planned.values()].filter(({ isAcknowledged }) => isAcknowledged)
  if (lost.length > 0) throw new Defect(`Acknowledged and lost: ${lost.map(({ startedAt }) => startedAt)}`)
  ledger.planned.clear()
  ledger.isRestoring = false
}

async function expectKnown(
  service: Service,
  ledger: Ledger,
  { run, isListed }: { readonly run: Run; readonly isListed: boolean },
): Promise<void> {
  if (!isListed) {
    if (!run.doubts.some(({ kind }) => kind === 'gone')) throw new Defect(`The workout ${run.id} is missing`)
    ledger.runs.delete(run.id)
    ledger.deleted.add(run.id)
    return
  }
  const { detail, photos, sha256: sha } = await shownRun(service, run.id)
  const wrong = departure(run, detail, photos)
  if (wrong !== null) throw new Defect(`The workout ${run.id} is not as acknowledged: ${wrong}`)
  if (sha !== run.sha256) throw new Defect(`The original of ${run.id} is another or lost`)
  Object.assign(run, { detail, photos, doubts: [], isBusy: false })
}

/** Its parts are of one and the same run. */
function expectWhole({ id, detail }: Run): void {
  const { splits, splitsCount, durationS, distanceM, route, hasRoute } = detail as {
    readonly splits: readonly { readonly durationS: number; readonly distanceM: number }[]
    readonly splitsCount: number
    readonly durationS: number
    readonly distanceM: number
    readonly route: unknown
    readonly hasRoute: boolean
  }
  const sum = (key: 'durationS' | 'distanceM') => splits.reduce((all, split) => all + split[key], 0)
  const isWhole =
    splits.length === splitsCount &&
    (route !== null) === hasRoute &&
    Math.abs(sum('durationS') - durationS) <= 1 &&
    Math.abs(sum('distanceM') - distanceM) <= 0.02
  if (!isWhole) {
    const parts = `${splits.length} splits of ${splitsCount}, ${sum('durationS')} of ${durationS} s, ${sum('distanceM')} of ${distanceM} m`
    throw new Defect(`The workout ${id} is not of one piece: ${parts}`)
  }
}

/** The database is sound, what it names is there, and no file is there that no row names. */
export async function expectSound(dataDir: string): Promise<void> {
  const untilMs = Date.now() + SWEPT_MS
  while (leftovers(dataDir).length > 0 && Date.now() < untilMs) await Bun.sleep(20)
  const faults = [...faultsOf(dataDir), ...leftovers(dataDir).map((name) => `left over: ${name}`)]
  if (faults.length > 0) throw new Defect(`The data folder is not whole: ${faults.slice(0, 5).join('; ')}`)
}

async function inTurns<Value>(values: readonly Value[], work: (value: Value) => Promise<void>): Promise<void> {
  const waiting = [...values]
  const next = async () => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) await work(value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}
