import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutSplits, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { eachNumber } from '../engine/numbers.ts'
import { AppError, invalid } from '../errors.ts'
import { FormatError } from '../formats/format.ts'
import type { WrittenFormat } from '../formats/write/run.ts'
import { isJoined, runHead } from '../library/documents/run.ts'
import { elevationOptions } from '../library/inputs.ts'
import { workoutLaps } from '../library/laps.ts'
import { rankedRecordings, recordingsOf, storedTrack } from '../library/recordings.ts'
import { computed } from '../workers/compute.ts'
import type { WrittenFile } from '../workers/written-file.ts'

export type RunRow = Omit<typeof workouts.$inferSelect, 'routePreview'>

/** The row of one run without its preview; null for an unknown run. */
export function runRow(tx: Tx, id: string): RunRow | null {
  return tx.select().from(workouts).where(eq(workouts.id, id)).get() ?? null
}

/** The original that is downloaded for a run. */
interface Original {
  readonly recordingId: string
  readonly storedAs: string
  readonly fileName: string | null
  readonly fileType: string | null
}

/**
 * The original of the recording whose samples count, else of the first other one with an original; null: none is
 * stored.
 */
export function originalOf(tx: Tx, workoutId: string): Original | null {
  const track = runHead(tx, workoutId)?.body.track
  const kept = recordingsOf(tx, workoutId)
  const ids = track === undefined || isJoined(track) ? [] : rankedRecordings(tx, track).map(({ id }) => id)
  const found = kept.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).find(({ storedAs }) => storedAs !== null)
  if (found === undefined) return null
  const { id: recordingId, storedAs, fileName, fileType } = found
  return { recordingId, storedAs: storedAs!, fileName, fileType }
}

/**
 * A run in a file format, written by the Worker.
 * @param tx the database or snapshot that the run is read from
 * @throws AppError 400 for a run that the format cannot represent
 */
export async function writtenFile(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'analyzer'>,
  { tx, row, format }: { readonly tx: Tx; readonly row: RunRow; readonly format: WrittenFormat },
): Promise<WrittenFile> {
  const { id, startedAt: startMs, utcOffsetMinutes, name, notes } = row
  const laps = format === 'gpx' ? [] : await workoutLaps(deps, id)
  const splits =
    format === 'gpx' || laps.length > 0
      ? []
      : tx.select().from(workoutSplits).where(eq(workoutSplits.workoutId, id)).orderBy(asc(workoutSplits.idx)).all()
  const numbers = eachNumber((number) => row[number])
  const run = { id, startMs, utcOffsetMinutes, name, notes, numbers }
  const job = { format, run, laps, splits, elevation: elevationOptions(deps), stored: storedTrack(tx, id) }
  try {
    return (await computed(deps.analyzer, { what: 'runFile', ...job })).file
  } catch (error) {
    throw error instanceof FormatError ? invalid(error.message) : error
  }
}

/** Whether an error means that the run cannot be represented in the format. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === 'invalid'
}
