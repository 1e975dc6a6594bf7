import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { roundHalfUp } from '../engine/units.ts'
import { invalid } from '../errors.ts'
import { elevationOptions } from '../library/inputs.ts'
import { activeRepairRows, storedTrack } from '../library/recordings.ts'
import { addRepair, undoRepairs } from '../library/repairs.ts'
import { computed } from '../workers/compute.ts'
import type { Change as Wanted } from '../workers/repair.ts'
import { type Change, repairRun, type Trial } from './change.ts'
import { repairable } from './repairable.ts'
import type { Oddities, WorkoutCut, WorkoutDistance, WorkoutMend } from './schemas.ts'
import { CHANNEL_NAMES, clock } from './titles.ts'

// Repairs of the samples of a run. The Worker reads the samples and computes the repair.

/**
 * Removes a stretch from the middle of a run.
 * @returns the numbers of a dry run; null: applied
 * @throws AppError 404; 400 with less than 10 s on a side, or without samples
 */
export async function cutWorkout(deps: Deps, id: string, asked: Static<typeof WorkoutCut>): Promise<Trial | null> {
  const { fromElapsedS: fromS, toElapsedS: toS, closeGap: closesGap = false, dryRun } = asked
  const receipt = { kind: 'repair', title: `Took ${clock(toS - fromS)} out at ${clock(fromS)}` } as const
  const plan = () => planned(deps, id, { kind: 'cut', fromS, toS, closesGap })
  return await repairRun(deps, id, { dryRun, receipt, plan })
}

/** Removes readings of one channel. @throws AppError 404; 400 where there are none */
export async function mendWorkout(deps: Deps, id: string, asked: Static<typeof WorkoutMend>): Promise<Trial | null> {
  const { fromElapsedS: fromS, toElapsedS: toS, channel, fill, dryRun } = asked
  const title = `Mended ${CHANNEL_NAMES[channel]} from ${clock(fromS)} to ${clock(toS)}`
  const plan = () => planned(deps, id, { kind: 'mend', fromS, toS, channel, fill })
  return await repairRun(deps, id, { dryRun, receipt: { kind: 'repair', title }, plan })
}

/** Limits of an entered distance, relative to the current one. */
const [LEAST_FACTOR, MOST_FACTOR] = [0.5, 2]

/**
 * Sets the distance of a run, or removes what was set before.
 * @throws AppError 404; 400 for less than half or more than twice the current distance, or when there is nothing to
 * remove
 */
export async function sayDistance(
  deps: Deps,
  id: string,
  { distanceM, dryRun }: Static<typeof WorkoutDistance>,
): Promise<Trial | null> {
  if (distanceM !== null) {
    const receipt = { kind: 'repair', title: `Set the distance to ${roundHalfUp(distanceM)} m` } as const
    return await repairRun(deps, id, { dryRun, receipt, plan: () => plannedDistance(deps, id, distanceM) })
  }
  const takeBack = (tx: Tx) => {
    repairable(tx, id)
    const said = activeRepairRows(tx, id).filter(({ kind }) => kind === 'distance')
    if (said.length === 0) throw invalid('The distance of the workout is as it was recorded')
    return undoRepairs(
      tx,
      deps,
      id,
      said.map((row) => row.id),
    )
  }
  const receipt = { kind: 'repair', title: 'Took the distance that was set back' } as const
  return await repairRun(deps, id, { dryRun, receipt, plan: () => Promise.resolve(takeBack) })
}

async function plannedDistance(deps: Deps, id: string, distanceM: number): Promise<Change | null> {
  const run = repairable(deps.db, id)
  const factor = distanceM / run.distanceM
  if (run.distanceM > 0 && !(factor >= LEAST_FACTOR && factor <= MOST_FACTOR)) {
    throw invalid(`distanceM must be half to twice the ${run.distanceM} m of the workout`)
  }
  if (storedTrack(deps.db, id) !== null) return await planned(deps, id, { kind: 'distance', distanceM })
  return (tx) => addRepair(tx, deps, id, { kind: 'distance', distanceM, factor: null })
}

/** Stretches with implausible readings. @throws AppError 404 */
export async function odditiesOf(deps: Deps, id: string): Promise<Static<typeof Oddities>> {
  repairable(deps.db, id)
  const stored = storedTrack(deps.db, id)
  if (stored === null) return []
  return [...(await computed(deps.analyzer, { what: 'oddities', ...stored })).oddities]
}

async function planned(deps: Deps, id: string, change: Wanted): Promise<Change | null> {
  const { db, analyzer } = deps
  const run = repairable(db, id)
  const stored = storedTrack(db, id)
  if (stored === null) throw invalid('The workout has no recorded points; its numbers can be changed')
  const elevation = elevationOptions(deps)
  const { found } = await computed(analyzer, { what: 'repair', ...stored, run, change, elevation })
  const isOther = (tx: Tx) => !Bun.deepEquals(repairable(tx, id), run)
  if ('refusal' in found) {
    if (isOther(db)) return null
    throw invalid(found.refusal)
  }
  return (tx) => (isOther(tx) ? null : addRepair(tx, deps, id, found.repair))
}
