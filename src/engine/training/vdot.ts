import { METRES_PER_KM } from '../units.ts'

/** Oxygen uptake at rest, ml per kg and minute. */
export const RESTING_OXYGEN = 3.5
/** Range of mean speeds within which a race time is searched, m/s. */
const FASTEST_MPS = 12
const SLOWEST_MPS = 0.5
/** Bisections after which a time is exact to the last digits of a double. */
const HALVINGS = 64

/** Oxygen cost of running, ml per kg and minute (Daniels & Gilbert 1979). @param metresPerMinute speed */
export function oxygenCost(metresPerMinute: number): number {
  return -4.6 + metresPerMinute * (0.182258 + 0.000104 * metresPerMinute)
}

/** Speed in metres per minute with this oxygen cost; the inverse of `oxygenCost`. */
function speedAtCost(oxygen: number): number {
  return (-0.182258 + Math.sqrt(0.182258 ** 2 + 0.000416 * (4.6 + oxygen))) / 0.000208
}

/** Share of VO2max that can be held for so many minutes in a race. */
export function heldShare(minutes: number): number {
  return 0.8 + 0.1894393 * Math.exp(-0.012778 * minutes) + 0.2989558 * Math.exp(-0.1932605 * minutes)
}

/** The VO2max that an all-out effort implies, ml per kg and minute. */
export function vdotOf(distanceM: number, timeS: number): number {
  const minutes = timeS / 60
  return oxygenCost(distanceM / minutes) / heldShare(minutes)
}

/** Race time in seconds for a VDOT; by bisection, as VDOT falls when time grows. */
export function timeOfVdot(vdot: number, distanceM: number): number {
  let fastS = distanceM / FASTEST_MPS
  let slowS = distanceM / SLOWEST_MPS
  for (let i = 0; i < HALVINGS; i += 1) {
    const middleS = (fastS + slowS) / 2
    if (vdotOf(distanceM, middleS) > vdot) fastS = middleS
    else slowS = middleS
  }
  return (fastS + slowS) / 2
}

/** Speed in m/s at a share of VDOT. */
export function speedAtShare(vdot: number, share: number): number {
  return speedAtCost(share * vdot) / 60
}

/** Speed that can be held for one hour, m/s. */
export function thresholdMps(vdot: number): number {
  return speedAtShare(vdot, heldShare(60))
}

/** Pace that can be held for one hour, s/km. */
export function thresholdPaceS(vdot: number): number {
  return METRES_PER_KM / thresholdMps(vdot)
}
