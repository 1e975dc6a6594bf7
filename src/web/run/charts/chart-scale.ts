import type uPlot from 'uplot'
import { paceRange, trimmedRange } from '../map/colour-scale.ts'
import type { Metric } from './series.ts'

export interface ChartSpec {
  readonly metric: Metric
  /** A second line on the same scale, below the first one. */
  readonly also: Metric | null
  /** Bounds of the heart-rate zones in beats; empty: no bands. */
  readonly zones: readonly { readonly minBpm: number; readonly maxBpm: number }[]
}

const SAMPLED_VALUES = 1500
/** How much of the range of the first line the second one may add at either end. */
const OTHER_SHARE = 0.25
/**
 * The shares of least and greatest values that do not make a scale: spikes, and for paces the walk at a crossing.
 * Heart rate and altitude are shown whole.
 */
const TRIMS: Readonly<Partial<Record<Metric, readonly [number, number]>>> = {
  pace: [0.003, 0.03],
  gap: [0.02, 0.05],
  cadence: [0.04, 0.004],
  power: [0.01, 0.002],
}
/** A steady run is a calm line, not the noise of a sensor at full height. */
const LEAST_SPANS: Readonly<Record<Metric, number>> = {
  pace: 60,
  gap: 60,
  heartRate: 30,
  elevation: 20,
  cadence: 24,
  power: 80,
  grade: 6,
  temperature: 6,
}

/** The range of what is in sight, with air above and below. */
export function visibleRange(chart: uPlot, { metric, also }: ChartSpec): [number, number] {
  const [xs = [], ...columns] = chart.data
  const { min = null, max = null } = chart.scales.x ?? {}
  const from = min === null ? 0 : firstAtLeast(xs, min)
  const to = max === null ? xs.length : firstAtLeast(xs, max) + 1
  const rangeOf = (name: Metric, column: Columns[number] | undefined) => {
    const trims = TRIMS[name]
    if (column === undefined) return null
    return trims === undefined ? extremes(column, from, to) : runningRange(name, sampled(column, from, to), trims)
  }
  // the first series is the axis
  const [isAlsoOn, isOn] = also === null ? [false, true] : [chart.series[1]?.show, chart.series[2]?.show]
  const own = isOn === true ? rangeOf(metric, columns.at(-1)) : null
  const other = also !== null && isAlsoOn === true ? rangeOf(also, columns[0]) : null
  const range = withOther(own, other)
  if (range === null) return [0, 1]
  const span = Math.max(LEAST_SPANS[metric], (range[1] - range[0]) * 1.16)
  const middle = (range[0] + range[1]) / 2
  return [middle - span / 2, middle + span / 2]
}

type Range = readonly [number, number]

/** The second line may widen the scale of the first by a part of it, or its spikes would leave the first no room. */
export function withOther(own: Range | null, other: Range | null): Range | null {
  if (own === null || other === null) return own ?? other
  const most = (own[1] - own[0]) * OTHER_SHARE
  return [Math.max(own[0] - most, Math.min(own[0], other[0])), Math.min(own[1] + most, Math.max(own[1], other[1]))]
}

/** Where the runner ran: neither steps nor power of standing, nor paces of strolling around, make the scale. */
function runningRange(metric: Metric, values: Float64Array, trims: readonly [number, number]): Range | null {
  if (metric === 'pace' || metric === 'gap') return paceRange(values, ...trims)
  return trimmedRange(
    values.filter((value) => value > 0),
    ...trims,
  )
}

type Columns = readonly ArrayLike<number | null | undefined>[]

/** Enough values to tell what share of all lies where; sorting 40,000 of five charts at each zoom would be felt. */
function sampled(column: Columns[number], from: number, to: number): Float64Array {
  const step = Math.max(1, Math.floor((to - from) / SAMPLED_VALUES))
  const values: number[] = []
  for (let i = from; i < to; i += step) values.push(column[i] ?? Number.NaN)
  return Float64Array.from(values)
}

function extremes(column: Columns[number], from: number, to: number): Range | null {
  let least = Infinity
  let most = -Infinity
  for (let i = from; i < to; i += 1) {
    const value = column[i]
    if (value === null || value === undefined) continue
    if (value < least) least = value
    if (value > most) most = value
  }
  return least <= most ? [least, most] : null
}

function firstAtLeast(ascending: ArrayLike<number | null | undefined>, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
