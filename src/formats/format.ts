import type { Correction } from '../engine/judge/correction.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { MAX_ROWS, type RunType, type TakeoutOrigin } from '../engine/limits.ts'
import { type DeviceTotals, NO_TOTALS } from '../engine/numbers.ts'
import type { RecordedSamples } from '../engine/track.ts'
import type { Sports } from './sport-words.ts'

/**
 * Why a file gives no run. unreadable: it is damaged; noRun: it is intact but holds no run, such as a course or a ride;
 * unknown: its content is of no supported format.
 */
export type FormatProblem = 'unreadable' | 'noRun' | 'unknown'

/** The refusal of a file. The message is a sentence for the runner and becomes the outcome of that file. */
export class FormatError extends Error {
  readonly problem: FormatProblem
  /** The sport of a file that holds no run but another activity; null: it holds none, or is not intact. */
  readonly sport: string | null

  constructor(message: string, options: { cause?: unknown; problem?: FormatProblem; sport?: string | null } = {}) {
    super(message, options)
    this.name = 'FormatError'
    this.problem = options.problem ?? 'unreadable'
    this.sport = options.sport ?? null
  }
}

/** Most runs of one file, since all get its original; one a day for 27 years. */
export const MOST_RUNS = 10_000

/** For more points than can be stored together with one at the start. */
export function tooManyPoints(): FormatError {
  return new FormatError(`The file has ${MAX_ROWS.toLocaleString('en')} points or more`)
}

export function tooManyRuns(): FormatError {
  return new FormatError(`The file has more than ${MOST_RUNS} runs`)
}

/** The weather object of docs/api.md 11.4 as far as a file knows it; `fetchedAt` is added when it is stored. */
export interface FileWeather extends Partial<Readonly<Record<WeatherNumber, number>>> {
  readonly source: 'fit_import' | 'strava_import' | 'apple_health'
  readonly weatherCode?: number | null
  readonly condition?: string | null
}

type WeatherNumber =
  | ('temperature' | 'temperatureFeelsLike' | 'apparentTemperature' | 'dewPoint' | 'humidity' | 'pressure')
  | ('precipitation' | 'precipitationProbability' | 'windSpeed' | 'windDirection' | 'windGust' | 'cloudCover')

/** Raw data of docs/api.md 11.1 to 11.3, without unknown members; `importedAt` is added when it is stored. */
export type RawObject = Readonly<Record<string, unknown>>

/** The object without members that are null or undefined. */
export function present<T>(members: Readonly<Record<string, T>>): Readonly<Record<string, NonNullable<T>>> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(known) as Record<string, NonNullable<T>>
}

/** A point of the raw data; missing values are left out. */
export interface RawPoint extends Partial<Record<'lat' | 'lon' | 'ele' | 'hr' | 'cad' | 'power' | 'temp', number>> {
  time?: string
}

export interface ExternalId {
  readonly origin: 'strava_archive' | 'intervals_icu' | TakeoutOrigin
  readonly id: string
}

/** One run of a file as parsed, before analysis. */
export interface Activity {
  /** Unix milliseconds UTC. */
  readonly startedAtMs: number
  /** When another statement of the file than its records says that it began, Unix milliseconds; NaN: none does. */
  readonly statedStartMs: number
  /** Records of the run; null for a summary row without file. */
  readonly recording: RecordedSamples | null
  readonly totals: DeviceTotals
  /** In order, not overlapping; empty: the file has none. */
  readonly laps: readonly DeviceLap[]
  /** What its reader corrected; empty: everything counts as stated. */
  readonly corrections: readonly Correction[]
  readonly name: string | null
  readonly notes: string | null
  readonly runType: RunType | null
  /** 1 to 10. */
  readonly rpe: number | null
  /** `gpx_import` and so on; formats that the original service does not know use `json_import`. */
  readonly source: `${string}_import`
  readonly device: string | null
  readonly weather: FileWeather | null
  /** Name of the shoe in Strava's table; other sources have none. */
  readonly gear?: string | null
  /** Id of the run at the service that wrote the file; absent: files are recognised by their bytes. */
  readonly external?: ExternalId | null
  /** Minutes by which its local clock was ahead of UTC; only for runs without a position (docs/algorithms.md 13). */
  readonly utcOffsetMinutes: number | null
  /** A function, since building it takes as long as reading the file and an import does not need it. */
  readonly rawGpxData: (() => RawObject) | null
  readonly rawFitData: (() => RawObject) | null
  readonly rawStravaData: RawObject | null
  readonly hasRawHr: boolean
}

/** Defaults for members of an activity that its file does not give. */
export const UNSAID = {
  statedStartMs: Number.NaN,
  recording: null,
  totals: NO_TOTALS,
  laps: [],
  corrections: [],
  name: null,
  notes: null,
  runType: null,
  rpe: null,
  device: null,
  weather: null,
  utcOffsetMinutes: null,
  rawGpxData: null,
  rawFitData: null,
  rawStravaData: null,
  hasRawHr: false,
} as const satisfies Partial<Activity>

export interface ParsedFile {
  readonly type: string
  /** In file order; the index is part of the key that finds duplicates. Only health data may have none. */
  readonly activities: readonly Activity[]
  /** Number of skipped sessions: other sports, and those under 10 s next to a longer one. */
  readonly skippedOther: number
  /** These by their sports, as far as the file names them; absent: it names none. */
  readonly sports?: Sports
  /** A sentence for the runner about what was left out of the file; absent: nothing was. */
  readonly warning?: string
}

export interface ParseOptions {
  /** Name of the upload; only a CSV needs it to be recognised. */
  readonly filename: string
  /** For a file that a row of Strava's calls a run: whatever sport it states; only the first session counts. */
  readonly anySport?: boolean
  /** The runner declined corrections: what the file states counts. */
  readonly asStated?: boolean
}

/** One file format: how to recognise it and how to parse it. */
export interface Format {
  /** File type stored with the recordings of its files; several formats may share one. */
  readonly type: string
  /** Name of the format in messages, such as `GPX`. */
  readonly name: string
  /** false: its files are parts of the exports of a service, and messages do not list it. */
  readonly isListed?: false
  /** Extensions of its file names, without the dot, in lower case. */
  readonly extensions: readonly string[]
  /** Recognises the format by the first 64 KiB of the unpacked bytes. */
  detect(head: Uint8Array, filename: string): boolean
  /** @throws FormatError and no other error */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedFile
}
