import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { isUnusuallyFast } from '../engine/run/unusual-efforts.ts'
import { fastestEfforts } from './effort-ranks.ts'
import { type JudgedEffort, judgedEfforts } from './effort-words.ts'
import { raced } from './race-efforts.ts'

/** Efforts that the question looks at, with one of the run itself. */
const MOST = 11

/** The plausible efforts of a run that are unusually fast, whatever the runner decided on them. */
export function unusualEfforts(tx: Tx, workoutId: string): JudgedEffort[] {
  const run = tx
    .select({ runType: workouts.runType, leftOut: workouts.leftOut })
    .from(workouts)
    .where(eq(workouts.id, workoutId))
    .get()
  if (run === undefined || run.leftOut) return []
  const isRace = raced(tx).isRace({ id: workoutId, runType: run.runType })
  return judgedEfforts(tx, workoutId).filter(({ distanceIndex, timeMs, implausibleReason }) => {
    const distanceM = STANDARD_DISTANCES[distanceIndex]?.distanceM
    if (distanceM === undefined || implausibleReason !== null) return false
    const others = fastestEfforts(tx, distanceIndex, MOST).filter((other) => other.workoutId !== workoutId)
    const othersMs = others.map((other) => other.timeMs)
    return isUnusuallyFast({ distanceM, timeMs, isRace }, othersMs)
  })
}

/** Distance indexes of the efforts of a run that the runner is asked about. */
export function unconfirmedDistances(tx: Tx, workoutId: string): Set<number> {
  const undecided = unusualEfforts(tx, workoutId).filter(({ isRecord }) => isRecord === null)
  return new Set(undecided.map(({ distanceIndex }) => distanceIndex))
}
