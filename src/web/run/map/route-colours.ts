import { text, type Units } from '../../format.ts'
import { metricQuantity, type RunSeries, smoothedPaces } from '../charts/series.ts'
import type { Ink } from '../ink.ts'

/** Metrics that the route can be coloured by. */
export type RouteMetric = 'pace' | 'heartRate' | 'grade'

/** Slow to fast and low to high: dark blue, green, orange, red; distinguishable without red-green vision. */
const EFFORT = {
  light: ['#344a96', '#1481a0', '#2ea070', '#e0aa28', '#cd422e'],
  dark: ['#6882d6', '#40aac4', '#62c48c', '#f0c458', '#f06c54'],
}
/** Downhill, level, uphill. */
const SLOPE = {
  light: ['#1a68aa', '#78aac4', '#96968e', '#de984a', '#b03426'],
  dark: ['#60aae8', '#80b2c8', '#969e9c', '#e8a862', '#ee6854'],
}
/** Share of values at either end that may exceed the scale. */
const TRIM = 0.02
/** Least range of the grade scale, so that a flat run has no red hills. */
const LEAST_GRADE = 4
const LEAST_PACE_SPAN_S = 20
const LEAST_BPM_SPAN = 10
/** Window of the smoothing, so that colours do not flicker. */
const CALM_S = 30

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
  const values = measured !== null && metric === 'pace' ? smoothedPaces(series.elapsedS, measured, CALM_S) : measured
  const scale = values === null ? null : scaleFor(metric, values, ink)
  if (values === null || scale === null) return null
  const steps = Int8Array.from(values, (value) => stepOf(scale, value))
  bridgeSteps(steps)
  const words = (value: number) => text(metricQuantity(metric, value, units))
  return { steps, colours: scale.colours, lowText: words(scale.low), highText: words(scale.high) }
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

/** Maps values to a few colours, so that a route of 20,000 points needs only that many strokes. */
interface ColourScale {
  readonly low: number
  readonly high: number
  /** CSS colours from low to high. */
  readonly colours: readonly string[]
}

const STEPS = 28

/**
 * @param low value of the first colour; above `high` for an inverted scale, as for paces
 * @param stops colours at equal distances from low to high, `#rrggbb`
 */
export function colourScale(low: number, high: number, stops: readonly string[]): ColourScale {
  const colours = Array.from({ length: STEPS }, (_, i) => blended(stops, i / (STEPS - 1)))
  return { low, high, colours }
}

/** The colour index of a value, clamped to the ends; -1 for NaN. */
export function stepOf({ low, high, colours }: ColourScale, value: number): number {
  if (Number.isNaN(value)) return -1
  const share = high === low ? 0.5 : (value - low) / (high - low)
  return Math.max(0, Math.min(colours.length - 1, Math.floor(share * colours.length)))
}

/** The colour at a place from 0 to 1 between stops. */
export function blended(stops: readonly string[], place: number): string {
  const at = place * (stops.length - 1)
  const first = Math.min(stops.length - 2, Math.floor(at))
  const channels = [1, 3, 5].map((digit) => {
    const [from = 0, to = 0] = stops.slice(first, first + 2).map((stop) => parseInt(stop.slice(digit, digit + 2), 16))
    return Math.round(from + (at - first) * (to - from))
  })
  return `rgb(${channels.join(' ')})`
}

/** A colour of the theme, `#rrggbb`, that lets through what is behind it. */
export function faded(colour: string, alpha: number): string {
  return (
    colour +
    Math.round(255 * alpha)
      .toString(16)
      .padStart(2, '0')
  )
}

/**
 * Quantiles that bound a scale, so that single spikes do not distort it.
 * @returns null without any value
 */
export function trimmedRange(values: Float64Array, below: number, above = below): readonly [number, number] | null {
  const known = sortedValues(values)
  return known.length === 0 ? null : [at(known, below), at(known, 1 - above)]
}

function sortedValues(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value)).sort()
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))]!
}

/** A pace may be this many times the median and still be on the scale: walking is, standing is not. */
const SLOWEST = 1.8

/**
 * As `trimmedRange`, for paces: a stop of some minutes has thousands of slow samples and would compress the rest of the
 * scale.
 */
export function paceRange(values: Float64Array, below: number, above = below): readonly [number, number] | null {
  const known = sortedValues(values)
  return known.length === 0 ? null : [at(known, below), Math.min(at(known, 1 - above), at(known, 0.5) * SLOWEST)]
}
