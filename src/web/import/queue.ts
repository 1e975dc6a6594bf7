import type { ImportKind, ImportProgress } from '../../events/emitter.ts'
import { ApiError, api } from '../api.ts'
import { counted, number } from '../format.ts'
import { createStore, type Store, useStore } from '../store.ts'
import type { ImportSummary, SingleImport } from '../types.ts'
import { FORMAT_NAMES } from './formats.ts'
import { leftBehind } from './left-behind.ts'
import {
  type EndState,
  failedOutcome,
  NO_RUNS,
  type Outcome,
  restoreOutcome,
  singleOutcome,
  stravaOutcome,
  summaryOutcome,
} from './outcomes.ts'
import { type FileKind, fileKind } from './recognise.ts'

export type ImportState = 'waiting' | 'sending' | 'working' | EndState

/** A file to be imported. */
export interface ImportItem extends Omit<Outcome, 'state'> {
  readonly id: number
  readonly name: string
  /** null: a file of a page that was left, which cannot be sent again. */
  readonly file: File | null
  readonly kind: FileKind
  readonly state: ImportState
  /** 0 to 1: of the bytes while uploading, of the runs while an archive is processed. */
  readonly share: number
  readonly drop: Drop
}

/** Files that were added together, whose imports share a receipt. */
interface Drop {
  /** The first import of the drop, under way; the others wait until it has a receipt. */
  opening: Promise<unknown> | null
  receiptId: string | null
}

/** Concurrent files: one is uploaded while the other is processed. */
const LANES = 2
/** Events about a file may arrive this much later than its answer. */
const LATE_MS = 3000
const UNKNOWN = `Not a run file. Harrier reads ${FORMAT_NAMES} (also .gz), Strava exports and Harrier archives`
const FRESH = {
  share: 0,
  message: '',
  counts: NO_RUNS,
  runId: null,
  receiptId: null,
  trashedId: null,
  details: [],
  gear: [],
}

const lanes = { busy: 0, lastId: 0, endedAt: Number.NEGATIVE_INFINITY }
const items: Store<readonly ImportItem[]> = createStore<readonly ImportItem[]>(
  leftBehind(() => items.get().filter(({ state }) => isUnderWay(state))).map(({ name, kind, message }): ImportItem => {
    lanes.lastId += 1
    return { ...failedOutcome(message), share: 0, id: lanes.lastId, name, file: null, kind, drop: newDrop() }
  }),
)

function newDrop(): Drop {
  return { opening: null, receiptId: null }
}

export function useImports(): readonly ImportItem[] {
  return useStore(items)
}

/** Adds files; they are uploaded one by one, so that each has its own answer. */
export async function addFiles(files: readonly File[]): Promise<void> {
  const added: ImportItem[] = []
  const drop = newDrop()
  for (const file of files) {
    lanes.lastId += 1
    const kind = await fileKind(file).catch((): FileKind => 'unknown')
    const item = { ...FRESH, id: lanes.lastId, name: file.name, file, kind, drop }
    added.push(kind === 'unknown' ? { ...item, ...failedOutcome(UNKNOWN) } : { ...item, state: 'waiting' })
  }
  items.set([...items.get(), ...added])
  for (let lane = lanes.busy; lane < LANES; lane += 1) void work()
}

/** Adds results of files that another page sent to the list. */
export function addOutcome(name: string, outcome: Outcome): void {
  lanes.lastId += 1
  items.set([
    ...items.get(),
    { ...outcome, share: 0, id: lanes.lastId, name, file: null, kind: 'run', drop: newDrop() },
  ])
}

/** Removes finished files from the list. */
export function clearImports(): void {
  items.set(items.get().filter(({ state }) => isUnderWay(state)))
}

/** Uploads failed files again, except those that no format can read. */
export function retryFailed(): void {
  items.set(items.get().map((item): ImportItem => (canRetry(item) ? { ...item, ...FRESH, state: 'waiting' } : item)))
  for (let lane = lanes.busy; lane < LANES; lane += 1) void work()
}

export function canRetry({ state, kind, file }: ImportItem): boolean {
  return state === 'failed' && kind !== 'unknown' && file !== null
}

export function isUnderWay(state: ImportState): boolean {
  return state === 'waiting' || state === 'sending' || state === 'working'
}

/** Whether events of such an import belong to this page's own upload. */
export function isOwnImport(kind: ImportKind): boolean {
  if (performance.now() - lanes.endedAt < LATE_MS) return true
  const wanted = kindOf(kind)
  return items.get().some((item) => item.kind === wanted && (item.state === 'sending' || item.state === 'working'))
}

/** Handles a progress event of the archive in progress. */
export function ownProgress({ kind, processed, total }: ImportProgress): void {
  const wanted = kind === 'files' ? null : kindOf(kind)
  const item = items.get().find((known) => known.kind === wanted && known.state === 'working')
  if (item === undefined) return
  change(item.id, {
    share: total === 0 ? 0 : processed / total,
    message: `${number(processed)} of ${counted(total, 'run')}`,
  })
}

function kindOf(kind: ImportKind): FileKind {
  return kind === 'bulk' ? 'strava' : kind === 'restore' ? 'archive' : 'run'
}

async function work(): Promise<void> {
  lanes.busy += 1
  for (let item = nextItem(); item !== undefined; item = nextItem()) {
    change(item.id, { state: 'sending' })
    change(item.id, await outcomeOf(item))
    lanes.endedAt = performance.now()
  }
  lanes.busy -= 1
}

function nextItem(): ImportItem | undefined {
  return items.get().find(({ state }) => state === 'waiting')
}

async function outcomeOf({ id, kind, file, drop }: ImportItem): Promise<Outcome> {
  const files = file === null ? [] : [file]
  const onProgress = (sent: number, total: number) => {
    if (sent < total) change(id, { share: sent / total })
    else change(id, { state: 'working', share: 0, message: kind === 'run' ? '' : 'Reading archive' })
  }
  try {
    if (kind === 'strava') return stravaOutcome(await api.upload('/workouts/import/bulk', files, {}, onProgress))
    if (kind === 'archive') return restoreOutcome(await api.upload('/workouts/import/export', files, {}, onProgress))
    const answer = await joined(drop, (query) => api.upload(`/workouts/import${query}`, files, {}, onProgress))
    return 'action' in answer ? singleOutcome(answer) : summaryOutcome(answer)
  } catch (error) {
    return failedOutcome(error instanceof ApiError ? error.message : String(error))
  }
}

type Answer = SingleImport | ImportSummary

/** Imports a file into the receipt of its drop. A receipt that takes no more files is followed by a new one. */
async function joined(drop: Drop, send: (query: '' | `?receiptId=${string}`) => Promise<Answer>): Promise<Answer> {
  while (drop.opening !== null) await drop.opening
  const { receiptId } = drop
  if (receiptId !== null) {
    try {
      return await send(`?receiptId=${receiptId}`)
    } catch (error) {
      if (!(error instanceof ApiError && (error.status === 404 || error.status === 409))) throw error
      if (drop.receiptId === receiptId) drop.receiptId = null
      return await joined(drop, send)
    }
  }
  const opening = send('')
  const noted = (id: string | null) => {
    drop.receiptId = id
    drop.opening = null
  }
  drop.opening = opening.then(
    (answer) => noted(answer.receiptId),
    (error) => noted(error instanceof ApiError ? error.receiptId : null),
  )
  return await opening
}

/** Updates a file of the queue. */
export function change(id: number, changed: Partial<ImportItem>): void {
  items.set(items.get().map((item) => (item.id === id ? { ...item, ...changed } : item)))
}
