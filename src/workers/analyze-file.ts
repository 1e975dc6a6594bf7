import type { AnalyzeOptions } from '../engine/analysis.ts'
import { analyzeRun } from '../engine/analyze.ts'
import { LONGEST_RUN_S } from '../engine/grid.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { type DeviceTotals, type Numbers, type Said, saidTotals } from '../engine/numbers.ts'
import { type Channel, channelsOf } from '../engine/run/channels.ts'
import { cleanRecording } from '../engine/run/samples.ts'
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
import { externalOf, type StravaRow } from '../formats/strava/rows.ts'
import { isObject } from '../json-object.ts'
import { type DerivedParts, derivedParts } from './derive.ts'
import { type PackedSamples, packTrack } from './pack.ts'
import { type RawView, rawViewOf } from './raw-data.ts'

/** One uploaded file and what its analysis depends on. */
export interface FileJob extends Pick<AnalyzeOptions, 'splitLengthM' | 'zones' | 'elevation'> {
  /** The bytes as uploaded, or the path of a file that holds them. */
  readonly file: Uint8Array | string
  readonly filename: string
  /** Unix milliseconds: the time of the import. */
  readonly nowMs: number
  /**
   * The row of a Strava export that names this file: it is one run, whatever sport the file names (docs/api.md 7.3).
   */
  readonly row?: StravaRow
  /** Runs before it are known already; absent: none is. */
  readonly fromRun?: number
}

/** What an import takes over of a file's words. */
type Words = Pick<Activity, 'name' | 'notes' | 'runType' | 'rpe' | 'source' | 'device'> & {
  /** Name of the shoe in Strava's table; null: it names none. */
  readonly gear: string | null
}

/** A run with everything derived of it, ready to be stored; zones and elevation settings are those it was derived with. */
export interface AnalyzedRun extends Words, DerivedParts, Pick<FileJob, 'zones' | 'elevation'> {
  readonly startedAtMs: number
  readonly weather: FileWeather | null
  readonly fileOffsetMinutes: number | null
  /** What the service calls it that its last telling is of; null: nothing. */
  readonly external: ExternalId | null
  /** What each of its recordings says, in the order of their arrival: the file or the row, then the row that names the file. */
  readonly tellings: readonly RunTelling[]
  readonly samples: PackedSamples | null
  /** Of the file. */
  readonly laps: readonly DeviceLap[]
  /** What the samples have values of. */
  readonly channels: readonly Channel[]
  readonly hasRawHr: boolean
  readonly rawView: RawView | null
}

/** One recording of an import: what it says in numbers and in words. */
export interface RunTelling {
  readonly kind: 'file' | 'row'
  readonly said: Said
  readonly words: Words
}

/** One of several runs of a file that is none, with the sentence that says why. */
export interface RefusedRun {
  readonly error: string
  readonly problem: FormatProblem
}

/** What one file gave: its runs in order, each analysed or refused with a sentence. */
export interface AnalyzedFile {
  readonly type: string
  /** SHA-256 of the unpacked bytes, hex. */
  readonly sha256: string
  readonly skippedOther: number
  /** A sentence for the runner about what was left out; null: there is nothing to say. */
  readonly warning: string | null
  /** From `fromRun` on. */
  readonly runs: readonly (AnalyzedRun | RefusedRun)[]
  /** How many more there are, to be asked for as `fromRun`. */
  readonly left: number
}

/** Runs of one answer to a job that names a path: of a table of ten thousand rows all at once would be there three times. */
export const RUNS_A_PART = 256

/** What was read of a file whose next part will be asked for. */
export interface KeptFile {
  read: (Awaited<ReturnType<typeof readFile>> & { readonly path: string }) | null
}

/**
 * The CPU side of an import: bytes to everything that is stored.
 * @throws FormatError when the file as a whole cannot be read
 */
export async function analyzeFile(job: FileJob, kept: KeptFile = { read: null }): Promise<AnalyzedFile> {
  const { file, row, fromRun = 0 } = job
  const isKept = kept.read?.path === file && fromRun > 0
  const read = isKept ? kept.read! : await readFile(job)
  kept.read = null
  if (row !== undefined && read.type === 'csv') throw new FormatError(`The file is no ${RECORDING_NAMES} workout`)
  const all = row === undefined ? read.activities.length : 1
  const end = typeof file === 'string' ? Math.min(all, fromRun + RUNS_A_PART) : all
  const runs: (AnalyzedRun | RefusedRun)[] = []
  // what was read of a run is let go as soon as it is analysed
  for (let at = fromRun; at < end; at += 1) runs.push(analyzedOrError(takenOut(read.activities, at), job))
  if (end < all && typeof file === 'string') kept.read = { ...read, path: file }
  const { type, sha256, skippedOther, warning } = read
  return { type, sha256, skippedOther, warning, runs, left: all - end }
}

function takenOut(activities: (Activity | undefined)[], at: number): Activity {
  const activity = activities[at]
  if (activity === undefined) throw new RangeError(`Run ${at} of the file was taken before`)
  activities[at] = undefined
  return activity
}

/** What is in the file. Its bytes, up to 200 MiB packed and unpacked, are gone when the arithmetic begins. */
async function readFile({ file, filename, nowMs, row }: FileJob) {
  const { parsed, sha256, isLarge } = await (async () => {
    const uploaded = typeof file === 'string' ? await fileBytes(file) : file
    const bytes = await unpackedFile(uploaded, filename)
    return {
      parsed: parseFile(bytes, { filename, nowMs, anySport: row !== undefined }),
      sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
      isLarge: bytes.length >= LARGE_BYTES,
    }
  })()
  if (isLarge) Bun.gc(true)
  const { type, activities, skippedOther, warning = null } = parsed
  return { type, sha256, skippedOther, warning, activities: [...activities] as (Activity | undefined)[] }
}

/** gzip never makes a file much larger, so that one over the limit is over it unpacked as well: it is not read at all. */
export async function fileBytes(path: string): Promise<Uint8Array> {
  const file = Bun.file(path)
  if (file.size > MAX_UNPACKED_BYTES + GZIP_OVERHEAD_BYTES) {
    throw new FormatError('The file is larger than 100 MiB unpacked')
  }
  return await file.bytes()
}

const DAY_S = 86_400

/**
 * A file and a track of which the garbage is worth collecting at each step, which takes 20 to 80 ms: by itself the collector
 * lets as much gather as is in use.
 */
export const LARGE_BYTES = 16 * 1024 * 1024
const LARGE_ROWS = 200_000

/** Five bytes for every 16 KiB that cannot be compressed, and the frame, rounded up. */
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
 * One activity to what is stored of it.
 * @throws FormatError when nothing of it is a run: no records, no time, no distance, a date that cannot be
 */
export function analyzeActivity(told: Activity, job: Omit<FileJob, 'file' | 'filename'>): AnalyzedRun {
  const activity = job.row === undefined ? told : rowActivity(told, job.row)
  expectPlausibleStart(activity, job.nowMs)
  const track = activity.recording === null ? null : cleanRecording(activity.recording)
  if (activity.recording !== null && track === null) throw new FormatError('The file has no records with a time')
  const isLarge = (track?.n ?? 0) >= LARGE_ROWS
  const collect = isLarge ? () => Bun.gc(true) : () => {}
  const rawView = rawViewOf(activity, { importedAtMs: job.nowMs, anySport: job.row !== undefined })
  if (isLarge) for (const done of [told, activity]) letGo(done)
  collect()
  const tellings: RunTelling[] = [telling(track === null ? 'row' : 'file', told, told.totals)]
  if (job.row !== undefined) tellings.push(telling('row', { ...NO_WORDS, ...job.row }, job.row.totals))
  const run = analyzeRun({
    ...job,
    recordings: tellings.map(({ kind, said }, place) => ({ kind, said, track: place === 0 ? track : null })),
    repairs: [],
    primary: 0,
    ours: { effort: false },
    rest: collect,
  })
  collect()
  expectExtent(run.analysis, { name: activity.name, hasPoints: track !== null })
  const parts = derivedParts(run, collect)
  collect()
  const samples = track && packTrack(track, collect)
  return {
    ...wordsOf(activity),
    ...parts,
    startedAtMs: activity.startedAtMs,
    weather: activity.weather,
    fileOffsetMinutes: activity.utcOffsetMinutes,
    external: activity.external ?? null,
    tellings,
    samples,
    laps: activity.laps,
    channels: channelsOf(track),
    zones: job.zones,
    elevation: job.elevation,
    hasRawHr: activity.hasRawHr,
    rawView,
  }
}

/** What is read of a long file is as large as its track: neither it nor its raw data is needed any more. */
function letGo(activity: Activity): void {
  Object.assign(activity, { recording: null, rawGpxData: null, rawFitData: null } satisfies Partial<Activity>)
}

/**
 * The run of a file as its row of Strava's export knows it (docs/api.md 7.3): what the runner wrote and the weather
 * come from the row, where it says something; all that was measured stays the file's.
 */
function rowActivity(activity: Activity, row: StravaRow): Activity {
  return {
    ...activity,
    name: row.name ?? activity.name,
    notes: row.notes ?? activity.notes,
    runType: row.runType ?? activity.runType,
    rpe: row.rpe ?? activity.rpe,
    source: 'strava_import',
    // one weather or the other, never keys of both
    weather: row.weather ?? activity.weather,
    gear: row.gear,
    external: externalOf(row),
    rawStravaData: row.raw,
  }
}

const NO_WORDS = { source: 'strava_import', device: null } as const

function telling(kind: RunTelling['kind'], said: ToldWords, totals: DeviceTotals): RunTelling {
  return { kind, said: saidTotals(totals), words: wordsOf(said) }
}

type ToldWords = Omit<Words, 'gear'> & Pick<Activity, 'gear'>

function wordsOf({ name, notes, runType, rpe, source, device, gear = null }: ToldWords): Words {
  return { name, notes, runType, rpe, source, device, gear }
}

interface Told {
  readonly name: string | null
  readonly hasPoints: boolean
}

function expectExtent({ durationS, distanceM }: Numbers, told: Told): void {
  if (durationS <= 0) throw noExtent(told, 'duration', 'All points of the run have the same time')
  if (durationS > LONGEST_RUN_S) {
    throw new FormatError(`The run would last ${Math.round(durationS / DAY_S)} days: one of its times is wrong`)
  }
  if (distanceM <= 0) throw noExtent(told, 'distance', 'The run has no distance: its points do not move')
}

/** A summary has no points: one of a thousand rows is told by its name. */
function noExtent({ hasPoints, name }: Told, what: string, ofPoints: string): FormatError {
  return new FormatError(hasPoints ? ofPoints : `The run ${name ?? 'without name'} has no ${what}`)
}

/** docs/api.md 7.10 counts runs whose raw FIT data has a heart rate. */
export function rawHeartRate(rawFitData: RawObject | null): boolean {
  if (rawFitData === null) return false
  const { session, trackPoints } = rawFitData
  if (isObject(session) && saysHeartRate(session)) return true
  return Array.isArray(trackPoints) && trackPoints.some((point: { hr?: number }) => (point.hr ?? 0) > 0)
}
