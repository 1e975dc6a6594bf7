import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { eachNumber } from '../engine/numbers.ts'
import type { Trimming } from '../engine/route/trim.ts'
import { AppError, invalid } from '../errors.ts'
import { FormatError } from '../formats/format.ts'
import type { WrittenFormat } from '../formats/write/run.ts'
import { isJoined, runHead } from '../library/documents/run.ts'
import { elevationOptions } from '../library/inputs.ts'
import { workoutLaps } from '../library/laps.ts'
import { trimming } from '../library/privacy.ts'
import { rankedRecordings, recordingsOf, storedTrack } from '../library/recordings.ts'
import { computed } from '../workers/compute.ts'
import type { WrittenFile } from '../workers/written-file.ts'
import type { DownloadFormat } from './schemas.ts'

export type RunRow = Omit<typeof workouts.$inferSelect, 'routePreview'>

export function runRow(tx: Tx, id: string): RunRow | null {
  return tx.select().from(workouts).where(eq(workouts.id, id)).get() ?? null
}

/** The original of the recording whose samples count, else the first of another one; null: none is stored. */
export function originalOf(tx: Tx, workoutId: string) {
  const track = runHead(tx, workoutId)?.body.track
  const kept = recordingsOf(tx, workoutId)
  const ids = track === undefined || isJoined(track) ? [] : rankedRecordings(tx, track).map(({ id }) => id)
  const found = kept.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).find(({ storedAs }) => storedAs !== null)
  if (found === undefined) return null
  const { id: recordingId, storedAs, fileName, fileType } = found
  return { recordingId, storedAs: storedAs!, fileName, fileType }
}

interface Wanted {
  readonly tx: Tx
  readonly row: RunRow
  readonly format: WrittenFormat
  /** null: the file is the runner's own. */
  readonly trim: Trimming | null
}

/** A run, read from `tx`, in a file format, by the Worker. @throws AppError 400 when that cannot represent it */
export async function writtenFile(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'analyzer'>,
  { tx, row, format, trim }: Wanted,
): Promise<WrittenFile> {
  const { id, startedAt: startMs, utcOffsetMinutes, name, notes } = row
  const laps = format === 'gpx' ? [] : await workoutLaps(deps, id)
  const numbers = eachNumber((number) => row[number])
  const run = { id, startMs, utcOffsetMinutes, name, notes, numbers }
  const job = { format, run, laps, trim, elevation: elevationOptions(deps), stored: storedTrack(tx, id) }
  try {
    return (await computed(deps.analyzer, { what: 'runFile', ...job })).file
  } catch (error) {
    throw error instanceof FormatError ? invalid(error.message) : error
  }
}

/** @throws AppError 400 where a trimmed file was asked for that cannot be one */
export function askedTrimming(
  deps: Pick<Deps, 'db' | 'jwtSecret'>,
  { format, trim = false }: { readonly format: DownloadFormat; readonly trim?: boolean | undefined },
): Trimming | null {
  if (!trim) return null
  if (format === 'original') throw invalid('An original file cannot be trimmed: choose FIT, GPX or TCX')
  // ignoring it would send a run with the runner's home although it was asked to be cut
  const found = trimming(deps.db, deps)
  if (found === null) throw invalid('There is nothing to trim: no place is hidden, and trimEndsM is 0')
  return found
}

export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === 'invalid'
}
