import { METRES_PER_FOOT } from '../../../engine/units.ts'
import {
  distanceUnit,
  duration,
  elevation,
  number,
  type Quantity,
  temperature,
  type Units,
  unitLengthM,
} from '../../format.ts'
import { TERMS } from '../../words.ts'
import type { Metric } from './series.ts'
import { clockStep, decimalStep, ticksBetween } from './ticks.ts'

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
