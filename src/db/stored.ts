import type { Split } from '../engine/analysis.ts'
import type { Numbers } from '../engine/numbers.ts'
import type { Repair } from '../engine/repair/repairs.ts'

// Types of JSON columns, and of word lists that may grow: these types define them, since SQL has no CHECK for them.

export type RunType = 'Race' | 'Workout' | 'Long Run' | 'Easy Run'

/** Type of an original: that of its format in the registry, such as `gpx`. */
export type FileType = string

/** Content type of a photo or video. */
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
 * How a recording arrived: by upload, from a phone, from the watch folder, in a Strava export, by Health Auto Export, in
 * an archive of Harrier or of another program, entered by hand, or by joining runs.
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

/** The outcome for a file of the watch folder; `waiting`: not decided yet. */
export type WatchOutcome = 'created' | 'updated' | 'merged' | 'skipped' | 'ignored' | 'error' | 'waiting'

/** Parts of an archive's numbers that a recalculation replaced. */
export type OurPart = 'splits' | 'effort'

/** Members of a workout that the runner may set; later recordings do not change those that were set. */
export type RunnerWord = 'name' | 'notes' | 'runType' | 'rpe' | 'shoeId'

/** Texts of a recording; null: none. */
export interface RecordingWords {
  readonly name: string | null
  readonly notes: string | null
  readonly runType: RunType | null
  readonly rpe: number | null
  readonly source: string | null
  readonly device: string | null
  /** Name of the shoe. */
  readonly gear: string | null
}

/** How raw data can be parsed again from the stored original: workers/raw-data.ts. */
export interface RawView {
  readonly importedAtMs: number
  readonly anySport: boolean
  readonly ofOriginal: 'rawGpxData' | 'rawFitData' | null
  readonly strava: Readonly<Record<string, unknown>> | null
}

/** A repair without its kind, and what it replaces until it is reverted. */
export type RepairData<R extends Repair = Repair> = (R extends Repair ? Omit<R, 'kind'> : never) & Before

export interface Before {
  /** Zones of the score before the repair, as pairs of bounds; null: the repair is older than this member. */
  readonly zonesBefore: readonly (readonly [number, number])[] | null
  readonly before: {
    readonly timeZone: string | null
    readonly utcOffsetMinutes: number | null
    /** Empty where the repair does not change them. */
    readonly splits: readonly StashedSplit[]
    readonly efforts: readonly StashedEffort[]
    /** As stored before; absent: the repair does not change it. */
    readonly weather?: string | null
    /** Absent: the repair states no numbers. */
    readonly numbers?: Numbers
  }
}

/** A split as stored, with its id; for programs that only have its length and time, these alone. */
export type StashedSplit = Omit<Split, 'startElapsedS' | 'endElapsedS'> & {
  readonly id: string
  readonly startElapsedS: number | null
  readonly endElapsedS: number | null
}

/** A best effort; at least its id and time of calculation may come from an archive. */
export interface StashedEffort {
  /** false: the samples give it as well. */
  readonly isArchived: boolean
  readonly id: string
  readonly distanceIndex: number
  readonly timeMs: number
  readonly calculatedAt: number
}
