import type { Tx } from '../../../db/open.ts'
import type { ImportOutcome } from '../../../library/add-run.ts'
import { workoutExists } from '../../../library/ids.ts'

export type NamedFiles = ReturnType<typeof namedFiles>

/**
 * The outcome for each file that a row named: further rows get the same without unpacking it again, since a small table
 * may name one file a thousand times.
 */
export function namedFiles() {
  /** null: an earlier row is still being processed. */
  const known = new Map<string, ImportOutcome | null>()
  return {
    /** @returns false when an earlier row named the file */
    isFirst: (entry: string) => {
      if (known.has(entry)) return false
      known.set(entry, null)
      return true
    },
    note: (entry: string, outcome: ImportOutcome) => void known.set(entry, outcome),
    /** The outcome for a further row; null: the workout was deleted meanwhile, and the file must be read again. */
    outcomeOf: (tx: Tx, entry: string): ImportOutcome | null => {
      const outcome = known.get(entry) ?? null
      if (outcome === null || 'error' in outcome) return outcome
      return workoutExists(tx, outcome.id) ? { action: 'skipped', id: outcome.id } : null
    },
  }
}
