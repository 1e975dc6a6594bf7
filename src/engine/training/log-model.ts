import { meanOf, sumOf } from './numbers.ts'

/** Time for which the speed of VO2max is held (Emig & Peltonen 2020). */
const REFERENCE_S = 360
const LEAST_EFFORTS = 3
const LEAST_RATIO = 4
const PLAUSIBLE = [0.02, 0.12] as const
/** Loss of speed at which the endurance index is read: at 90 % of vm. */
const INDEX_LOSS = 0.1
const HALVINGS = 64

/**
 * Speed falls with the logarithm of time: v = vm (1 - gamma ln(T / 6 min)). `endurance` is the time for which the runner
 * holds 90 % of vm, in multiples of six minutes.
 * @returns null with fewer than three efforts of six minutes or more, or when their times are too similar
 */
export function logModel(efforts: readonly { readonly distanceM: number; readonly timeS: number }[]) {
  const long = efforts.filter(({ timeS }) => timeS >= REFERENCE_S)
  const times = long.map(({ timeS }) => timeS)
  if (long.length < LEAST_EFFORTS || Math.max(...times) / Math.min(...times) < LEAST_RATIO) return null
  const x = times.map((timeS) => Math.log(timeS / REFERENCE_S))
  const y = long.map(({ distanceM, timeS }) => distanceM / timeS)
  const meanX = meanOf(x)
  const meanY = meanOf(y)
  const slope =
    sumOf(x.map((value, i) => (value - meanX) * (y[i]! - meanY))) / sumOf(x.map((value) => (value - meanX) ** 2))
  const vmMps = meanY - slope * meanX
  const gamma = -slope / vmMps
  return {
    vmMps,
    gamma,
    endurance: Math.exp(INDEX_LOSS / gamma),
    plausible: gamma >= PLAUSIBLE[0] && gamma <= PLAUSIBLE[1],
  }
}

/** Seconds for a distance; null beyond the longest distance that the model reaches. */
export function logModelTimeS({ vmMps, gamma }: { readonly vmMps: number; readonly gamma: number }, distanceM: number) {
  const metresAfter = (seconds: number) => vmMps * seconds * (1 - gamma * Math.log(seconds / REFERENCE_S))
  let shortS = 1
  // beyond this time the model's distance would fall again
  let longS = REFERENCE_S * Math.exp(1 / gamma - 1)
  if (!(gamma > 0) || metresAfter(longS) < distanceM) return null
  for (let i = 0; i < 2 * HALVINGS; i += 1) {
    const middleS = Math.sqrt(shortS * longS)
    if (metresAfter(middleS) < distanceM) shortS = middleS
    else longS = middleS
  }
  return Math.sqrt(shortS * longS)
}
