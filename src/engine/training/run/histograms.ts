import { reader } from '../../gather.ts'
import { type Clock, lengthS } from '../../run/clock.ts'
import { type HeldSeries, heldSeconds } from '../../run/hold.ts'
import type { Span } from '../../track.ts'
import { roundHalfUp } from '../../units.ts'
import { decodedNumbers, encodedNumbers } from '../../varints.ts'
import { sumOf } from '../numbers.ts'

/** Speed is averaged from this many seconds before to as many after. */
const HALF_WINDOW_S = 15
/** Greatest bin, cm/s. */
const FASTEST_BIN = 1200
const TENTHS = 10

/** Time of a run at each value; `counts[i]` belongs to `first + i`. */
export interface Histogram {
  /** The least value that occurs; 0 when there is none. */
  readonly first: number
  readonly counts: readonly number[]
}

export const EMPTY: Histogram = { first: 0, counts: [] }

/**
 * Tenths of seconds at each whole heart rate from 30 to 250, by the hold rule of docs/algorithms.md 5.
 * @param off timer-off spans in order, not overlapping
 */
export function heartRateHistogram({ tS, values }: HeldSeries, off: readonly Span[]): Histogram {
  const heldS = heldSeconds(tS, off)
  const bins = new Float64Array(256)
  for (let i = 0; i < values.length; i += 1) bins[roundHalfUp(values[i]!)]! += heldS[i]!
  return trimmed(bins.map((seconds) => roundHalfUp(TENTHS * seconds)))
}

/** A single bin, for a run of which only the average is known. */
export function averageHistogram(bpm: number, seconds: number): Histogram {
  return { first: roundHalfUp(bpm), counts: [roundHalfUp(TENTHS * seconds)] }
}

/** Whole seconds at each speed in cm/s. @param moving without stops, from 0 */
export function speedHistogram(moving: Clock): Histogram {
  const endS = lengthS(moving)
  const bins = new Float64Array(FASTEST_BIN + 1)
  const metresAt = reader(moving.atS, moving.gradedM)
  // in the middle of every second
  const metres = new Float64Array(Math.max(0, Math.ceil(endS - 0.5)))
  for (let second = 0; second < metres.length; second += 1) metres[second] = metresAt(second + 0.5)
  const endM = moving.gradedM.at(-1)!
  for (let second = 0; second < metres.length; second += 1) {
    const [from, to] = [second - HALF_WINDOW_S, second + HALF_WINDOW_S]
    const fromM = from < 0 ? 0 : metres[from]!
    const toM = to < metres.length ? metres[to]! : endM
    const seconds = Math.min(endS, to + 0.5) - Math.max(0, from + 0.5)
    bins[speedBin((toM - fromM) / seconds)]! += 1
  }
  return trimmed(bins)
}

/** A single bin, for a run of which only distance and time are known. */
export function averageSpeedHistogram(distanceM: number, seconds: number): Histogram {
  return seconds > 0 ? { first: speedBin(distanceM / seconds), counts: [roundHalfUp(seconds)] } : EMPTY
}

function speedBin(mps: number): number {
  return Math.max(0, Math.min(FASTEST_BIN, Math.floor(100 * mps + 0.5)))
}

function trimmed(bins: Float64Array): Histogram {
  const first = bins.findIndex((count) => count > 0)
  return first === -1
    ? EMPTY
    : { first, counts: [...bins.subarray(first, bins.findLastIndex((count) => count > 0) + 1)] }
}

export function heldTimeS({ counts }: Histogram): number {
  return sumOf(counts) / TENTHS
}

/** Sum over a heart-rate histogram of seconds times a function of the bpm. */
export function sumOverHeartRate({ first, counts }: Histogram, ofBpm: (bpm: number) => number): number {
  let sum = 0
  for (let i = 0; i < counts.length; i += 1) if (counts[i]! > 0) sum += counts[i]! * ofBpm(first + i)
  return sum / TENTHS
}

/** Sum over a speed histogram of seconds times a function of the m/s; a loop of its own, as each is compiled for one function. */
export function sumOverSpeed({ first, counts }: Histogram, ofMps: (mps: number) => number): number {
  let sum = 0
  for (let i = 0; i < counts.length; i += 1) if (counts[i]! > 0) sum += counts[i]! * ofMps((first + i) / 100)
  return sum
}

/** Varints: the first bin, then every count. */
export function encodedHistogram({ first, counts }: Histogram): Uint8Array {
  return encodedNumbers(counts.length === 0 ? [] : [first, ...counts])
}

/** @throws RangeError for truncated bytes */
export function decodedHistogram(bytes: Uint8Array): Histogram {
  return histogramOf(decodedNumbers(bytes))
}

function histogramOf(numbers: number[]): Histogram {
  const first = numbers.shift()
  return first === undefined || numbers.length === 0 ? EMPTY : { first, counts: numbers }
}

/** As `encodedHistogram`, for tenths of seconds; whole seconds, which most watches write, take half the bytes. */
export function encodedTenths({ first, counts }: Histogram): Uint8Array {
  const shorter = counts.map((tenths) => (tenths % TENTHS === 0 ? (2 * tenths) / TENTHS : 2 * tenths + 1))
  return encodedHistogram({ first, counts: shorter })
}

/** @throws RangeError for truncated bytes */
export function decodedTenths(bytes: Uint8Array): Histogram {
  const numbers = decodedNumbers(bytes)
  for (let i = 1; i < numbers.length; i += 1) {
    const count = numbers[i]!
    numbers[i] = count % 2 === 0 ? (TENTHS * count) / 2 : (count - 1) / 2
  }
  return histogramOf(numbers)
}
