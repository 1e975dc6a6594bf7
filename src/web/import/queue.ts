import { ApiError, api } from '../api.ts'
import { counted } from '../format.ts'
import { createStore, useStore } from '../store.ts'
import type { BulkSummary, ImportSummary, SingleImport } from '../types.ts'
import { type FileKind, fileKind } from './recognise.ts'

export type ImportState = 'waiting' | 'sending' | 'working' | 'created' | 'updated' | 'skipped' | 'failed'

/** One file on its way into the log. */
export interface ImportItem {
  readonly id: number
  readonly file: File
  readonly kind: FileKind
  readonly state: ImportState
  /** 0 to 1: of the bytes while sending, of the runs while an archive is at work. */
  readonly share: number
  /** What came of it, or why nothing did. */
  readonly message: string
  /** The run it became, when it is one. */
  readonly runId: string | null
  /** Reasons per part of an archive. */
  readonly details: readonly { readonly name: string; readonly reason: string }[]
}

interface Progress {
  readonly kind: 'files' | 'bulk' | 'restore'
  readonly processed: number
  readonly total: number
  readonly filename: string
}

interface RestoreResult {
  readonly success: boolean
  readonly statistics: Readonly<Record<string, { readonly imported: number; readonly skipped: number }>>
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
}

type Outcome = Pick<ImportItem, 'state' | 'message'> & Partial<Pick<ImportItem, 'runId' | 'details'>>

/** Two files on their way at once: one is sent while the other is read. */
const LANES = 2
const MAX_DETAILS = 200
const UNKNOWN =
  'Not a file of runs. Harrier reads GPX, FIT, TCX and CSV, each also as .gz, Strava exports and its own archives'

const items = createStore<readonly ImportItem[]>([])
const lanes = { busy: 0, lastId: 0 }

export function useImports(): readonly ImportItem[] {
  return useStore(items)
}

/** Takes files in; they are sent one by one, so that each has its own answer. */
export async function addFiles(files: readonly File[]): Promise<void> {
  const added: ImportItem[] = []
  for (const file of files) {
    lanes.lastId += 1
    const kind = await fileKind(file).catch((): FileKind => 'unknown')
    const isKnown = kind !== 'unknown'
    added.push({
      id: lanes.lastId,
      file,
      kind,
      state: isKnown ? 'waiting' : 'failed',
      share: 0,
      message: isKnown ? '' : UNKNOWN,
      runId: null,
      details: [],
    })
  }
  items.set([...items.get(), ...added])
  for (let lane = lanes.busy; lane < LANES; lane += 1) void work()
}

/** Takes what is finished off the list. */
export function clearImports(): void {
  items.set(items.get().filter(({ state }) => isUnderWay(state)))
}

/** Sends what failed once more; what no import reads stays as it is. */
export function retryFailed(): void {
  const again = items.get().map((item): ImportItem => {
    const isWorth = item.state === 'failed' && item.kind !== 'unknown'
    return isWorth ? { ...item, state: 'waiting', share: 0, message: '', details: [] } : item
  })
  items.set(again)
  for (let lane = lanes.busy; lane < LANES; lane += 1) void work()
}

export function isUnderWay(state: ImportState): boolean {
  return state === 'waiting' || state === 'sending' || state === 'working'
}

/** What the service tells about the archive that it is working on. */
export function bulkProgress({ kind, processed, total, filename }: Progress): void {
  const wanted = kind === 'bulk' ? 'strava' : kind === 'restore' ? 'archive' : null
  const item = items.get().find((known) => known.kind === wanted && known.state === 'working')
  if (item === undefined) return
  change(item.id, { share: total === 0 ? 0 : processed / total, message: `${processed} of ${total} · ${filename}` })
}

async function work(): Promise<void> {
  lanes.busy += 1
  for (let item = nextItem(); item !== undefined; item = nextItem()) {
    change(item.id, { state: 'sending' })
    change(item.id, await outcomeOf(item))
  }
  lanes.busy -= 1
}

function nextItem(): ImportItem | undefined {
  return items.get().find(({ state }) => state === 'waiting')
}

async function outcomeOf(item: ImportItem): Promise<Outcome> {
  const onProgress = (sent: number, total: number) => {
    if (sent < total) change(item.id, { share: sent / total })
    else change(item.id, { state: 'working', share: 0, message: item.kind === 'run' ? '' : 'Reading the archive' })
  }
  try {
    if (item.kind === 'strava') {
      return stravaOutcome(await api.upload<BulkSummary>('/workouts/import/bulk', [item.file], {}, onProgress))
    }
    if (item.kind === 'archive') {
      return restoreOutcome(await api.upload<RestoreResult>('/workouts/import/export', [item.file], {}, onProgress))
    }
    const answer = await api.upload<SingleImport | ImportSummary>('/workouts/import', [item.file], {}, onProgress)
    return 'action' in answer ? singleOutcome(answer) : summaryOutcome(answer)
  } catch (error) {
    return { state: 'failed', message: error instanceof ApiError ? error.message : String(error) }
  }
}

function singleOutcome({ action, id }: SingleImport): Outcome {
  const messages = { created: 'Imported', updated: 'Completed a run you have', skipped: 'You have this run already' }
  return { state: action, message: messages[action], runId: id }
}

function summaryOutcome({ successful, updated, skipped, errors, errorDetails }: ImportSummary): Outcome {
  const parts = [
    [successful, 'imported'],
    [updated, 'completed'],
    [skipped, 'known already'],
    [errors, 'not imported'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const state = successful > 0 ? 'created' : updated > 0 ? 'updated' : errors > 0 ? 'failed' : 'skipped'
  const details = errorDetails.slice(0, MAX_DETAILS).map(({ filename, error }) => ({ name: filename, reason: error }))
  return { state, message: said.length === 0 ? 'No runs in it' : said.join(', '), details }
}

function stravaOutcome(summary: BulkSummary): Outcome {
  const { mediaImported, skippedOther, warnings } = summary
  const outcome = summaryOutcome(summary)
  const more = [
    ...(mediaImported > 0 ? [`${mediaImported} ${mediaImported === 1 ? 'photo or video' : 'photos and videos'}`] : []),
    ...(skippedOther > 0 ? [`${skippedOther} of other sports left out`] : []),
  ]
  const warned = warnings.slice(0, MAX_DETAILS).map(({ filename, message }) => ({ name: filename, reason: message }))
  const details = [...(outcome.details ?? []), ...warned]
  return { ...outcome, message: [outcome.message, ...more].join(', '), details }
}

function restoreOutcome({ success, statistics, warnings, errors }: RestoreResult): Outcome {
  const { workouts } = statistics
  const details = [...errors, ...warnings].slice(0, MAX_DETAILS).map((reason) => ({ name: '', reason }))
  const message = `${counted(workouts?.imported ?? 0, 'run')} restored, ${workouts?.skipped ?? 0} were there already`
  return { state: success ? 'created' : 'failed', message, details }
}

function change(id: number, changed: Partial<ImportItem>): void {
  items.set(items.get().map((item) => (item.id === id ? { ...item, ...changed } : item)))
}
