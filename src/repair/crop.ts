import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Span } from '../engine/track.ts'
import { invalid } from '../errors.ts'
import { elevationOptions } from '../library/inputs.ts'
import { storedTrack } from '../library/recordings.ts'
import { addRepair } from '../library/repairs.ts'
import { computed } from '../workers/compute.ts'
import { type Change, repairRun, type Trial } from './change.ts'
import { repairable } from './repairable.ts'
import type { WorkoutCrop } from './schemas.ts'

/**
 * Crops a workout: adds a repair and derives everything from the remaining samples; the device's own totals no longer
 * count. The recording stays unchanged. The Worker computes crop and numbers, again when the run changed meanwhile.
 * @returns the numbers of a dry run; null: applied
 * @throws AppError 404; 400 without a number, without route, or with less than 10 s left
 */
export async function cropWorkout(deps: Deps, id: string, request: Static<typeof WorkoutCrop>): Promise<Trial | null> {
  const { removeFromStartSeconds = null, removeFromEndSeconds = null, dryRun } = request
  if (removeFromStartSeconds === null && removeFromEndSeconds === null) {
    throw invalid('removeFromStartSeconds or removeFromEndSeconds is required and must be a number of at least 0')
  }
  const removed = { startS: removeFromStartSeconds ?? 0, endS: removeFromEndSeconds ?? 0 }
  const receipt = { kind: 'crop', title: cropTitle(removed) } as const
  return await repairRun(deps, id, { dryRun, receipt, plan: () => plannedCrop(deps, id, removed) })
}

async function plannedCrop(deps: Deps, id: string, removed: Span): Promise<Change | null> {
  const { db, analyzer } = deps
  const run = repairable(db, id)
  if (run.hasRoute === 0) throw invalid('The workout has no route, so it cannot be cropped')
  const stored = storedTrack(db, id)
  if (stored === null) throw invalid('The workout has no recorded points, so it cannot be cropped')
  const elevation = elevationOptions(deps)
  const { found } = await computed(analyzer, { what: 'crop', ...stored, run, removed, elevation })
  const isOther = (tx: Tx) => !Bun.deepEquals(repairable(tx, id), run)
  if ('refusal' in found) {
    if (isOther(db)) return null
    throw invalid(found.refusal)
  }
  return (tx) => (isOther(tx) ? null : addRepair(tx, deps, id, { kind: 'crop', ...found.repair }))
}

function cropTitle({ startS, endS }: Span): string {
  const parts = [startS > 0 ? `${startS} s off the start` : '', endS > 0 ? `${endS} s off the end` : '']
  return `Cropped ${parts.filter((part) => part !== '').join(' and ') || 'nothing'}`
}
