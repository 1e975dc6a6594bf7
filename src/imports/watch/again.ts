import type { Static } from '@sinclair/typebox'
import { invalid, notFound } from '../../base/errors.ts'
import { printableName } from '../../base/texts.ts'
import type { Turns } from '../../base/turns.ts'
import type { ImportAnswer } from '../../features/workouts/schemas.ts'
import type { DepsBy } from '../../library/deps.ts'
import { type OpenReceipt, openReceipt, warningsOf } from '../../library/receipts/record.ts'
import { importSummary, singleAnswer } from '../files/import.ts'
import { fileAt, MISNAMED } from './files.ts'
import { fileById, noteDecision } from './table.ts'
import { type Decided, takeFile } from './take.ts'

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
    throw invalid('The file cannot be accessed')
  })
  if (state === null) throw row.reason === MISNAMED ? invalid(MISNAMED) : notFound('File')
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
  if (taken.is === 'failed') throw invalid(taken.reason)
  if (taken.is !== 'decided') throw invalid('The file is being written to; try again in a moment')
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
  if (only === undefined) throw invalid(decision.reason ?? 'No runs found')
  if (runs.length === 1) return singleAnswer(db, only, { skippedOther, ...left })
  return importSummary(
    runs.map((outcome) => ({ filename: name, outcome })),
    { skippedOther, ...left },
  )
}
