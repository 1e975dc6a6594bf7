import type { Tx } from '../db/open.ts'
import type { ImportOutcome } from '../library/add-run.ts'
import { workoutExists } from '../library/ids.ts'

/**
 * The outcome for each file that a row named. Further rows with the same file get the same outcome without unpacking it
 * again, since a small table may name one file a thousand times.
 */
export interface NamedFiles {
  /** @returns false when an earlier row named the file */
  isFirst(entry: string): boolean
  note(entry: string, outcome: ImportOutcome): void
  /** The outcome for a further row; null: the workout was deleted meanwhile, and the file must be read again. */
  outcomeOf(tx: Tx, entry: string): ImportOutcome | null
}

export function namedFiles(): NamedFiles {
  /** null: an earlier row is still being processed. */
  const known = new Map<string, ImportOutcome | null>()
  return {
    isFirst: (entry) => {
      if (known.has(entry)) return false
      known.set(entry, null)
      return true
    },
    note: (entry, outcome) => void known.set(entry, outcome),
    outcomeOf: (tx, entry) => {
      const outcome = known.get(entry) ?? null
      if (outcome === null || 'error' in outcome) return outcome
      return workoutExists(tx, outcome.id) ? { action: 'skipped', id: outcome.id } : null
    },
  }
}
