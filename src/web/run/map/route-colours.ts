import type { Units } from '../../format.ts'
import { metricQuantity } from '../charts/metrics.ts'
import type { RunSeries } from '../charts/series.ts'
import type { Ink } from '../ink.ts'
import {
  type ColourScale,
  colourScale,
  paceRange,
  parsedColour,
  type Rgb,
  stepOf,
  trimmedRange,
} from './colour-scale.ts'

/** Metrics that the route can be coloured by. */
export type RouteMetric = 'pace' | 'heartRate' | 'grade'

/** Slow to fast and low to high: dark blue, green, orange, red; distinguishable without red-green vision. */
const EFFORT: Readonly<Record<'light' | 'dark', readonly Rgb[]>> = {
  light: [
    [52, 74, 150],
    [20, 129, 160],
    [46, 160, 112],
    [224, 170, 40],
    [205, 66, 46],
  ],
  dark: [
    [104, 130, 214],
    [64, 170, 196],
    [98, 196, 140],
    [240, 196, 88],
    [240, 108, 84],
  ],
}
/** Downhill, level, uphill. */
const SLOPE: Readonly<Record<'light' | 'dark', readonly Rgb[]>> = {
  light: [
    [26, 104, 170],
    [120, 170, 196],
    [150, 150, 142],
    [222, 152, 74],
    [176, 52, 38],
  ],
  dark: [
    [96, 170, 232],
    [128, 178, 200],
    [150, 158, 156],
    [232, 168, 98],
    [238, 104, 84],
  ],
}
/** Share of values at either end that may exceed the scale. */
const TRIM = 0.02
/** Least range of the grade scale, so that a flat run has no red hills. */
const LEAST_GRADE = 4
const LEAST_PACE_SPAN_S = 20
const LEAST_BPM_SPAN = 10
const CALM_S = 15

export interface RouteColours {
  /** Colour index of each row, -1 for none; has one row more than the colours. */
  readonly steps: Int8Array
  readonly colours: readonly string[]
  readonly lowText: string
  readonly highText: string
}

/** @returns null when the run has no values of this metric */
export function routeColours(
  series: RunSeries,
  metric: RouteMetric,
  { ink, units }: { readonly ink: Ink; readonly units: Units },
): RouteColours | null {
  const measured = series.metrics[metric]
  const values = measured !== null && metric === 'pace' ? calmed(series.elapsedS, measured) : measured
  const scale = values === null ? null : scaleFor(metric, values, ink)
  if (values === null || scale === null) return null
  const steps = Int8Array.from(values, (value) => stepOf(scale, value))
  bridgeSteps(steps)
  const text = (value: number) => {
    const { value: shown, unit } = metricQuantity(metric, value, units)
    return `${shown}${unit.startsWith('/') ? '' : '\u00a0'}${unit}`
  }
  return { steps, colours: scale.colours, lowText: text(scale.low), highText: text(scale.high) }
}

/** Smooths by the mean of the values within 15 s on either side, so that colours do not flicker. O(n). */
function calmed(elapsedS: Float64Array, values: Float64Array): Float64Array {
  const result = new Float64Array(values.length).fill(Number.NaN)
  let low = 0
  let high = 0
  let sum = 0
  let known = 0
  const add = (row: number, sign: number) => {
    if (Number.isNaN(values[row]!)) return
    sum += sign * values[row]!
    known += sign
  }
  for (let i = 0; i < values.length; i += 1) {
    while (high < values.length && elapsedS[high]! <= elapsedS[i]! + CALM_S) add(high++, 1)
    while (elapsedS[low]! < elapsedS[i]! - CALM_S) add(low++, -1)
    if (known > 0 && !Number.isNaN(values[i]!)) result[i] = sum / known
  }
  return result
}

function scaleFor(metric: RouteMetric, values: Float64Array, ink: Ink): ColourScale | null {
  const range = metric === 'pace' ? paceRange(values, TRIM) : trimmedRange(values, TRIM)
  if (range === null) return null
  const mode = ink.isDark ? 'dark' : 'light'
  if (metric === 'grade') {
    const most = Math.max(LEAST_GRADE, Math.abs(range[0]), Math.abs(range[1]))
    return colourScale(-most, most, SLOPE[mode])
  }
  const [low, high] = widened(range, metric === 'pace' ? LEAST_PACE_SPAN_S : LEAST_BPM_SPAN)
  return metric === 'pace' ? colourScale(high, low, EFFORT[mode]) : colourScale(low, high, EFFORT[mode])
}

function widened([low, high]: readonly [number, number], least: number): readonly [number, number] {
  const missing = Math.max(0, least - (high - low)) / 2
  return [low - missing, high + missing]
}

/**
 * A row without a value takes the colour before it, the first rows that of the first value, so that the route has no
 * holes.
 */
function bridgeSteps(steps: Int8Array): void {
  let last = steps.find((step) => step >= 0) ?? 0
  for (let i = 0; i < steps.length; i += 1) {
    if (steps[i]! < 0) steps[i] = last
    else last = steps[i]!
  }
}

/** The colour of a zone, or the accent colour when the theme has none. */
export function zoneColour(ink: Ink, zone: number): Rgb {
  return parsedColour(ink.zones[zone] ?? '') ?? parsedColour(ink.accent) ?? [128, 128, 128]
}
