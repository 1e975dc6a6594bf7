import type { ImportKind, ImportProgress } from '../../base/events.ts'
import { ApiError, api } from '../api.ts'
import { counted, number } from '../format.ts'
import { createStore, reloadAll, useStore } from '../store.ts'
import type { ImportSummary, SingleImport, TakeoutSummary } from '../types.ts'
import { type FileKind, FORMAT_NAMES, fileKind } from './formats.ts'
import {
  type EndState,
  failedOutcome,
  NOTHING,
  type Outcome,
  restoreOutcome,
  singleOutcome,
  stravaOutcome,
  summaryOutcome,
  takeoutOutcome,
} from './outcomes.ts'

/** `asking`: what an export has is shown, and its import waits for the runner. */
export type ImportState = 'waiting' | 'sending' | 'working' | 'asking' | EndState

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
  /** Of an export: what it has. */
  readonly offer?: TakeoutSummary
  /** It failed on the way, so that it may be sent again. */
  readonly isLost?: boolean
  /** Of an export that the runner imports. */
  readonly createShoes?: boolean
}

/** Files that were added together, whose imports share a receipt. */
interface Drop {
  /** The first import of the drop, under way; the others wait until it has a receipt. */
  opening: Promise<unknown> | null
  receiptId: string | null
}

/** Concurrent files: one is uploaded while the other is processed. */
const LANES = 2
/** Refusals that are not about the file: no session, too late, too many. */
const AGAIN = [401, 403, 408, 429]
const UNKNOWN = `Not a run file. Harrier reads ${FORMAT_NAMES} (also .gz), and exports of Garmin, Strava and others`
/** ZIPs of workout files with no more runs are imported without asking. */
const FEW_RUNS = 20
/** The exports of many years take minutes. */
const LARGE_BYTES = 200e6
const FRESH = { ...NOTHING, share: 0, message: '' }

const lanes = { busy: 0, lastId: 0 }
const items = createStore<readonly ImportItem[]>([])

export function useImports(): readonly ImportItem[] {
  return useStore(items)
}

/** Adds files; they are uploaded one by one, so that each has its own answer. */
export async function addFiles(files: readonly File[]): Promise<void> {
  const added: ImportItem[] = []
  const drop: Drop = { opening: null, receiptId: null }
  for (const file of files) {
    lanes.lastId += 1
    const kind = await fileKind(file).catch((): FileKind => 'unknown')
    const item = { ...FRESH, id: lanes.lastId, name: file.name, file, kind, drop }
    added.push(kind === 'unknown' ? { ...item, ...failedOutcome(UNKNOWN) } : { ...item, state: 'waiting' })
  }
  items.set([...items.get(), ...added])
  start()
}

/** Removes finished files from the list. */
export function clearImports(): void {
  items.set(items.get().filter(({ state }) => isUnderWay(state)))
}

/** Uploads failed files again, except those that no format can read. */
export function retryFailed(): void {
  items.set(items.get().map((item): ImportItem => (canRetry(item) ? { ...item, ...FRESH, state: 'waiting' } : item)))
  start()
}

export function canRetry({ state, kind, file }: ImportItem): boolean {
  return state === 'failed' && kind !== 'unknown' && file !== null
}

export function isUnderWay(state: ImportState): boolean {
  return state === 'waiting' || state === 'sending' || state === 'working'
}

/** Handles a progress event of the archive in progress. */
export function ownProgress({ kind, processed, total }: ImportProgress): void {
  const wanted = kind === 'files' ? [] : kindsOf(kind)
  const item = items.get().find((known) => wanted.includes(known.kind) && known.state === 'working')
  if (item === undefined) return
  const canClose = item.kind === 'export' ? '. You can close this page' : ''
  change(item.id, {
    share: total === 0 ? 0 : processed / total,
    message: `${number(processed)} of ${counted(total, item.kind === 'export' ? 'activity' : 'run')}${canClose}`,
  })
}

function kindsOf(kind: ImportKind): readonly FileKind[] {
  return kind === 'bulk' ? ['strava', 'export'] : kind === 'restore' ? ['archive', 'export'] : ['run']
}

/** Imports an export that is offered. */
export function importOffered(id: number, createShoes: boolean): void {
  change(id, { state: 'waiting', createShoes, message: '' })
  start()
}

/** Whether leaving the page would end an import: an export that was sent is imported without it. */
export function needsPage({ state, offer }: ImportItem): boolean {
  return isUnderWay(state) && !(offer !== undefined && state === 'working')
}

function start(): void {
  for (let lane = lanes.busy; lane < LANES; lane += 1) void work()
}

async function work(): Promise<void> {
  lanes.busy += 1
  for (;;) {
    const item = items.get().find(({ state }) => state === 'waiting')
    if (item === undefined) break
    change(item.id, { state: item.offer === undefined ? 'sending' : 'working' })
    const outcome = await outcomeOf(item)
    // what Harrier read and refused is refused again
    const isFinal = outcome.state === 'failed' && outcome.isLost !== true
    change(item.id, isFinal ? { ...outcome, file: null } : outcome)
  }
  lanes.busy -= 1
  // the events of the service say so as well, but they may be late or cut off
  if (lanes.busy === 0) reloadAll()
}

async function outcomeOf(item: ImportItem): Promise<Partial<ImportItem>> {
  const { id, kind, file, drop } = item
  const files = file === null ? [] : [file]
  const onProgress = (sent: number, total: number) => {
    if (sent < total) change(id, { share: sent / total })
    else {
      const message = total < LARGE_BYTES ? 'Reading' : 'Reading. This takes a few minutes'
      change(id, { state: 'working', share: 0, message: kind === 'run' ? '' : message })
    }
  }
  try {
    if (kind === 'strava') return stravaOutcome(await api.upload('/workouts/import/bulk', files, {}, onProgress))
    if (kind === 'archive') return restoreOutcome(await api.upload('/workouts/import/export', files, {}, onProgress))
    if (kind === 'export') return await exportOutcome(item, files, onProgress)
    const answer = await joined(drop, (query) => api.upload(`/workouts/import${query}`, files, {}, onProgress))
    return 'action' in answer ? singleOutcome(answer) : summaryOutcome(answer)
  } catch (error) {
    const isLost =
      !(error instanceof ApiError) || !(error.status >= 400 && error.status < 500) || AGAIN.includes(error.status)
    return { ...failedOutcome(error instanceof ApiError ? error.message : String(error)), isLost }
  }
}

/** Asks what is in an export; with the runner's choice, imports it. */
async function exportOutcome(
  { id, offer, createShoes = true }: ImportItem,
  files: readonly File[],
  onProgress: (sent: number, total: number) => void,
): Promise<Partial<ImportItem>> {
  const path = '/workouts/import/archive'
  if (offer?.uploadId === undefined) {
    const found = await api.upload(path, files, { dryRun: 'true' }, onProgress)
    const { successful, updated, kind, preview } = found
    if (successful + updated === 0 && preview?.distanceM !== null) return takeoutOutcome(found)
    if (kind !== 'zip' || successful > FEW_RUNS) return { state: 'asking', offer: found, share: 0, message: '' }
    return await exportOutcome({ ...items.get().find((item) => item.id === id)!, offer: found }, files, onProgress)
  }
  change(id, { state: 'working', offer, message: 'Importing' })
  const fields = { createShoes: String(createShoes) }
  try {
    return takeoutOutcome(await api.upload(path, [], { ...fields, uploadId: offer.uploadId }))
  } catch (error) {
    // it waited too long; it is sent again
    if (!(error instanceof ApiError && error.status === 404) || files.length === 0) throw error
    return takeoutOutcome(await api.upload(path, files, fields, onProgress))
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

/**
 * Shows why nothing was imported of files that a phone shared; otherwise the service has led to the receipt.
 * @param query of the address that the service redirected to
 */
export async function showShared(query: URLSearchParams): Promise<void> {
  if (query.get('shared') !== 'refused') return
  // the reason is not taken from the address, which anyone could craft
  const { lastShare } = await api.get('/share')
  const outcome = failedOutcome(lastShare?.error ?? 'Nothing was imported')
  lanes.lastId += 1
  const item = { ...outcome, share: 0, id: lanes.lastId, name: 'Shared with Harrier', file: null, kind: 'run' } as const
  items.set([...items.get(), { ...item, drop: { opening: null, receiptId: null } }])
}
