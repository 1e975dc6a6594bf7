import type { Static } from '@sinclair/typebox'
import type { Deps, DepsBy } from '../deps.ts'
import type { Span } from '../engine/track.ts'
import { roundHalfUp } from '../engine/units.ts'
import { invalid } from '../errors.ts'
import type { RunHead } from '../library/documents/run.ts'
import { packedTrack, storedTrack } from '../library/recordings.ts'
import { type Planned, withoutRepairs, withRepair } from '../library/repairs.ts'
import { computed } from '../workers/compute.ts'
import { plannedRepair, repairRun, type Trial } from './change.ts'
import { repairable } from './repairable.ts'
import type { Oddities, WorkoutCrop, WorkoutCut, WorkoutDistance, WorkoutMend } from './schemas.ts'
import { CHANNEL_NAMES, clock } from './titles.ts'

// Repairs of the samples of a run; recordings never change. The Worker reads the samples and computes the repair. All
// return the numbers of a dry run, or null when it is applied.

const NO_POINTS = 'The workout has no recorded points'

/**
 * Crops a run; the device's own totals no longer count.
 * @throws AppError 404; 400 without a number, without route, or with less than 10 s left
 */
export async function cropWorkout(deps: DepsBy, id: string, asked: Static<typeof WorkoutCrop>): Promise<Trial | null> {
  const { removeFromStartSeconds = null, removeFromEndSeconds = null, dryRun } = asked
  if (removeFromStartSeconds === null && removeFromEndSeconds === null) {
    throw invalid('removeFromStartSeconds or removeFromEndSeconds is required and must be a number of at least 0')
  }
  const removed = { startS: removeFromStartSeconds ?? 0, endS: removeFromEndSeconds ?? 0 }
  const plan = async (head: RunHead) => {
    if (repairable(deps.db, id).hasRoute === 0) throw invalid('The workout has no route, so it cannot be cropped')
    return await plannedRepair(deps, head, {
      change: { kind: 'crop', removed },
      refused: `${NO_POINTS}, so it cannot be cropped`,
    })
  }
  return await repairRun(deps, id, { dryRun, receipt: { kind: 'crop', title: cropTitle(removed) }, plan })
}

function cropTitle({ startS, endS }: Span): string {
  const parts = [startS > 0 ? `${startS} s off the start` : '', endS > 0 ? `${endS} s off the end` : '']
  return `Cropped ${parts.filter((part) => part !== '').join(' and ') || 'nothing'}`
}

const REFUSED = `${NO_POINTS}; its numbers can be changed`

/** Removes a stretch from the middle of a run. @throws AppError 404; 400 with less than 10 s on a side, or without samples */
export async function cutWorkout(deps: DepsBy, id: string, asked: Static<typeof WorkoutCut>): Promise<Trial | null> {
  const { fromElapsedS: fromS, toElapsedS: toS, closeGap: closesGap = false, dryRun } = asked
  const receipt = { kind: 'repair', title: `Took ${clock(toS - fromS)} out at ${clock(fromS)}` } as const
  const change = { kind: 'cut', fromS, toS, closesGap } as const
  return await repairRun(deps, id, {
    dryRun,
    receipt,
    plan: (head) => plannedRepair(deps, head, { change, refused: REFUSED }),
  })
}

/** Removes readings of one channel. @throws AppError 404; 400 where there are none */
export async function mendWorkout(deps: DepsBy, id: string, asked: Static<typeof WorkoutMend>): Promise<Trial | null> {
  const { fromElapsedS: fromS, toElapsedS: toS, channel, fill, dryRun } = asked
  const receipt = {
    kind: 'repair',
    title: `Mended ${CHANNEL_NAMES[channel]} from ${clock(fromS)} to ${clock(toS)}`,
  } as const
  const change = { kind: 'mend', fromS, toS, channel, fill } as const
  return await repairRun(deps, id, {
    dryRun,
    receipt,
    plan: (head) => plannedRepair(deps, head, { change, refused: REFUSED }),
  })
}

/** Limits of an entered distance, relative to the current one. */
const [LEAST_FACTOR, MOST_FACTOR] = [0.5, 2]

/**
 * Sets the distance of a run, or removes what was set before.
 * @throws AppError 404; 400 for less than half or more than twice the current distance, or when there is nothing to
 * remove
 */
export async function sayDistance(
  deps: DepsBy,
  id: string,
  { distanceM, dryRun }: Static<typeof WorkoutDistance>,
): Promise<Trial | null> {
  const title =
    distanceM === null ? 'Took the distance that was set back' : `Set the distance to ${roundHalfUp(distanceM)} m`
  const plan = async (head: RunHead): Promise<Planned> => {
    if (distanceM !== null) return await plannedDistance(deps, head, distanceM)
    const planned = withoutRepairs(deps, head, ({ kind }) => kind === 'distance')
    if (planned === null) throw invalid('The distance of the workout is as it was recorded')
    return planned
  }
  return await repairRun(deps, id, { dryRun, receipt: { kind: 'repair', title }, plan })
}

async function plannedDistance(deps: DepsBy, head: RunHead, distanceM: number): Promise<Planned> {
  const run = repairable(deps.db, head.id)
  const factor = distanceM / run.distanceM
  if (run.distanceM > 0 && !(factor >= LEAST_FACTOR && factor <= MOST_FACTOR)) {
    throw invalid(`distanceM must be half to twice the ${run.distanceM} m of the workout`)
  }
  const hasPoints = packedTrack(deps.db, head.body.track) !== null
  if (!hasPoints) return withRepair(deps.db, deps, head, { kind: 'distance', distanceM, factor: null })
  return await plannedRepair(deps, head, { change: { kind: 'distance', distanceM }, refused: REFUSED })
}

/** Stretches with implausible readings. @throws AppError 404 */
export async function odditiesOf(deps: Deps, id: string): Promise<Static<typeof Oddities>> {
  repairable(deps.db, id)
  const stored = storedTrack(deps.db, id)
  if (stored === null) return []
  return [...(await computed(deps.analyzer, { what: 'oddities', ...stored })).oddities]
}
