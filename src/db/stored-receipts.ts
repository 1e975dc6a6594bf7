import type { settings, shoes } from './schema-account.ts'
import type { archivedBestEfforts, workoutBestEfforts } from './schema-efforts.ts'
import type { trainingGoals } from './schema-training.ts'
import type { RunnerWord, RunType } from './stored.ts'
import type { TrainingSettings } from './stored-training.ts'

// Types of JSON columns of receipts, and of their word lists.

export type ReceiptKind =
  | 'import'
  | 'edit'
  | 'bulk_edit'
  | 'delete'
  | 'crop'
  | 'repair'
  | 'merge'
  | 'unmerge'
  | 'join'
  | 'split'
  | 'manual'
  | 'undo'
  | 'recalculate'

/** The way in which runs arrived. */
export type ReceiptOrigin =
  | 'upload'
  | 'watch_folder'
  | 'dav'
  | 'share_target'
  | 'strava_archive'
  | 'garmin_takeout'
  | 'apple_health'
  | 'health_auto_export'
  | 'zip'
  | 'runkeeper'
  | 'runtastic'
  | 'polar_flow'
  | 'nike'
  | 'health_connect'
  | 'fittrackee'
  | 'endurain'
  | 'workout_tracker'
  | 'goldencheetah'
  | 'archive'
  | 'intervals_icu'
  | 'manual'

/** The outcome for a workout, a file, a shoe or a photo. */
export type Outcome = 'created' | 'updated' | 'merged' | 'skipped' | 'ignored' | 'error' | 'changed' | 'deleted'

export type ReceiptCounts = Readonly<Record<Outcome, number>>

export interface ReceiptWarning {
  readonly filename: string
  readonly message: string
}

/** The previous values of a change that needs no capsule; each kind is undone in its own way. */
export type Before =
  | (WordsBefore | MediaAdded | EffortBefore)
  | (ShoeAdded | ShoePut | ShoeGone)
  | (SettingsBefore | GoalAdded | GoalGone)

/** Previous words of a workout; only those that were changed. */
export interface WordsBefore {
  readonly what: 'words'
  readonly values: {
    readonly name?: string | null
    readonly notes?: string | null
    readonly runType?: RunType | null
    readonly rpe?: number | null
    readonly shoeId?: string | null
    readonly leftOut?: boolean
    readonly runnerSet?: readonly RunnerWord[]
  }
  /** Previous choice of its load. */
  readonly choice?: {
    readonly loadSource: string
    readonly loadManual: number | null
    readonly excludeFromEstimates: boolean
  }
  /** By distance; null: the runner had not decided. */
  readonly efforts?: Readonly<Record<string, boolean | null>>
  /** By id of the photo or video. */
  readonly captions?: Readonly<Record<string, string | null>>
}

export interface MediaAdded {
  readonly what: 'media'
  readonly mediaId: string
}

export interface ShoeAdded {
  readonly what: 'shoe added'
  readonly shoeId: string
  /** The shoe existed before; undoing may remove it even if runs use it. */
  readonly isReturned?: boolean
}

/** A shoe put on a run that had none; undoing takes it off again. */
export interface ShoePut {
  readonly what: 'shoe put'
  readonly shoeId: string
  readonly isTaken?: boolean
}

export interface ShoeGone {
  readonly what: 'shoe gone'
  readonly shoe: typeof shoes.$inferSelect
  readonly workoutIds: readonly string[]
  readonly wasDefault: boolean
}

type SettingsRow = Omit<typeof settings.$inferInsert, 'id'>

/** The settings that were replaced; undefined: there were none. */
export interface SettingsBefore {
  readonly what: 'settings'
  readonly before: Partial<SettingsRow>
  readonly after: Partial<SettingsRow>
  readonly training?: { readonly before: TrainingSettings | null; readonly after: TrainingSettings }
}

export interface GoalAdded {
  readonly what: 'goal'
  readonly goalId: string
}

export interface GoalGone {
  readonly what: 'goal gone'
  readonly goal: Omit<typeof trainingGoals.$inferSelect, 'createdAt'>
  readonly createdAtMs: number
}

/** The effort of one distance of one workout; null: there was none. */
export interface EffortBefore {
  readonly what: 'effort'
  readonly distanceIndex: number
  readonly own: Pick<typeof workoutBestEfforts.$inferSelect, 'id' | 'calculatedAt'> | null
  readonly archived: Omit<typeof archivedBestEfforts.$inferSelect, 'workoutId' | 'distanceIndex'> | null
}
