import type { Tx } from '../db/open.ts'
import type { ImportOutcome } from '../library/add-run.ts'
import { workoutExists } from '../library/add-workout.ts'

/**
 * What became of each entry that a row named. Every further row that names it fares the same, without unpacking it anew: a
 * small table may name one file a thousand times.
 */
export interface NamedFiles {
  /** @returns false when an earlier row named the entry */
  isFirst(entry: string): boolean
  note(entry: string, outcome: ImportOutcome): void
  /** What a further row comes to; null: the workout was deleted meanwhile, the file is to be read anew. */
  outcomeOf(tx: Tx, entry: string): ImportOutcome | null
}

export function namedFiles(): NamedFiles {
  /** null: an earlier row is still at work on it. */
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
