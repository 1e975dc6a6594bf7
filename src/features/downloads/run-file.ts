import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { AppError, invalid, notApplicable, notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { eachNumber, type NumberName } from '../../engine/numbers.ts'
import type { Trimming } from '../../engine/route/trim.ts'
import { FormatError } from '../../formats/format.ts'
import type { WrittenFormat } from '../../formats/write/run.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import { isJoined, runHead } from '../../library/documents/run.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { workoutLaps } from '../../library/laps.ts'
import { trimming } from '../../library/places.ts'
import { rankedRecordings, recordingsOf, storedTrack } from '../../library/recordings.ts'
import { downloadHeaders, originalResponse } from '../workouts/sources/original-file.ts'
import { originalExtension, runFileStem } from './names.ts'
import type { DownloadFormat, RunFileParameters } from './schemas.ts'

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

/** What is cut of a run, by its id; null: the file is the runner's own. */
export type Trim = ((runId: string) => Trimming) | null

interface Wanted {
  readonly tx: Tx
  readonly row: RunRow
  readonly format: WrittenFormat
  readonly trim: Trim
}

export type StatedRow = Omit<RunRow, NumberName> & Readonly<Record<NumberName, number | null>>

interface Written {
  readonly pieces: Uint8Array<ArrayBuffer>[]
  readonly row: StatedRow
}

/** A run, read from `tx`, in a file format, by the Worker. @throws AppError 400 when that cannot represent it */
export async function writtenFile(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'worker'>,
  { tx, row: whole, format, trim }: Wanted,
): Promise<Written> {
  const row = trim === null ? whole : vague(whole)
  const { id, startedAt: startMs, utcOffsetMinutes, name, notes } = row
  const laps = format === 'gpx' ? [] : workoutLaps(deps.db, id)
  const run = { id, startMs, utcOffsetMinutes, name, notes, numbers: eachNumber((number) => row[number]) }
  const cut = trim?.(id) ?? null
  const job = { format, run, laps, trim: cut, elevation: elevationOptions(deps), stored: storedTrack(tx, id) }
  try {
    const { pieces, numbers, startMs: startedAt } = await deps.worker.ask('runFile', { ...job })
    return { pieces, row: trim === null ? row : vague({ ...row, ...numbers, startedAt }) }
  } catch (error) {
    throw error instanceof FormatError ? notApplicable(error.message) : error
  }
}

const QUARTER_MS = 900_000

/**
 * A run as a trimmed file names it: its minute, and time or length in a name or note, beside a file that begins later would
 * tell how long the way from a hidden start is.
 */
export function vague<T extends Pick<RunRow, 'startedAt' | 'name' | 'notes'>>(row: T): T {
  const { startedAt, name, notes } = row
  return {
    ...row,
    startedAt: QUARTER_MS * Math.floor(startedAt / QUARTER_MS),
    name: withoutFigures(name),
    notes: withoutFigures(notes),
  }
}

/** null: it has a figure, which may be a time or a length. */
export function withoutFigures(text: string | null): string | null {
  return text !== null && /\p{N}/u.test(text) ? null : text
}

/** @throws AppError 400 where a trimmed file was asked for that cannot be one */
export function askedTrimming(
  deps: Pick<Deps, 'db' | 'jwtSecret'>,
  { format, trim = false }: { readonly format: DownloadFormat; readonly trim?: boolean | undefined },
): Trim {
  if (!trim) return null
  if (format === 'original')
    throw invalid('An original file cannot be trimmed: choose FIT, GPX or TCX', { field: 'format' })
  // ignoring it would send a run with the runner's home although it was asked to be cut
  const found = trimming(deps.db, deps)
  if (found === null) throw notApplicable('There is nothing to trim: no place is hidden, and trimEndsM is 0')
  return found
}

export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === 'invalid'
}

/** Content types by format; an original is sent as bytes, whatever its name. */
const TYPES = {
  fit: 'application/vnd.ant.fit',
  gpx: 'application/gpx+xml',
  tcx: 'application/vnd.garmin.tcx+xml',
} as const

interface Needs extends Pick<Deps, 'db' | 'config' | 'log' | 'worker' | 'jwtSecret'> {
  readonly heavy: Heavy
}

/**
 * One run as a download; a Range header counts for an original.
 * @throws AppError 400 for a run that the format cannot represent, 404 for an unknown run or a missing original
 */
export async function runFileResponse(
  deps: Needs,
  { id, format, trim }: { readonly id: string } & Static<typeof RunFileParameters>,
  request: Request,
): Promise<Response> {
  const row = runRow(deps.db, id)
  if (row === null) throw notFound('Workout')
  const trimmed = askedTrimming(deps, { format, trim })
  const nameOf = ({ startedAt, utcOffsetMinutes, name }: StatedRow) => runFileStem(startedAt, utcOffsetMinutes, name)
  if (format === 'original') {
    const original = originalOf(deps.db, id)
    if (original === null) throw notApplicable('This run has no original file')
    const name = nameOf(row) + originalExtension(original.fileName, original.fileType)
    return await originalResponse(deps, { ...original, name }, request.headers.get('range'))
  }
  return await deps.heavy.made(request, async () => {
    const { pieces, row: shown } = await writtenFile(deps, { tx: deps.db, row, format, trim: trimmed })
    return new Response(new Blob(pieces), { headers: downloadHeaders(TYPES[format], `${nameOf(shown)}.${format}`) })
  })
}
