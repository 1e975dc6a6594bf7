import type uPlot from 'uplot'
import { paceRange, trimmedRange } from '../map/colour-scale.ts'
import type { Metric } from './series.ts'

export interface ChartSpec {
  readonly metric: Metric
  /** A second line on the same scale, drawn below the first. */
  readonly also: Metric | null
  /** Bounds of the heart-rate zones in bpm; empty: no bands. */
  readonly zones: readonly { readonly minBpm: number; readonly maxBpm: number }[]
}

const SAMPLED_VALUES = 1500
/** The second line may extend the range of the first by this share at either end. */
const OTHER_SHARE = 0.25
/**
 * Shares of the lowest and highest values that are ignored for the scale: spikes, and for paces walking at crossings.
 * Heart rate and altitude are shown completely.
 */
const TRIMS: Readonly<Partial<Record<Metric, readonly [number, number]>>> = {
  pace: [0.003, 0.03],
  gap: [0.02, 0.05],
  cadence: [0.04, 0.004],
  power: [0.01, 0.002],
}
/** Smallest range of each scale, so that a steady run shows a calm line instead of enlarged sensor noise. */
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

/** Range of the visible values, with a margin above and below. */
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
  // the line of the chart is the last one, its second line before it, that of a ghost the first
  const lines = also === null ? [metric] : [also, metric]
  const rangeAt = (fromLast: number) => {
    const name = lines.at(-fromLast)
    const isOn = chart.series.at(-fromLast)?.show !== false
    return name !== undefined && isOn ? rangeOf(name, columns.at(-fromLast)) : null
  }
  const own = rangeAt(1)
  const hasGhost = columns.length > lines.length
  const ghost = hasGhost && own !== null ? rangeOf(metric, columns[0]) : null
  const range = joined(withOther(own, rangeAt(2)), ghost)
  if (range === null) return [0, 1]
  const span = Math.max(LEAST_SPANS[metric], (range[1] - range[0]) * 1.16)
  const middle = (range[0] + range[1]) / 2
  return [middle - span / 2, middle + span / 2]
}

type Range = readonly [number, number]

/**
 * Combines the ranges of both lines; the second one extends the first only by a share, so that its spikes do not
 * flatten the first.
 */
export function withOther(own: Range | null, other: Range | null): Range | null {
  if (own === null || other === null) return own ?? other
  const most = (own[1] - own[0]) * OTHER_SHARE
  return [Math.max(own[0] - most, Math.min(own[0], other[0])), Math.min(own[1] + most, Math.max(own[1], other[1]))]
}

/** Both ranges in one: a ghost may be far slower, and is compared all the same. */
function joined(range: Range | null, ghost: Range | null): Range | null {
  if (range === null || ghost === null) return range
  return [Math.min(range[0], ghost[0]), Math.max(range[1], ghost[1])]
}

/** Range of values while running: standing and walking are ignored for steps, power and pace. */
function runningRange(metric: Metric, values: Float64Array, trims: readonly [number, number]): Range | null {
  if (metric === 'pace' || metric === 'gap') return paceRange(values, ...trims)
  return trimmedRange(
    values.filter((value) => value > 0),
    ...trims,
  )
}

type Columns = readonly ArrayLike<number | null | undefined>[]

/**
 * A sample of the values that suffices for quantiles; sorting 40,000 values of five charts at each zoom would be slow.
 */
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
