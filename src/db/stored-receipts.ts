import type { TakeoutOrigin } from '../engine/limits.ts'

// Types of JSON columns of receipts, and of their word lists.

export const RECEIPT_KINDS = [
  'import',
  'edit',
  'bulk_edit',
  'delete',
  'crop',
  'repair',
  'merge',
  'unmerge',
  'join',
  'split',
  'manual',
  'undo',
  'recalculate',
] as const

export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

/** The way in which runs arrived. */
export type ReceiptOrigin =
  | 'upload'
  | 'watch_folder'
  | 'dav'
  | 'share_target'
  | 'strava_archive'
  | TakeoutOrigin
  | 'archive'
  | 'intervals_icu'
  | 'manual'

/** The outcome for a workout, a file, a shoe or a photo. */
export const OUTCOMES = ['created', 'updated', 'merged', 'skipped', 'ignored', 'error', 'changed', 'deleted'] as const

export type Outcome = (typeof OUTCOMES)[number]

export type ReceiptCounts = Readonly<Record<Outcome, number>>

export interface ReceiptWarning {
  readonly filename: string
  readonly message: string
}
