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
