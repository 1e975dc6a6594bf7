import { STANDARD_DISTANCES } from '../run/best-efforts.ts'
import { METRES_PER_MILE } from '../units.ts'
import { vdotOf } from './vdot.ts'

const SHORTEST_S = 210
const LONGEST_S = 6 * 3600

/** A best effort over a standard distance. */
interface HardEffort {
  readonly distanceM: number
  /** Grade-equivalent metres on the flat; null: the altitude cannot be used. */
  readonly gradedM: number | null
  readonly timeS: number
}

/** Indexes in STANDARD_DISTANCES of the distances that predictions use: from one mile on. */
export const HARD_DISTANCES: readonly number[] = STANDARD_DISTANCES.flatMap(({ distanceM }, index) =>
  distanceM >= METRES_PER_MILE ? [index] : [],
)

/** The VDOT of an effort; null when it is too short or too long for the formula. */
export function effortVdot({ distanceM, gradedM, timeS }: HardEffort): number | null {
  if (distanceM < METRES_PER_MILE || timeS < SHORTEST_S || timeS > LONGEST_S) return null
  return vdotOf(gradedM ?? distanceM, timeS)
}
