import type { Outcome } from '../../db/stored-receipts.ts'

/** Outcomes that can be undone. */
export const UNDOABLE: readonly Outcome[] = ['created', 'updated', 'merged', 'changed', 'deleted']

interface Restorable {
  readonly outcome: Outcome
  readonly hasCapsule: boolean
  /** Whether the item of the receipt has old values. */
  readonly hasBefore: boolean
}

/**
 * Whether an item has what undoing it needs, the former state. What was created needs none; a run or photo deleted for
 * good has none.
 */
export function isRestorable({ outcome, hasCapsule, hasBefore }: Restorable): boolean {
  return UNDOABLE.includes(outcome) && (outcome === 'created' || hasCapsule || hasBefore)
}
