import { basename, dirname } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { desc, isNotNull } from 'drizzle-orm'
import { invalid, notFound, refusedFile } from '../../base/errors.ts'
import { paced } from '../../base/pace.ts'
import { printableName } from '../../base/texts.ts'
import type { Turns } from '../../base/turns.ts'
import { workouts } from '../../db/schema.ts'
import type { ImportAnswer } from '../../features/workouts/schemas.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { type OpenReceipt, openReceipt, warningsOf } from '../../library/receipts/record.ts'
import { importSummary, singleAnswer } from '../files/import.ts'
import { fileAt, MISNAMED } from './folder.ts'
import {
  dueFiles,
  type FileRow,
  fileById,
  forgetFile,
  noteDecision,
  noteFailure,
  SETTLED,
  setFile,
  WATCH_ACTOR,
} from './table.ts'
import { type Decided, listed, takeFile } from './take.ts'

export interface RoundFile extends Pick<Decided, 'decision' | 'runs' | 'zip'> {
  readonly row: FileRow
  /** Whether something was stored, or failed for the first time. */
  readonly isNews: boolean
}

/** Most files of one round; then other imports have their turn. */
const MOST_FILES = 500

/**
 * Reads the due files of the folders that the last scan reached, the oldest first. Each decision is stored before the
 * next file is begun, so that an interrupted round continues where it was.
 * @returns the files that were read; null: none was due
 */
export async function watchRound(
  deps: Deps,
  { folders, signal }: { readonly folders: readonly string[]; readonly signal: AbortSignal },
): Promise<RoundFile[] | null> {
  const due = dueFiles(deps.db, { folders, nowMs: deps.now(), most: MOST_FILES })
  const read: RoundFile[] = []
  let left: string | null = null
  // archives leave receipts of their own
  const setLeft = (receiptId: string) => {
    left = receiptId
  }
  const importing = { ...deps, by: { actor: WATCH_ACTOR, isAutomatic: true, left: setLeft } }
  let receipt: OpenReceipt | null = null
  const open = () => {
    receipt ??= openReceipt(importing, { kind: 'import', origin: 'watch_folder', title: titleNow(deps) })
    return receipt
  }
  try {
    for await (const row of paced(due)) {
      if (signal.aborted || deps.damage.isFound) break
      left = null
      const file = await oneFile(importing, row, { signal, receipt: open, left: () => left })
      if (file !== null) read.push(file)
    }
  } finally {
    const files = read.filter(({ zip }) => zip === null)
    if (files.some(({ isNews }) => isNews)) finish(deps, open(), files)
    else (receipt as OpenReceipt | null)?.drop()
  }
  return due.length === 0 ? null : read
}

interface InRound extends Required<Pick<Parameters<typeof takeFile>[2], 'signal' | 'receipt'>> {
  readonly left: () => string | null
}

async function oneFile(deps: DepsBy, row: FileRow, { left, ...how }: InRound): Promise<RoundFile | null> {
  const { db, now, config } = deps
  const { id, folder, name } = row
  const fail = (reason: string) => noteFailure(db, row, { reason, nowMs: now() })
  const state = await fileAt(folder, name).catch((error: Error) => error)
  if (state instanceof Error) {
    fail('The file cannot be accessed')
    return null
  }
  if (state === null || state.size === 0) {
    // what was decided is kept; if it comes back, it counts as new
    if (row.outcome === 'waiting') forgetFile(db, id)
    else setFile(db, id, { nextAt: null, size: -1 })
    return null
  }
  const { size, modifiedAt } = state
  const isOther = size !== row.size || modifiedAt !== row.modifiedAt
  const taken = isOther ? { is: 'written' as const } : await takeFile(deps, row, { ...how, state })
  if (taken.is === 'decided') {
    const { decision, runs, zip } = taken
    // the receipt of the round is known only at its end
    noteDecision(db, id, { decision, nowMs: now(), receiptId: zip === null ? null : left() })
    return { row, decision, runs, zip, isNews: isNews(row, taken) }
  }
  // at least a second, so that the file is not tried again in this round even when no settling time is configured
  const settleMs = Math.max(1, config.watchSettleS) * 1000
  if (taken.is === 'written') setFile(db, id, { size, modifiedAt, attempts: 0, nextAt: now() + settleMs })
  if (taken.is === 'unchanged') setFile(db, id, SETTLED)
  // a file interrupted by the end of the process is read again at the next start
  if (taken.is === 'failed' && !how.signal.aborted) fail(taken.reason)
  return null
}

function isNews(row: FileRow, { decision }: Decided): boolean {
  const { outcome, reason } = decision
  if (outcome === 'error') return row.outcome !== 'error' || row.reason !== reason
  return outcome === 'created' || outcome === 'updated' || outcome === 'merged'
}

/** Notes which files were not stored: runs that were stored or skipped are noted when that happens. */
function finish({ db }: Pick<Deps, 'db'>, receipt: OpenReceipt | null, files: readonly RoundFile[]): void {
  if (receipt === null) return
  for (const { row, decision, runs, isNews } of files) {
    const { outcome, reason } = decision
    const filename = row.name
    const failures = runs.filter((run) => 'error' in run).map(({ error }) => error)
    const reasons = failures.length > 0 ? failures : [reason]
    if (outcome === 'error' && isNews) for (const one of reasons) receipt.note({ outcome, filename, reason: one })
    if (outcome === 'skipped' && runs.length === 0) receipt.note({ outcome, filename, reason })
  }
  noteIgnored(
    receipt,
    files.filter(({ decision }) => decision.outcome === 'ignored'),
  )
  receipt.finish()
  db.transaction((tx) => {
    for (const { row } of files) setFile(tx, row.id, { receiptId: receipt.id })
  })
}

/** Notes files that hold no run: one item for each folder, with their number and the reasons. */
function noteIgnored(receipt: OpenReceipt, files: readonly RoundFile[]): void {
  const byFolder = Map.groupBy(files, ({ row }) => `${row.folder}/${dirname(row.name)}`)
  for (const inFolder of byFolder.values()) {
    const { folder, name } = inFolder[0]!.row
    const where = dirname(name) === '.' ? basename(folder) : dirname(name)
    const what = inFolder.length === 1 ? name : `${where}, ${inFolder.length} files that are not runs`
    receipt.ignored(inFolder.length, `${what}: ${listed(inFolder.map(({ decision }) => decision.reason ?? ''))}`)
  }
}

/** Title with the local time of the last run's place, since the service may run in another zone. */
function titleNow({ db, now }: Pick<DepsBy, 'db' | 'now'>): string {
  const last = db
    .select({ offset: workouts.utcOffsetMinutes })
    .from(workouts)
    .where(isNotNull(workouts.utcOffsetMinutes))
    .orderBy(desc(workouts.startedAt))
    .limit(1)
    .get()
  const local = new Date(now() + (last?.offset ?? 0) * 60_000)
  return `Watch folder, ${local.toISOString().slice(11, 16)}`
}

type Answer = Static<typeof ImportAnswer>

/**
 * Reads a file again at the runner's request, whatever its outcome before. @returns the answer of an upload of it
 * @throws AppError 404 for an unknown file and one that no longer exists; 400 with the reason for one that cannot be
 * read
 */
export async function importAgain(deps: DepsBy, turns: Turns, id: string): Promise<Answer> {
  const { db, config, now } = deps
  const row = fileById(db, id)
  if (row === null || !config.watchDirs.includes(row.folder)) throw notFound('File')
  const state = await fileAt(row.folder, row.name).catch(() => {
    throw refusedFile('The file cannot be accessed')
  })
  if (state === null) throw row.reason === MISNAMED ? refusedFile(MISNAMED, 'unknown') : notFound('File')
  let receiptId: string | null = null
  const left = (made: string) => {
    receiptId = made
    deps.by.left(made)
  }
  const noting = { ...deps, by: { ...deps.by, left } }
  let receipt: OpenReceipt | null = null
  const open = () => {
    receipt ??= openReceipt(noting, { kind: 'import', origin: 'watch_folder', title: row.name })
    return receipt
  }
  const { signal } = new AbortController()
  const read = () => takeFile(noting, row, { state, signal, receipt: open, isAgain: true })
  const taken = await (/\.zip$/i.test(row.name) ? turns.take(read) : read())
  // stored and skipped runs were noted already
  const failed = taken.is === 'decided' ? taken.runs.filter((run) => 'error' in run).map(({ error }) => error) : []
  if (taken.is === 'failed') failed.push(taken.reason)
  const { name: filename } = row
  const opened = receipt as OpenReceipt | null
  for (const reason of failed) opened?.note({ outcome: 'error', filename, reason })
  opened?.finish()
  if (taken.is === 'failed') throw refusedFile(taken.reason)
  if (taken.is !== 'decided')
    throw invalid('The file is being written to; try again in a moment', { code: 'in_progress' })
  noteDecision(db, id, { decision: taken.decision, nowMs: now(), receiptId })
  return answer(deps, taken, { name: printableName(filename), receiptId })
}

/** @throws AppError 400 with the reason when the file contains no run */
function answer(
  { db }: Pick<DepsBy, 'db'>,
  { decision, runs, skippedOther, zip }: Decided,
  { name, receiptId }: { readonly name: string; readonly receiptId: string | null },
): Answer {
  const left = { receiptId, warnings: receiptId === null ? [] : warningsOf(db, receiptId) }
  if (zip !== null) {
    const { successful, skipped, updated, errors, firstError } = zip
    const totalProcessed = successful + skipped + updated + errors
    const errorDetails = firstError === null ? [] : [{ filename: name, error: firstError }]
    return { totalProcessed, successful, skipped, updated, errors, errorDetails, skippedOther, ...left }
  }
  const [only] = runs
  if (only === undefined) throw refusedFile(decision.reason ?? 'No runs found', 'noRun')
  if (runs.length === 1) return singleAnswer(db, only, { skippedOther, ...left })
  return importSummary(
    runs.map((outcome) => ({ filename: name, outcome })),
    { skippedOther, ...left },
  )
}
