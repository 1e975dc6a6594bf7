import type { RatedEffort } from './chosen-efforts.ts'
import { Z80 } from './numbers.ts'

/** Prior without data: exponent, and its change beyond the half marathon, with their standard deviations. */
const EXPONENT = { mean: 1.06, deviation: 0.03 } as const
const BEND = { mean: 0.06, deviation: 0.05 } as const
/** Relative standard deviation of an effort, plus per day of its age, plus per share that it is behind the best. */
const NOISE = 0.015
const NOISE_PER_DAY = 0.0003
const NOISE_OF_SHORTFALL = 0.5
const REFERENCE_M = 10_000
const HALF_MARATHON_M = 21_097.5
/** Beyond this distance the law is extrapolated without any data. */
export const EXTRAPOLATED_M = 50_000
const RIEGEL_EXPONENT = 1.06

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

/** The law that race times of a runner follow: ln t = a + k ln(D / 10 km) + d max(0, ln(D / half marathon)). */
interface PowerLaw {
  readonly beta: Vector
  readonly covariance: Matrix
  readonly exponent: number
  readonly exponentDeviation: number
  /** The efforts span at least a factor of two in distance, so that the exponent is estimated from them. */
  readonly isExponentOwn: boolean
}

interface Prediction {
  readonly timeS: number
  /** Ends of the 80 % band. */
  readonly lowS: number
  readonly highS: number
  readonly relativeSd: number
}

function features(distanceM: number): Vector {
  return [1, Math.log(distanceM / REFERENCE_M), Math.max(0, Math.log(distanceM / HALF_MARATHON_M))]
}

/** Fits the law to the chosen efforts. @returns null without efforts */
export function powerLaw(
  efforts: readonly Pick<RatedEffort, 'distanceM' | 'timeS' | 'ageDays' | 'vdot'>[],
): PowerLaw | null {
  if (efforts.length === 0) return null
  const best = Math.max(...efforts.map(({ vdot }) => vdot))
  const precision = [
    [0, 0, 0],
    [0, 1 / EXPONENT.deviation ** 2, 0],
    [0, 0, 1 / BEND.deviation ** 2],
  ]
  const pull = [0, EXPONENT.mean / EXPONENT.deviation ** 2, BEND.mean / BEND.deviation ** 2]
  for (const { distanceM, timeS, ageDays, vdot } of efforts) {
    const phi = features(distanceM)
    const variance = NOISE ** 2 + (NOISE_PER_DAY * ageDays) ** 2 + (NOISE_OF_SHORTFALL * Math.log(best / vdot)) ** 2
    for (let i = 0; i < 3; i += 1) {
      pull[i]! += (phi[i]! * Math.log(timeS)) / variance
      for (let j = 0; j < 3; j += 1) precision[i]![j]! += (phi[i]! * phi[j]!) / variance
    }
  }
  const covariance = inverse(precision)
  const beta = covariance.map((row) => dot(row, pull)) as unknown as Vector
  const metres = efforts.map(({ distanceM }) => distanceM)
  return {
    beta,
    covariance,
    exponent: beta[1],
    exponentDeviation: Math.sqrt(covariance[1][1]),
    isExponentOwn: Math.max(...metres) / Math.min(...metres) >= 2,
  }
}

export function predicted({ beta, covariance }: Pick<PowerLaw, 'beta' | 'covariance'>, distanceM: number): Prediction {
  const phi = features(distanceM)
  const variance = dot(
    phi,
    covariance.map((row) => dot(row, phi)),
  )
  const relativeSd = Math.sqrt(variance + NOISE ** 2)
  const timeS = Math.exp(dot(phi, beta))
  return { timeS, lowS: timeS * Math.exp(-Z80 * relativeSd), highS: timeS * Math.exp(Z80 * relativeSd), relativeSd }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
}

/** Inverse of a symmetric positive definite matrix, by cofactors. */
function inverse(m: readonly (readonly number[])[]): Matrix {
  const at = (row: number, column: number) => m[row % 3]![column % 3]!
  const cofactor = (i: number, j: number) => at(i + 1, j + 1) * at(i + 2, j + 2) - at(i + 1, j + 2) * at(i + 2, j + 1)
  const determinant = at(0, 0) * cofactor(0, 0) + at(0, 1) * cofactor(0, 1) + at(0, 2) * cofactor(0, 2)
  const row = (i: number): Vector => [
    cofactor(0, i) / determinant,
    cofactor(1, i) / determinant,
    cofactor(2, i) / determinant,
  ]
  return [row(0), row(1), row(2)]
}

/** Seconds for another distance by Riegel's law. */
export function riegel(timeS: number, fromM: number, toM: number, exponent = RIEGEL_EXPONENT): number {
  return timeS * (toM / fromM) ** exponent
}

/** Seconds for another distance by Cameron's formula. */
export function cameron(timeS: number, fromM: number, toM: number): number {
  const f = (metres: number) => 13.49681 - 0.000030363 * metres + 835.7114 / metres ** 0.7905
  return (timeS * (toM / fromM) * f(fromM)) / f(toM)
}
