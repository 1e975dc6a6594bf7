import type { Split } from '../engine/analysis.ts'
import type { Numbers } from '../engine/numbers.ts'
import type { Repair } from '../engine/repair/repairs.ts'

// What stands in columns that are JSON, or words of a list that grows: no CHECK in SQL owns these, the types here do.

export type RunType = 'Race' | 'Workout' | 'Long Run' | 'Easy Run'

/** What an original is: the type of a format, such as `gpx`, of the registry of formats. */
export type FileType = string

/** What the content of a photo or video is. */
export type MediaType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/gif'
  | 'image/webp'
  | 'image/heic'
  | 'video/mp4'
  | 'video/quicktime'
  | 'video/x-msvideo'
  | 'video/webm'
  | 'video/x-m4v'

/**
 * How a recording came: by itself, by a phone, out of the watch folder, in an export of Strava, of Health Auto Export by
 * whatever way, in an archive of ours or another program, by hand, or of several runs that were joined.
 */
export const RECORDING_ORIGINS = [
  'upload',
  'share_target',
  'watch_folder',
  'strava_archive',
  'health_auto_export',
  'archive',
  'manual',
  'joined',
] as const
export type RecordingOrigin = (typeof RECORDING_ORIGINS)[number]

/** What became of a file of the watch folder; `waiting`: nothing yet. */
export type WatchOutcome = 'created' | 'updated' | 'merged' | 'skipped' | 'ignored' | 'error' | 'waiting'

/** Which parts of an archive a recalculation took over. */
export type OurPart = 'splits' | 'effort'

/** Words of a workout that the runner may set; a later recording leaves those alone. */
export type RunnerWord = 'name' | 'notes' | 'runType' | 'rpe' | 'shoeId'

/** What a recording says in words; null: nothing. */
export interface RecordingWords {
  readonly name: string | null
  readonly notes: string | null
  readonly runType: RunType | null
  readonly rpe: number | null
  readonly source: string | null
  readonly device: string | null
  /** Name of a shoe. */
  readonly gear: string | null
}

/** How raw data is read once more out of what is kept anyway: workers/raw-data.ts. */
export interface RawView {
  readonly importedAtMs: number
  readonly anySport: boolean
  readonly ofOriginal: 'rawGpxData' | 'rawFitData' | null
  readonly strava: Readonly<Record<string, unknown>> | null
}

/** A repair of a kind without its name, and what it takes the place of until it is taken back. */
export type RepairData<R extends Repair = Repair> = (R extends Repair ? Omit<R, 'kind'> : never) & Before

export interface Before {
  /** Of the scoring before it, as pairs of bounds; null: of before they were kept. */
  readonly zonesBefore: readonly (readonly [number, number])[] | null
  readonly before: {
    readonly timeZone: string | null
    readonly utcOffsetMinutes: number | null
    /** Empty where the repair leaves them. */
    readonly splits: readonly StashedSplit[]
    readonly efforts: readonly StashedEffort[]
    /** As it was stored; absent: the repair leaves it. */
    readonly weather?: string | null
    /** Absent: the repair says none. */
    readonly numbers?: Numbers
  }
}

/** A split as it stood, with its id; of programs that only know its length and time, these alone. */
export type StashedSplit = Omit<Split, 'startElapsedS' | 'endElapsedS'> & {
  readonly id: string
  readonly startElapsedS: number | null
  readonly endElapsedS: number | null
}

/** A best effort, of which at least id and time of calculation may be an archive's. */
export interface StashedEffort {
  /** false: the samples give it as well. */
  readonly isArchived: boolean
  readonly id: string
  readonly distanceIndex: number
  readonly timeMs: number
  readonly calculatedAt: number
}
