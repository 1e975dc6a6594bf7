import { text, type Units } from '../../format.ts'
import { metricQuantity, type RunSeries, smoothedPaces } from '../charts/series.ts'
import type { Ink } from '../ink.ts'

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

/** The colour of a zone, or the accent colour when the theme has none. */
export function zoneColour(ink: Ink, zone: number): Rgb {
  return parsedColour(ink.zones[zone] ?? '') ?? parsedColour(ink.accent) ?? [128, 128, 128]
}

/** Red, green, blue, 0 to 255. */
type Rgb = readonly [number, number, number]

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
 * @param stops colours at equal distances from low to high
 */
export function colourScale(low: number, high: number, stops: readonly Rgb[]): ColourScale {
  const colours = Array.from({ length: STEPS }, (_, i) => css(blended(stops, i / (STEPS - 1))))
  return { low, high, colours }
}

/** The colour index of a value, clamped to the ends; -1 for NaN. */
export function stepOf({ low, high, colours }: ColourScale, value: number): number {
  if (Number.isNaN(value)) return -1
  const share = high === low ? 0.5 : (value - low) / (high - low)
  return Math.max(0, Math.min(colours.length - 1, Math.floor(share * colours.length)))
}

/** The colour at a position between stops, mixed in OKLab (Ottosson 2020), where equal steps look equal. */
export function blended(stops: readonly Rgb[], place: number): Rgb {
  const at = Math.max(0, Math.min(1, place)) * (stops.length - 1)
  const first = Math.min(stops.length - 2, Math.floor(at))
  const from = stops[Math.max(0, first)] ?? [0, 0, 0]
  const to = stops[first + 1] ?? from
  const [a, b] = [okLab(from), okLab(to)]
  const share = at - Math.max(0, first)
  const mix = (k: 0 | 1 | 2) => a[k] + share * (b[k] - a[k])
  return fromOkLab([mix(0), mix(1), mix(2)])
}

/** `#rgb`, `#rrggbb` or `rgb(r g b)`; null for anything else. */
export function parsedColour(text: string): Rgb | null {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]
  if (hex !== undefined) {
    const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
    const value = Number.parseInt(full, 16)
    return [value >> 16, (value >> 8) & 255, value & 255]
  }
  const channels = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(text.trim())
  return channels === null ? null : [Number(channels[1]), Number(channels[2]), Number(channels[3])]
}

export function css([red, green, blue]: Rgb, alpha = 1): string {
  const whole = `${Math.round(red)} ${Math.round(green)} ${Math.round(blue)}`
  return alpha === 1 ? `rgb(${whole})` : `rgb(${whole} / ${alpha})`
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

type Lab = readonly [number, number, number]

function okLab([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOkLab([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function encoded(share: number): number {
  const channel = share <= 0.0031308 ? share * 12.92 : 1.055 * Math.max(0, share) ** (1 / 2.4) - 0.055
  return Math.max(0, Math.min(255, channel * 255))
}
