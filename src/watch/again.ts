import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import type { Turns } from '../turns.ts'
import { importSummary, singleAnswer } from '../workouts/import.ts'
import type { ImportAnswer } from '../workouts/schemas.ts'
import { fileAt } from './files.ts'
import { fileById, noteDecision } from './ledger.ts'
import { type Taken, takeFile } from './take.ts'

type Answer = Static<typeof ImportAnswer>

/**
 * Reads a file of the watch folder once more because the runner wants it, whatever was decided of it before.
 * @returns what an upload of it answers
 * @throws AppError 404 for an unknown file and one that is gone; 400 with the reason for one that cannot be read
 */
export async function importAgain(deps: Deps, turns: Turns, id: string): Promise<Answer> {
  const { db, config, now } = deps
  const row = fileById(db, id)
  if (row === null || !config.watchDirs.includes(row.folder)) throw notFound('File')
  const state = await fileAt(row.folder, row.name).catch(() => {
    throw invalid('The file cannot be looked at')
  })
  if (state === null) throw notFound('File')
  const read = () => takeFile(deps, row, { state, signal: new AbortController().signal, isAgain: true })
  const taken = /\.zip$/i.test(row.name) ? await turns.take(read) : await read()
  if (taken.is === 'failed') throw invalid(taken.reason)
  if (taken.is !== 'decided') throw invalid('The file is being written to; try again in a moment')
  noteDecision(db, id, { decision: taken.decision, nowMs: now() })
  return answer(deps, row.name, taken)
}

/** @throws AppError 400 with the reason where nothing in it is a run */
function answer({ db }: Deps, name: string, taken: Extract<Taken, { is: 'decided' }>): Answer {
  const { decision, runs, skippedOther, zip } = taken
  if (zip !== null) {
    const { successful, skipped, updated, errors, firstError } = zip
    const totalProcessed = successful + skipped + updated + errors
    const errorDetails = firstError === null ? [] : [{ filename: name, error: firstError }]
    return { totalProcessed, successful, skipped, updated, errors, errorDetails, skippedOther }
  }
  const [only] = runs
  if (only === undefined) throw invalid(decision.reason ?? 'No run is in it')
  if (runs.length === 1) return singleAnswer(db, only, skippedOther)
  return importSummary(
    runs.map((outcome) => ({ filename: name, outcome })),
    skippedOther,
  )
}
