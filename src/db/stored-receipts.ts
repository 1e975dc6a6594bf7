import type { settings, shoes } from './schema-account.ts'
import type { archivedBestEfforts, workoutBestEfforts } from './schema-efforts.ts'
import type { trainingGoals } from './schema-training.ts'
import type { RunnerWord, RunType } from './stored.ts'
import type { TrainingSettings } from './stored-training.ts'

// What stands in the columns of receipts that are JSON, or words of a list that grows.

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

/** Which way runs came. */
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

/** What became of a workout, a file, a shoe or a photo. */
export type Outcome = 'created' | 'updated' | 'merged' | 'skipped' | 'ignored' | 'error' | 'changed' | 'deleted'

export type ReceiptCounts = Readonly<Record<Outcome, number>>

export interface ReceiptWarning {
  readonly filename: string
  readonly message: string
}

/** What was before, where that takes no capsule; each is undone in a way of its own. */
export type Before =
  | (WordsBefore | MediaAdded | EffortBefore)
  | (ShoeAdded | ShoePut | ShoeGone)
  | (SettingsBefore | GoalAdded | GoalGone)

/** What the runner said of a workout; only what was changed. */
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
  /** Of its load. */
  readonly choice?: {
    readonly loadSource: string
    readonly loadManual: number | null
    readonly excludeFromEstimates: boolean
  }
  /** By distance; null: nothing was said. */
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
  /** It was there before, and its runs are no reason to keep it. */
  readonly isReturned?: boolean
}

/** On a run that had none, or off it again. */
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

/** Of the settings that were put in place; undefined: there were none. */
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

/** Of one distance of one workout; null: there was none. */
export interface EffortBefore {
  readonly what: 'effort'
  readonly distanceIndex: number
  readonly own: Pick<typeof workoutBestEfforts.$inferSelect, 'id' | 'calculatedAt'> | null
  readonly archived: Omit<typeof archivedBestEfforts.$inferSelect, 'workoutId' | 'distanceIndex'> | null
}
