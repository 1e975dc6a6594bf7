import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { elevationOptions } from '../library/inputs.ts'
import { tellReceipt } from '../library/receipts/record.ts'
import { storedTrack } from '../library/recordings.ts'
import { derivedParts, splitRun } from '../library/split-run.ts'
import { computed } from '../workers/compute.ts'
import { runNumbers } from './change.ts'
import type { SplitTrial, WorkoutSplit } from './schemas.ts'

/** Ids of the parts of a run, or the result of a dry run. */
export type Split = { readonly ids: readonly string[] } | Static<typeof SplitTrial>

/**
 * Splits a run into several, each with its part of the recording.
 * @throws AppError 404; 400 for a part of less than 10 s, or a run without samples
 */
export async function splitWorkout(
  deps: Deps,
  id: string,
  { atElapsedS: atS, dryRun = false }: Static<typeof WorkoutSplit>,
): Promise<Split> {
  for (;;) {
    const split = await attempted(deps, id, { atS, dryRun })
    if (split !== null) return split
  }
}

/** Thrown to roll back a transaction. */
class Trial extends Error {}

/** @returns null when the run was changed meanwhile */
async function attempted(
  deps: Deps,
  id: string,
  { atS, dryRun }: { readonly atS: readonly number[]; readonly dryRun: boolean },
): Promise<Split | null> {
  const { db, events } = deps
  const run = db.select({ calories: workouts.calories }).from(workouts).where(eq(workouts.id, id)).get()
  if (run === undefined) throw notFound('Workout')
  const stored = storedTrack(db, id)
  if (stored === null) throw invalid('The workout has no recorded points, so it cannot be split')
  const elevation = elevationOptions(deps)
  const { found } = await computed(deps.analyzer, { what: 'split', ...stored, ...run, atS, elevation })
  if ('refusal' in found) throw invalid(found.refusal)
  const parts = await derivedParts(deps, id, found.parts)
  if (parts === null) throw notFound('Workout')
  let tried: Static<typeof SplitTrial> | null = null
  try {
    const split = db.transaction((tx) => {
      const before = runNumbers(tx, id)
      const split = splitRun(tx, deps, id, parts)
      if (split === null || !dryRun) return split
      const numbers = split.ids.map((part) => runNumbers(tx, part))
      tried = { before, after: numbers[0]!, parts: numbers }
      throw new Trial()
    })
    if (split === null) return null
    events.emit({ event: 'workout.updated', data: { id } })
    for (const part of split.ids.slice(1)) events.emit({ event: 'workout.created', data: { id: part } })
    tellReceipt(deps, split.receiptId)
    return split
  } catch (error) {
    if (error instanceof Trial && tried !== null) return tried
    throw error
  }
}
