import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { trainingChoices } from '../../db/schema-training.ts'
import type { ChosenSource } from '../../engine/training/library-loads.ts'

/** The runner's choices for the load of a run, and whether the run is used as evidence. */
export interface LoadChoice {
  readonly loadSource: ChosenSource
  readonly loadManual: number | null
  readonly excludeFromEstimates: boolean
}

export const NO_CHOICE: LoadChoice = { loadSource: 'auto', loadManual: null, excludeFromEstimates: false }

export function loadChoice(tx: Tx, workoutId: string): LoadChoice {
  const { loadSource, loadManual, excludeFromEstimates } = trainingChoices
  const stored = tx
    .select({ loadSource, loadManual, excludeFromEstimates })
    .from(trainingChoices)
    .where(eq(trainingChoices.workoutId, workoutId))
    .get()
  return stored ?? NO_CHOICE
}
