import type { receiptItems } from '../../db/schema-receipts.ts'
import type { NewItem } from './record.ts'

export type StoredItem = typeof receiptItems.$inferSelect

/** Changes that listeners must be told of. */
export type Effect =
  | { readonly what: 'created' | 'updated' | 'deleted'; readonly workoutId: string }
  | { readonly what: 'shoe.created' | 'shoe.deleted'; readonly shoeId: string }
  | { readonly what: 'settings.updated' }

export interface Undone {
  readonly item: NewItem
  readonly effect: Effect | null
}

/** State that a dry run has simulated so far. */
export interface Pretended {
  /** Revisions of workouts as they would be; null: the workout would be in the trash. */
  readonly revisions: Map<string, number | null>
}

/** `nothing`: there is nothing left to undo. */
export type Verdict = 'undone' | 'nothing' | { readonly kept: string }
