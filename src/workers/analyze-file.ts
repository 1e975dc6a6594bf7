import { isObject } from '../base/json-object.ts'
import type { AnalyzeOptions } from '../engine/analysis.ts'
import { analyzeRun } from '../engine/analyze.ts'
import { LONGEST_RUN_S } from '../engine/grid.ts'
import type { Correction } from '../engine/judge/correction.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { type DeviceTotals, type Numbers, type Said, saidTotals } from '../engine/numbers.ts'
import { type Channel, channelsOf } from '../engine/run/channels.ts'
import { type Cleaned, cleaned } from '../engine/run/samples.ts'
import { DAY_S } from '../engine/units.ts'
import { saysHeartRate } from '../formats/fit/raw.ts'
import {
  type Activity,
  type ExternalId,
  type FileWeather,
  FormatError,
  type FormatProblem,
  type RawObject,
} from '../formats/format.ts'
import { MAX_UNPACKED_BYTES, unpackedFile } from '../formats/gzip.ts'
import { expectPlausibleStart, parseFile, RECORDING_NAMES } from '../formats/registry.ts'
import { addSport, type Sports, sumOfSports } from '../formats/sport-words.ts'
import { externalOf, type StravaRow } from '../formats/strava/rows.ts'
import { type DerivedParts, derivedParts, isLong, relieve } from './derive.ts'
import { type PackedSamples, packTrack } from './pack.ts'
import { type RawView, rawViewOf } from './raw-data.ts'

/** One uploaded file, and parameters of its analysis. */
export interface FileJob extends AnalyzeOptions {
  /** The bytes as uploaded, or the path of a file with them. */
  readonly file: Uint8Array | string
  readonly filename: string
  /** Unix milliseconds: time of the import. */
  readonly nowMs: number
  /**
   * The row of a Strava export that names this file: it is one run, whatever sport the file states (docs/api.md 7.3).
   */
  readonly row?: StravaRow
  /** As with a row: whatever sport the file states. */
  readonly anySport?: boolean
  /** The runner declined corrections: what the file states counts. */
  readonly asStated?: boolean
  /** Only the run `fromRun` is analysed. */
  readonly isOnlyRun?: boolean
  /** Index of the first run to analyse; the ones before were analysed already. Absent: 0. */
  readonly fromRun?: number
}

/** Texts of a file that an import stores. */
type Words = Pick<Activity, 'name' | 'notes' | 'runType' | 'rpe' | 'source' | 'device'> & {
  /** Name of the shoe in Strava's table; null: none. */
  readonly gear: string | null
}

/** A run with all derived data, ready to be stored; zones and elevation settings are those used for deriving. */
export interface AnalyzedRun extends Words, DerivedParts, Pick<FileJob, 'zones' | 'elevation'> {
  readonly startedAtMs: number
  readonly weather: FileWeather | null
  readonly fileOffsetMinutes: number | null
  /** Id of the run at the service whose recording comes last; null: none. */
  readonly external: ExternalId | null
  /**
   * The numbers and texts of each recording, in order of arrival: the file or the row, then the row that names the
   * file.
   */
  readonly statements: readonly RunStatement[]
  /** What was corrected in the file's statements. */
  readonly corrections: readonly Correction[]
  readonly samples: PackedSamples | null
  readonly laps: readonly DeviceLap[]
  /** Kinds of readings in the samples. */
  readonly channels: readonly Channel[]
  readonly hasRawHr: boolean
  readonly rawView: RawView | null
}

/** One recording of an import: its numbers and texts. */
export interface RunStatement {
  readonly kind: 'file' | 'row'
  readonly said: Said
  readonly words: Words
}

/** A run of a file with several that was refused, with a message. */
export interface RefusedRun {
  readonly error: string
  readonly problem: FormatProblem
}

/** The result for one file: its runs in order, each analysed or refused with a message. */
export interface AnalyzedFile {
  readonly type: string
  /** SHA-256 of the unpacked bytes, hex. */
  readonly sha256: string
  readonly skippedOther: number
  /** All of these; `other` where the file names no sport. */
  readonly sports: Sports
  /** A sentence for the runner about what was left out; null: nothing was. */
  readonly warning: string | null
  /** Beginning with `fromRun`. */
  readonly runs: readonly (AnalyzedRun | RefusedRun)[]
  /** Number of further runs, to be requested with `fromRun`. */
  readonly left: number
}

/**
 * Most runs of one answer for a job with a path; all runs of a table of ten thousand rows at once would take three
 * times their memory.
 */
const RUNS_A_PART = 256

/** The parsed file, kept for requests of its next part. */
export interface KeptFile {
  read: (Awaited<ReturnType<typeof readFile>> & { readonly path: string }) | null
}

/**
 * Analyses a file: from its bytes to everything that is stored.
 * @throws FormatError when the file as a whole cannot be read
 */
export async function analyzeFile(job: FileJob, kept: KeptFile = { read: null }): Promise<AnalyzedFile> {
  const { file, row, fromRun = 0, isOnlyRun = false } = job
  const isKept = kept.read?.path === file && fromRun > 0
  const read = isKept ? kept.read! : await readFile(job)
  kept.read = null
  if (row !== undefined && read.type === 'csv') throw new FormatError(`This file is not a ${RECORDING_NAMES} workout`)
  const all = row === undefined ? read.activities.length : 1
  const most = isOnlyRun ? 1 : typeof file === 'string' ? RUNS_A_PART : all
  const end = Math.min(all, fromRun + most)
  const runs: (AnalyzedRun | RefusedRun)[] = []
  // a parsed run is released as soon as it is analysed
  for (let at = fromRun; at < end; at += 1) runs.push(analyzedOrError(takenOut(read.activities, at), job))
  if (end < all && typeof file === 'string' && !isOnlyRun) kept.read = { ...read, path: file }
  const { type, sha256, skippedOther, sports, warning } = read
  return { type, sha256, skippedOther, sports, warning, runs, left: all - end }
}

function takenOut(activities: (Activity | undefined)[], at: number): Activity {
  const activity = activities[at]
  if (activity === undefined) throw new RangeError(`Run ${at} of the file was taken before`)
  // replaces a lazily parsed element by a plain value
  Object.defineProperty(activities, at, { value: undefined })
  return activity
}

/** Parses a file. Its bytes, up to 200 MiB packed and unpacked, are released before the analysis begins. */
async function readFile({ file, filename, nowMs, row, anySport = row !== undefined, asStated = false }: FileJob) {
  const { parsed, sha256 } = await (async () => {
    const uploaded = typeof file === 'string' ? await fileBytes(file) : file
    const bytes = await unpackedFile(uploaded, filename)
    return {
      parsed: parseFile(bytes, { filename, nowMs, anySport, asStated }),
      sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
    }
  })()
  const { type, activities, skippedOther, warning = null } = parsed
  const sports = new Map(parsed.sports)
  addSport(sports, 'other', skippedOther - sumOfSports(sports))
  return { type, sha256, skippedOther, sports, warning, activities: activities as (Activity | undefined)[] }
}

/** gzip hardly enlarges a file, so one above the limit is above it unpacked as well and is not read. */
export async function fileBytes(path: string): Promise<Uint8Array> {
  const file = Bun.file(path)
  if (file.size > MAX_UNPACKED_BYTES + GZIP_OVERHEAD_BYTES) {
    throw new FormatError('The file is larger than 100 MiB unpacked')
  }
  return await file.bytes()
}

/** Five bytes per 16 KiB that cannot be compressed, and the gzip frame, rounded up. */
const GZIP_OVERHEAD_BYTES = 65_536

function analyzedOrError(activity: Activity, job: FileJob): AnalyzedRun | RefusedRun {
  try {
    return analyzeActivity(activity, job)
  } catch (error) {
    if (error instanceof FormatError) return { error: error.message, problem: error.problem }
    throw error
  }
}

/**
 * Analyses one activity.
 * @throws FormatError when it is not a run: no records, no time, no distance, an implausible date
 */
export function analyzeActivity(stated: Activity, job: Omit<FileJob, 'file' | 'filename'>): AnalyzedRun {
  const activity = job.row === undefined ? stated : rowActivity(stated, job.row)
  expectPlausibleStart(activity, job.nowMs)
  const rawView = rawViewOf(activity, { importedAtMs: job.nowMs, anySport: job.row !== undefined })
  const { track, totals, movedMs, corrections } = cleanedOf(activity, job)
  if (isLong(track))
    for (const one of [stated, activity]) Object.assign(one, { recording: null, rawGpxData: null, rawFitData: null })
  relieve(track)
  const statements: RunStatement[] = [statement(track === null ? 'row' : 'file', stated, totals)]
  if (job.row !== undefined) statements.push(statement('row', { ...NO_WORDS, ...job.row }, job.row.totals))
  const recordings = statements.map(({ kind, said }, place) => ({ kind, said, track: place === 0 ? track : null }))
  const inputs = { ...job, recordings, repairs: [], primary: 0, ours: { effort: false } }
  const run = analyzeRun(inputs)
  relieve(track)
  expectExtent(run.analysis, { name: activity.name, hasPoints: track !== null })
  const parts = derivedParts(run, activity.laps)
  relieve(track)
  const samples = track && packTrack(track)
  return {
    ...wordsOf(activity),
    ...parts,
    startedAtMs: activity.startedAtMs + movedMs,
    weather: activity.weather,
    fileOffsetMinutes: activity.utcOffsetMinutes,
    external: activity.external ?? null,
    statements,
    corrections,
    samples,
    laps: activity.laps,
    channels: channelsOf(track),
    zones: job.zones,
    elevation: job.elevation,
    hasRawHr: activity.hasRawHr,
    rawView,
  }
}

type Judging = Pick<FileJob, 'asStated'>
type CleanedActivity = Omit<Cleaned, 'track'> & { readonly track: Cleaned['track'] | null }

/** @throws FormatError when no record has a time */
function cleanedOf(activity: Activity, { asStated = false }: Judging): CleanedActivity {
  const { recording, totals, laps, statedStartMs, corrections } = activity
  relieve(recording)
  if (recording === null) return { track: null, totals, movedMs: 0, corrections }
  const made = cleaned(recording, { totals, laps, startMs: statedStartMs, asStated })
  if (made === null) throw new FormatError('The file has no records with a time')
  return { ...made, corrections: [...corrections, ...made.corrections] }
}

/**
 * The activity of a file, merged with its row of a Strava export (docs/api.md 7.3): texts and weather come from the row
 * where it has them; all measured values stay those of the file.
 */
function rowActivity(activity: Activity, row: StravaRow): Activity {
  return {
    ...activity,
    name: row.name ?? activity.name,
    notes: row.notes ?? activity.notes,
    runType: row.runType ?? activity.runType,
    rpe: row.rpe ?? activity.rpe,
    source: 'strava_import',
    // weather of one source or the other, never mixed
    weather: row.weather ?? activity.weather,
    gear: row.gear,
    external: externalOf(row),
    rawStravaData: row.raw,
  }
}

const NO_WORDS = { source: 'strava_import', device: null } as const

function statement(kind: RunStatement['kind'], said: StatedWords, totals: DeviceTotals): RunStatement {
  return { kind, said: saidTotals(totals), words: wordsOf(said) }
}

type StatedWords = Omit<Words, 'gear'> & Pick<Activity, 'gear'>

function wordsOf({ name, notes, runType, rpe, source, device, gear = null }: StatedWords): Words {
  return { name, notes, runType, rpe, source, device, gear }
}

interface Stated {
  readonly name: string | null
  readonly hasPoints: boolean
}

function expectExtent({ durationS, distanceM }: Numbers, stated: Stated): void {
  if (durationS <= 0) throw noExtent(stated, 'duration', 'All points of the run have the same time')
  if (durationS > LONGEST_RUN_S) {
    throw new FormatError(`The run would last ${Math.round(durationS / DAY_S)} days: one of its times is wrong`)
  }
  if (distanceM <= 0) throw noExtent(stated, 'distance', 'The run has no distance: its points do not move')
}

/** For rows, which have no points, the message names the row, since a table may have a thousand. */
function noExtent({ hasPoints, name }: Stated, what: string, ofPoints: string): FormatError {
  return new FormatError(hasPoints ? ofPoints : `The run ${name ?? 'without name'} has no ${what}`)
}

/** Whether raw FIT data has a heart rate; docs/api.md 7.10 counts such runs. */
export function rawHeartRate(rawFitData: RawObject | null): boolean {
  if (rawFitData === null) return false
  const { session, trackPoints } = rawFitData
  if (isObject(session) && saysHeartRate(session)) return true
  return Array.isArray(trackPoints) && trackPoints.some((point: { hr?: number }) => (point.hr ?? 0) > 0)
}
