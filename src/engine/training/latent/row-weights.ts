import { clamped } from '../numbers.ts'

const PULSELESS_SD = 0.08
/** Execution of a race, as a share of its speed. */
export const RACE_SD = 0.016
/** Races find their level before they are believed. */
const DOUBTED_RACE_SD = 0.06
const LAST_DOUBTED_ROUND = 4
/** Least weight of a race: who declares one is believed, however slow it was beside the rest. */
export const DECLARED_WEIGHT = 0.1
const NOTHING = 1e-9
const EFFORT_SD = 0.02
/** Most precision of a hard effort. */
export const WHOLE_EFFORT = 1 / EFFORT_SD ** 2

/** H: pulse of a steady run; P: a steady run without pulse; R: a race; E: a hard effort, "at least this fast". */
export type RowKind = 'H' | 'P' | 'R' | 'E'

export interface StateRow {
  readonly day: number
  readonly kind: RowKind
  readonly y: number
  /** Terms that are not 0, ascending, and their values. */
  readonly at: readonly number[]
  readonly x: readonly number[]
}

/** Precision of each row before a solve. @param variance of rows H */
export function firstPrecisions(kinds: readonly RowKind[], variance: number): Float64Array<ArrayBuffer> {
  const scales = { H: variance, P: PULSELESS_SD ** 2, R: DOUBTED_RACE_SD ** 2, E: Number.POSITIVE_INFINITY }
  return Float64Array.from(kinds, (kind) => 1 / scales[kind])
}

/**
 * Weight of each row by Student's t, and its precision; rows E have none here.
 * @param round of the solve that the residuals come from
 */
export function rowWeights(
  kinds: readonly RowKind[],
  residuals: Float64Array,
  { variance, round }: { readonly variance: number; readonly round: number },
): { weights: Float64Array<ArrayBuffer>; precisions: Float64Array<ArrayBuffer> } {
  const weights = new Float64Array(kinds.length)
  const precisions = new Float64Array(kinds.length)
  const raceSd = round < LAST_DOUBTED_ROUND ? DOUBTED_RACE_SD : RACE_SD
  for (let i = 0; i < kinds.length; i += 1) {
    const kind = kinds[i]!
    const square = residuals[i]! ** 2
    const scale = kind === 'H' ? variance : kind === 'P' ? PULSELESS_SD ** 2 : raceSd ** 2
    weights[i] = kind === 'R' ? Math.max(DECLARED_WEIGHT, 5 / (4 + square / scale)) : 6 / (5 + square / scale)
    precisions[i] = kind === 'E' ? 0 : weights[i]! / scale
  }
  return { weights, precisions }
}

/** Newton's step for ln Φ((fitted − y)/sd): precision of the row, and how far above the fitted value it asks for. */
export function oneSided(residual: number): { precision: number; move: number } {
  const z = clamped(-residual / EFFORT_SD, -8, 40)
  const ratio = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / (0.5 * erfc(-z / Math.SQRT2))
  const precision = clamped(ratio * (ratio + z), NOTHING, 1) * WHOLE_EFFORT
  return { precision, move: ratio / (EFFORT_SD * precision) }
}

/** From the highest power down. */
const ERFC = [
  ...[0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807],
  ...[-0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223],
] as const

/** Complementary error function, exact to 1.2e-7 and alike on every machine (Numerical Recipes, erfcc). */
function erfc(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x))
  let series = 0
  for (let i = 0; i < ERFC.length; i += 1) series = ERFC[i]! + t * series
  const value = t * Math.exp(-x * x + series)
  return x >= 0 ? value : 2 - value
}
