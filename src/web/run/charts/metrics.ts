import { DAY_S, METRES_PER_FOOT } from '../../../engine/units.ts'
import {
  distance,
  distanceUnit,
  duration,
  elevation,
  number,
  pace,
  type Quantity,
  temperature,
  text,
  type Units,
  unitLengthM,
} from '../../format.ts'
import { TERMS } from '../../words.ts'
import type { Metric, SectionFigures } from './series.ts'

export const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  pace: TERMS.pace,
  gap: 'Grade-adjusted',
  heartRate: TERMS.heartRate,
  elevation: 'Elevation',
  cadence: TERMS.cadence,
  power: TERMS.power,
  grade: 'Grade',
  temperature: 'Temperature',
}

const NO_VALUE = '–'

/** A value for display; NaN becomes a dash. */
export function metricQuantity(metric: Metric, value: number, units: Units): Quantity {
  const known = Number.isNaN(value) ? null : value
  switch (metric) {
    case 'pace':
    case 'gap': {
      const seconds = known === null ? null : known * perUnit(metric, units)
      return { value: seconds === null ? NO_VALUE : duration(seconds), unit: units === 'metric' ? '/km' : '/mi' }
    }
    case 'heartRate':
      return { value: number(known), unit: 'bpm' }
    case 'elevation':
      return elevation(known, units)
    case 'cadence':
      return { value: number(known), unit: 'spm' }
    case 'power':
      return { value: number(known), unit: 'W' }
    case 'grade':
      return { value: number(known, 1), unit: '%' }
    case 'temperature':
      return temperature(known, units)
  }
}

/** Factor from a value to the reader's unit. */
function perUnit(metric: Metric, units: Units): number {
  if (metric === 'pace' || metric === 'gap') return unitLengthM(units) / 1000
  if (metric === 'elevation') return units === 'metric' ? 1 : 1 / METRES_PER_FOOT
  return 1
}

export interface Ticks {
  /** In the unit of the series. */
  readonly values: number[]
  readonly labels: string[]
  /** Unit of the labels, for distances. */
  readonly unit?: string
}

/** Round values in the reader's unit, between two values of a metric. */
export function metricTicks(
  metric: Metric,
  [from, to]: readonly [number, number],
  { most, units }: { readonly most: number; readonly units: Units },
): Ticks {
  const factor = perUnit(metric, units)
  const isClock = metric === 'pace' || metric === 'gap'
  const range = (to - from) * factor
  if (!(range > 0)) return { values: [], labels: [] }
  const step = isClock ? clockStep(range, most) : Math.max(1, decimalStep(range, most))
  const shown = ticksBetween(from * factor, to * factor, step)
  return {
    values: shown.map((value) => value / factor),
    labels: shown.map((value) => (isClock ? duration(value) : number(value, step < 1 || step % 1 !== 0 ? 1 : 0))),
  }
}

/** Ranges up to this share of a kilometre or mile are labelled in metres or feet. */
const SHORT = 0.5

/** Ticks along the run: distance in metres, or elapsed seconds. */
export function axisTicks(
  axis: 'distance' | 'time',
  [from, to]: readonly [number, number],
  { most, units }: { readonly most: number; readonly units: Units },
): Ticks {
  if (!(to > from)) return { values: [], labels: [] }
  if (axis === 'time') {
    const values = ticksBetween(from, to, clockStep(to - from, most))
    return { values, labels: values.map(duration) }
  }
  const isShort = to - from <= unitLengthM(units) * SHORT
  const unitM = isShort ? shortUnitM(units) : unitLengthM(units)
  const unit = isShort ? (units === 'metric' ? 'm' : 'ft') : distanceUnit(units)
  const range = (to - from) / unitM
  const step = isShort ? Math.max(1, decimalStep(range, most)) : decimalStep(range, most)
  const digits = step >= 1 && step % 1 === 0 ? 0 : step * 10 === Math.round(step * 10) ? 1 : 2
  const shown = ticksBetween(from / unitM, to / unitM, step)
  return { values: shown.map((value) => value * unitM), labels: shown.map((value) => number(value, digits)), unit }
}

function shortUnitM(units: Units): number {
  return units === 'metric' ? 1 : METRES_PER_FOOT
}

/** Steps for axes of times, seconds. */
const CLOCK_STEPS_S = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  10_800,
  14_400,
  21_600,
  43_200,
  DAY_S,
] as const

/**
 * The smallest of 1, 2 and 5 times a power of ten that divides a range into at most `most` parts.
 * @param range positive
 */
export function decimalStep(range: number, most: number): number {
  const least = range / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  for (const digit of [1, 2, 5]) if (digit * power >= least * (1 - 1e-9)) return digit * power
  return 10 * power
}

/** As `decimalStep`, for times and paces in seconds: 15 s, 30 s, 1 min, 2 min and so on; whole days beyond one. */
export function clockStep(rangeS: number, most: number): number {
  const least = rangeS / Math.max(1, most)
  return CLOCK_STEPS_S.find((step) => step >= least * (1 - 1e-9)) ?? Math.ceil(least / DAY_S) * DAY_S
}

/** Multiples of `step` from `from` to `to`, both included; at most 1,000. */
export function ticksBetween(from: number, to: number, step: number): number[] {
  const slack = step * 1e-9
  // never -0, which would be displayed with its sign
  const first = Math.ceil((from - slack) / step) || 0
  const last = Math.min(first + 999, Math.floor((to + slack) / step))
  const result: number[] = []
  // 0.1 + 0.2 is not 0.3, but dividing by an inverse is exact
  const inverse = 1 / step
  const isInverse = step < 1 && Math.abs(inverse - Math.round(inverse)) < 1e-9
  for (let k = first; k <= last; k += 1) result.push(isInverse ? k / Math.round(inverse) : k * step)
  return result
}

/** The numbers of a stretch as text: `1.00 km · 5:02 · 5:02/km · 148 bpm`. */
export function figuresText({ metres, seconds, paceS, heartRateBpm }: SectionFigures, units: Units): string {
  return [
    ...(metres === null ? [] : [text(distance(metres, units))]),
    duration(seconds),
    ...(paceS === null ? [] : [text(pace(paceS, units))]),
    ...(heartRateBpm === null ? [] : [text(metricQuantity('heartRate', heartRateBpm, units))]),
  ].join('  ·  ')
}
