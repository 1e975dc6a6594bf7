import type { receiptItems } from '../../db/schema-receipts.ts'
import type { NewItem } from './record.ts'

export type StoredItem = typeof receiptItems.$inferSelect

/** What others are told of. */
export type Effect =
  | { readonly what: 'created' | 'updated' | 'deleted'; readonly workoutId: string }
  | { readonly what: 'shoe.created' | 'shoe.deleted'; readonly shoeId: string }
  | { readonly what: 'settings.updated' }

export interface Undone {
  readonly item: NewItem
  readonly effect: Effect | null
}

/** What a dry run has pretended so far. */
export interface Pretended {
  /** Of workouts as they would be; null: they would be in the trash. */
  readonly revisions: Map<string, number | null>
}

/** `nothing`: there is nothing left to be taken back. */
export type Verdict = 'undone' | 'nothing' | { readonly kept: string }
