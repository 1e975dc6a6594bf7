import { METRES_PER_KM } from '../../units.ts'
import { Z80 } from '../numbers.ts'
import type { Profile } from '../profile.ts'
import { oxygenCost, thresholdMps, timeOfVdot } from '../vdot.ts'
import { HALF_MARATHON_M, type LatentFitness } from './latent-fitness.ts'
import { RACE_SD, type RowKind, WHOLE_EFFORT } from './row-weights.ts'

/** What a threshold may differ by at one VDOT. */
const THRESHOLD_SD = 0.01
const USED_WEIGHT = 0.3
/** An effort holds the estimate up from this share of its full precision on. */
const HOLDING = 0.05
const SHORT_M = 5000
/** How far below the rest a race is before the runner is asked, in its own spreads. */
const SLOW_SPREADS = 2

interface Band {
  readonly value: number
  /** Ends of the 80 % band. */
  readonly low: number
  readonly high: number
}

/** The VDOT at 10 km that a speed at VO2max stands for. @param logMps ln m/s */
export function vdotOfSpeed(logMps: number): number {
  return oxygenCost(60 * Math.exp(logMps))
}

/** Its 80 % band. @param sd of the ln of the speed */
export function vdotBand(logMps: number, sd: number): Band {
  const [value, low, high] = [0, -Z80 * sd, Z80 * sd].map((off) => vdotOfSpeed(logMps + off))
  return { value: value!, low: low!, high: high! }
}

export function vdotOn(fit: LatentFitness, day: number): Band & { readonly sd: number } {
  const sd = fit.sd(day, null)
  return { ...vdotBand(fit.mean(day, null), sd), sd }
}

/** Speed that can be held for one hour, m/s; without its band, as every run asks for it. */
export function thresholdMpsOn(fit: LatentFitness, day: number): number {
  return thresholdMps(vdotOfSpeed(fit.mean(day, null)))
}

/** The threshold that the runner set, else that of the fit, m/s; null: neither is known. */
export function limitMpsOn({ thresholdPaceS }: Profile, fit: LatentFitness | null, day: number): number | null {
  return thresholdPaceS === null ? fit && thresholdMpsOn(fit, day) : METRES_PER_KM / thresholdPaceS
}

/** Standard deviation of the logarithm of the threshold. */
export function thresholdSdOn(fit: LatentFitness, day: number): number {
  return Math.sqrt(fit.sd(day, null) ** 2 + THRESHOLD_SD ** 2)
}

/** With its 80 % band; `sd` is that of the ln of the speed. */
export function predictedRace(fit: LatentFitness, day: number, distanceM: number) {
  const mean = fit.mean(day, distanceM)
  const sd = Math.sqrt(fit.sd(day, distanceM) ** 2 + RACE_SD ** 2)
  const timeS = (logMps: number) => timeOfVdot(vdotOfSpeed(logMps), distanceM)
  return { timeS: timeS(mean), lowS: timeS(mean + Z80 * sd), highS: timeS(mean - Z80 * sd), sd }
}

/**
 * Exponent of the runner's times between 5 km and the half marathon; null unless two races are used of which one is
 * twice as long as the other.
 * @param raceMetres distances of the used races
 */
export function exponentOn(fit: LatentFitness, day: number, raceMetres: readonly number[]): Band | null {
  if (raceMetres.length < 2 || Math.max(...raceMetres) < 2 * Math.min(...raceMetres)) return null
  const [short, half] = [SHORT_M, HALF_MARATHON_M].map((metres) => predictedRace(fit, day, metres).timeS)
  const value = Math.log(half! / short!) / Math.log(HALF_MARATHON_M / SHORT_M)
  return { value, low: value - Z80 * fit.endurance.sd, high: value + Z80 * fit.endurance.sd }
}

interface Weighed {
  readonly kind: RowKind
  /** For E its precision. */
  readonly weight: number
}

/** Whether a row counts; an effort, whether it holds the estimate up. */
export function isUsed({ kind, weight }: Weighed): boolean {
  if (kind === 'E') return weight / WHOLE_EFFORT >= HOLDING
  // a race is declared by the runner
  return kind === 'R' || weight >= USED_WEIGHT
}

/** A race that was clearly slower than the rest lets expect; it counts nevertheless, as the runner declared it one. */
export function isSlowRace({ kind, residual }: { readonly kind: RowKind; readonly residual: number }): boolean {
  return kind === 'R' && residual < -SLOW_SPREADS * RACE_SD
}

/** What a row H or R says of the VDOT of its day. @param residual of the row */
export function vdotOfRow(
  fit: LatentFitness,
  { day, residual }: { readonly day: number; readonly residual: number },
): number {
  return vdotOfSpeed(fit.mean(day, null) + residual)
}

/** Standard deviation of what one run says, in ln of speed. */
export function rowSd(fit: LatentFitness, { day, kind }: { readonly day: number; readonly kind: RowKind }): number {
  return Math.sqrt(fit.sd(day, null) ** 2 + (kind === 'R' ? RACE_SD : fit.sigma) ** 2)
}
