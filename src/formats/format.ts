import type { DeviceLap } from '../engine/laps.ts'
import { type DeviceTotals, NO_TOTALS } from '../engine/numbers.ts'
import type { Recording } from '../engine/track.ts'

/**
 * Why a file gives no run: it could not be read; it is sound, and no run is in it, such as a course or a ride; its content
 * is none that is known here.
 */
export type FormatProblem = 'unreadable' | 'noRun' | 'unknown'

/** A file that is not a readable run. The message is a sentence a runner understands; it is that file's outcome. */
export class FormatError extends Error {
  readonly problem: FormatProblem

  constructor(message: string, options: { cause?: unknown; problem?: FormatProblem } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'FormatError'
    this.problem = options.problem ?? 'unreadable'
  }
}

export type RunType = 'Race' | 'Workout' | 'Long Run' | 'Easy Run'

/** The flat weather object of docs/api.md 11.4, as far as a file knows it. `fetchedAt` is added when it is stored. */
export interface FileWeather {
  readonly source: 'fit_import' | 'strava_import'
  readonly temperature?: number
  readonly humidity?: number
  readonly precipitation?: number
  readonly weatherCode?: number | null
  readonly condition?: string | null
  readonly windSpeed?: number
  readonly windDirection?: number
  readonly pressure?: number
  readonly temperatureFeelsLike?: number
  readonly apparentTemperature?: number
  readonly dewPoint?: number
  readonly windGust?: number
  readonly precipitationProbability?: number
  readonly cloudCover?: number
}

/**
 * A JSON object of the raw data of docs/api.md 11.1 to 11.3; unknown members are left out. `importedAt` is added when
 * stored.
 */
export type RawObject = Readonly<Record<string, unknown>>

/** An object without the members that are unknown, null or undefined. */
export function present<T>(members: Readonly<Record<string, T>>): Readonly<Record<string, NonNullable<T>>> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(known) as Record<string, NonNullable<T>>
}

/** A point of the raw data; what is missing is left out. */
export interface RawPoint {
  lat?: number
  lon?: number
  ele?: number
  time?: string
  hr?: number
  cad?: number
  power?: number
  temp?: number
}

/** A run of a service that gives its runs ids. */
export interface ExternalId {
  readonly origin: 'strava_archive' | 'health_auto_export'
  readonly id: string
}

/** One run of a file, before analysis. */
export interface Activity {
  /** Unix milliseconds UTC. */
  readonly startedAtMs: number
  /** Records of the run; null for a summary row without file. */
  readonly recording: Recording | null
  readonly totals: DeviceTotals
  /** In order, apart from each other; empty: the file tells of none. */
  readonly laps: readonly DeviceLap[]
  readonly name: string | null
  readonly notes: string | null
  readonly runType: RunType | null
  /** 1 to 10. */
  readonly rpe: number | null
  /** `gpx_import` and so on; formats that no service before this one knew are `json_import`. */
  readonly source: `${string}_import`
  readonly device: string | null
  readonly weather: FileWeather | null
  /** Name of the shoe in Strava's table; no other source names one. */
  readonly gear?: string | null
  /** What the service calls it that wrote the file; absent: files are known by their bytes. */
  readonly external?: ExternalId | null
  /** Minutes the local clock of the file was ahead of UTC; used only without position (docs/algorithms.md 13). */
  readonly utcOffsetMinutes: number | null
  /** Made when asked for: it takes as long as reading the file, and an import keeps none of it. */
  readonly rawGpxData: (() => RawObject) | null
  readonly rawFitData: (() => RawObject) | null
  readonly rawStravaData: RawObject | null
  /** Its rawFitData has a heart rate. */
  readonly hasRawHr: boolean
}

/** What an activity says where its file says nothing. */
export const UNSAID = {
  recording: null,
  totals: NO_TOTALS,
  laps: [],
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
  /** That of its format. */
  readonly type: string
  /** Runs in file order; of formats whose files are of one run each, at least one. The index is part of the duplicate key. */
  readonly activities: readonly Activity[]
  /** Sessions of other sports, and of under 10 s beside a longer one. */
  readonly skippedOther: number
  /** A sentence for the runner about what was left out; absent: there is nothing to say. */
  readonly warning?: string
}

export interface ParseOptions {
  /** The uploaded name: a hint, needed only to tell a CSV. */
  readonly filename: string
  /** For Strava's rows: the row says that it is a run, whatever the file says; only the first session counts. */
  readonly anySport?: boolean
}

/** One file format: how to know it and how to read it. */
export interface Format {
  /** What is stored with the recordings of its files; several formats may share one. */
  readonly type: string
  /** What a runner calls its files: `GPX`. */
  readonly name: string
  /** What the names of its files end in, without the dot and in lower case. */
  readonly extensions: readonly string[]
  /** Looks at the first 64 KiB of the unpacked bytes. */
  detect(head: Uint8Array, filename: string): boolean
  /** @throws FormatError and nothing else */
  parse(bytes: Uint8Array, options: ParseOptions): ParsedFile
}
