import type { Split } from '../engine/analysis.ts'
import { type PageCard, type RUN_TYPES, TAKEOUT_ORIGINS } from '../engine/limits.ts'

// Types of JSON columns, and of word lists that may grow: these types define them, since SQL has no CHECK for them.

export type RunType = (typeof RUN_TYPES)[number]

/** Type of an original: that of its format in the registry, such as `gpx`. */
export type FileType = string

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
 * How a recording arrived: by upload, from a phone, from the watch folder, in the export of a service or app, from
 * intervals.icu, in an archive of Harrier or Tempo, entered by hand, or by joining runs.
 */
export const RECORDING_ORIGINS = [
  'upload',
  'share_target',
  'watch_folder',
  'strava_archive',
  ...TAKEOUT_ORIGINS,
  'intervals_icu',
  'archive',
  'manual',
  'joined',
] as const
export type RecordingOrigin = (typeof RECORDING_ORIGINS)[number]

/** The outcome for a file of the watch folder; `waiting`: not decided yet. */
export type WatchOutcome = 'created' | 'updated' | 'merged' | 'skipped' | 'ignored' | 'error' | 'waiting'

/** Parts of an archive's numbers that a recalculation replaced. */
export type OurPart = 'splits' | 'effort' | 'bestEfforts'

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

/** A split as an archive states it; those of other programs may only have length and time. */
export type StatedSplit = Omit<Split, 'startElapsedS' | 'endElapsedS'> & {
  readonly id: string
  readonly startElapsedS: number | null
  readonly endElapsedS: number | null
}

/** By index: whole splits, or the ids of splits that are computed from the samples; null: a computed id. */
export type StatedSplits = readonly StatedSplit[] | readonly (string | null)[]

/** What is done with a run that is another recording of a stored one. */
export const SECOND_RECORDING = ['suggest', 'merge', 'keep'] as const
export type SecondRecording = (typeof SECOND_RECORDING)[number]

/** What others may see of a shared run, beside its numbers. */
export const SHARED_PARTS = ['map', 'pace', 'heartRate', 'photos', 'notes', 'startTime'] as const
export type SharedParts = Readonly<Record<(typeof SHARED_PARTS)[number], boolean>>

/** What the runner chose for the dashboard. */
export interface PageSettings {
  readonly cards: readonly { readonly id: PageCard; readonly shown: boolean }[]
  /** null: load once there are loads. */
  readonly effort: 'load' | 'relative' | null
}
