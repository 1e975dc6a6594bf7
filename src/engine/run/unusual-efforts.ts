import { METRES_PER_MILE } from '../units.ts'

/** A position that is off by some metres shortens no longer effort noticeably. */
const LONGEST_M = METRES_PER_MILE
/** With fewer other efforts the best of them says little. */
const FEWEST_OTHERS = 9
const MOST_AHEAD_SHARE = 0.05

/**
 * Whether an effort is so much faster than those of all other runs that the runner is asked whether it counts: more than
 * 5% ahead of the second best of at least ten, up to one mile, and not in a race.
 * @param othersMs times of other runs over the same distance, the fastest first
 */
export function isUnusuallyFast(
  { distanceM, timeMs, isRace }: { readonly distanceM: number; readonly timeMs: number; readonly isRace: boolean },
  othersMs: readonly number[],
): boolean {
  const [bestMs] = othersMs
  if (bestMs === undefined || othersMs.length < FEWEST_OTHERS || isRace || distanceM > LONGEST_M) return false
  return bestMs - timeMs > MOST_AHEAD_SHARE * bestMs
}
