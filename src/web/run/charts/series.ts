import { firstFrom } from '../../../engine/gather.ts'
import { DAY_S, METRES_PER_FOOT } from '../../../engine/units.ts'
import {
  distance,
  distanceUnit,
  duration,
  elevation,
  number,
  type PaceClock,
  pace,
  type Quantity,
  type ShownPace,
  temperature,
  text,
  type Units,
  unitLengthM,
} from '../../format.ts'
import { TERMS } from '../../words.ts'
import type { Detail, Edit, RunView, Samples, Section, Zones } from '../run-view.ts'

/** What a chart can show; cadence in steps a minute, grade in percent. */
export type Metric = 'pace' | 'gap' | 'heartRate' | 'elevation' | 'cadence' | 'power' | 'grade' | 'temperature'

/**
 * The samples in the form that charts and map draw: columns of equal length; NaN is a gap, a null column has no value.
 */
export interface RunSeries {
  readonly n: number
  /** Strictly ascending seconds. */
  readonly elapsedS: Float64Array
  /** Metres that never fall, without gaps. */
  readonly distanceM: Float64Array | null
  readonly lat: Float64Array | null
  readonly lon: Float64Array | null
  /** Grade-adjusted paces are smoothed, since those of single steep steps are noise. */
  readonly metrics: Readonly<Record<Metric, Float64Array | null>>
  /** Grade-adjusted paces without smoothing, for sums. */
  readonly givenGap: Float64Array | null
}

/** What parts of the page of a run are given. */
export interface RunParts {
  readonly run: Detail
  readonly runId: string
  /** Time and pace as the page shows them, and by which clock. */
  readonly shown: ShownPace
  readonly clock: PaceClock
  readonly series: RunSeries
  readonly zones: Zones | null
  readonly view: RunView
  /** Stores changes; resolves to an error message, or null. */
  readonly onEdit: (edit: Edit) => Promise<string | null>
}

/** Some of them. */
export type Parts<Name extends keyof RunParts> = Pick<RunParts, Name>
/** The series where it is null without samples, or while they are loading. */
export type MaybeSeries = { readonly series: RunSeries | null }

/** Whether two answers have the same rows. */
export function isSameSamples(a: Samples, b: Samples): boolean {
  if (a === b) return true
  if (a.count !== b.count || a.pauses.length !== b.pauses.length) return false
  const columns = ['elapsedS', 'distanceM', 'lat', 'lon', 'elevationM', 'heartRateBpm', 'paceS', 'gapPaceS'] as const
  return columns.every((name) => {
    const other = b[name]
    return other === null ? a[name] === null : a[name]?.every((value, row) => value === other[row]) === true
  })
}

type Column = readonly (number | null)[] | null

/** Gaps up to this length are interpolated: some watches write a record only when a value changes. */
const BRIDGED_S = 20
const STEPS_PER_TURN = 2
/** Whole width of the smoothing window. */
const GAP_SMOOTHING_S = 30

/**
 * Columns for drawing. Short gaps are interpolated; in every pause without records an empty row is inserted, so that no
 * line is drawn across it.
 * @returns null without samples
 */
export function runSeries(samples: Samples): RunSeries | null {
  if (samples.elapsedS === null || samples.elapsedS.length === 0) return null
  const recordedS = samples.elapsedS.map((value) => value ?? Number.NaN)
  const emptyAt = emptyRows(recordedS, samples.pauses)
  const elapsedS = column(samples.elapsedS, emptyAt)!
  for (const { row, atS } of emptyAt.values()) elapsedS[row] = atS
  const distanceM = column(samples.distanceM, emptyAt)
  const bridged = (values: Column) => {
    const filled = column(values, emptyAt)
    if (filled !== null) bridgeGaps(elapsedS, filled, emptyAt)
    return filled
  }
  const givenGap = column(samples.gapPaceS, emptyAt)
  return {
    n: elapsedS.length,
    elapsedS,
    givenGap,
    distanceM: distanceM === null ? null : filledAscending(elapsedS, distanceM),
    lat: column(samples.lat, emptyAt),
    lon: column(samples.lon, emptyAt),
    metrics: {
      // not interpolated: its gaps are where the runner stood
      pace: column(samples.paceS, emptyAt),
      gap: givenGap === null ? null : smoothedPaces(elapsedS, givenGap, GAP_SMOOTHING_S),
      heartRate: bridged(samples.heartRateBpm),
      elevation: bridged(samples.elevationM),
      cadence: bridged(samples.cadenceRpm)?.map((turns) => turns * STEPS_PER_TURN) ?? null,
      power: bridged(samples.powerWatts),
      grade: bridged(samples.gradePercent),
      temperature: bridged(samples.temperatureC),
    },
  }
}

/** Empty rows by the recorded row that they precede: their index among the drawn rows, and their time. */
type EmptyRows = ReadonlyMap<number, { readonly row: number; readonly atS: number }>

function emptyRows(recordedS: readonly number[], pauses: readonly { startS: number; endS: number }[]): EmptyRows {
  const found = new Map<number, { row: number; atS: number }>()
  let next = 0
  for (const { startS, endS } of pauses) {
    while (next < recordedS.length && recordedS[next]! <= startS) next += 1
    const before = recordedS[next - 1]
    const after = recordedS[next]
    if (before === undefined || after === undefined || after < endS || found.has(next)) continue
    found.set(next, { row: next + found.size, atS: (Math.max(before, startS) + Math.min(after, endS)) / 2 })
  }
  return found
}

function column(values: Column, emptyAt: EmptyRows): Float64Array | null {
  if (values === null) return null
  const result = new Float64Array(values.length + emptyAt.size).fill(Number.NaN)
  let row = 0
  for (let i = 0; i < values.length; i += 1) {
    if (emptyAt.has(i)) row += 1
    result[row] = values[i] ?? Number.NaN
    row += 1
  }
  return result
}

/** Interpolates short gaps in place, except across empty rows. */
function bridgeGaps(elapsedS: Float64Array, values: Float64Array, broken: EmptyRows): void {
  const breaks = new Set([...broken.values()].map(({ row }) => row))
  let last = -1
  for (let i = 0; i < values.length; i += 1) {
    if (breaks.has(i)) last = -1
    if (Number.isNaN(values[i]!)) continue
    if (last >= 0 && i > last + 1 && elapsedS[i]! - elapsedS[last]! <= BRIDGED_S) fill(elapsedS, values, [last, i])
    last = i
  }
}

/** Interpolates all gaps in time; constant before the first and after the last value; never falling. */
export function filledAscending(elapsedS: Float64Array, values: Float64Array): Float64Array | null {
  const result = values.slice()
  let last = -1
  for (let i = 0; i < result.length; i += 1) {
    if (Number.isNaN(result[i]!)) continue
    if (last < 0) result.fill(result[i]!, 0, i)
    else {
      if (result[i]! < result[last]!) result[i] = result[last]!
      if (i > last + 1) fill(elapsedS, result, [last, i])
    }
    last = i
  }
  if (last < 0) return null
  result.fill(result[last]!, last)
  return result
}

function fill(axis: Float64Array, values: Float64Array, [from, to]: readonly [number, number]): void {
  const rise = (values[to]! - values[from]!) / (axis[to]! - axis[from]!)
  for (let k = from + 1; k < to; k += 1) values[k] = values[from]! + rise * (axis[k]! - axis[from]!)
}

/** The row with the nearest value. @param ascending not empty, never falling */
export function nearestRow(ascending: Float64Array, value: number): number {
  const low = Math.min(firstFrom(ascending, value), ascending.length - 1)
  return low > 0 && value - ascending[low - 1]! <= ascending[low]! - value ? low - 1 : low
}

/** Numbers of a stretch of the run; null: unknown. */
export interface SectionFigures {
  readonly seconds: number
  readonly metres: number | null
  readonly paceS: number | null
  readonly heartRateBpm: number | null
}

/**
 * Numbers between the rows nearest to the ends of a section; time and pace by the displayed clock, heart rate by its
 * records.
 */
export function sectionFigures(series: RunSeries, section: Section, clock: PaceClock): SectionFigures {
  const from = nearestRow(series.elapsedS, section.fromS)
  const to = nearestRow(series.elapsedS, section.toS)
  const seconds = secondsOf(series, section, { rows: [from, to], clock })
  const metres = series.distanceM === null ? null : series.distanceM[to]! - series.distanceM[from]!
  const { heartRate } = series.metrics
  return {
    seconds,
    metres,
    paceS: metres !== null && metres > 0 ? (seconds / metres) * 1000 : null,
    heartRateBpm: heartRate === null ? null : meanOverTime(series.elapsedS, heartRate, [from, to]),
  }
}

/** Seconds of a stretch by a clock; moving time that the service does not give is estimated from rows with a pace. */
function secondsOf(
  { elapsedS, metrics: { pace } }: RunSeries,
  { movingS = null }: Section,
  { rows: [from, to], clock }: { readonly rows: Rows; readonly clock: PaceClock },
): number {
  const wholeS = elapsedS[to]! - elapsedS[from]!
  if (clock === 'elapsed' || (movingS === null && pace === null)) return wholeS
  if (movingS !== null) return Math.min(wholeS, movingS)
  let standingS = 0
  for (let i = from; i < to; i += 1) {
    if (Number.isNaN(pace![i]!) || Number.isNaN(pace![i + 1]!)) standingS += elapsedS[i + 1]! - elapsedS[i]!
  }
  return wholeS - standingS
}

/** Mean of a metric over a stretch: for paces time over distance, for slope and altitude none. */
export function sectionMean(series: RunSeries, metric: Metric, section: Section, clock: PaceClock): number | null {
  const values = series.metrics[metric]
  if (values === null || metric === 'elevation' || metric === 'grade') return null
  if (metric === 'pace') return sectionFigures(series, section, clock).paceS
  const rows = [nearestRow(series.elapsedS, section.fromS), nearestRow(series.elapsedS, section.toS)] as const
  if (metric === 'gap') return meanGap(series, rows, secondsOf(series, section, { rows, clock }))
  // the mean counts only steps while moving
  const counted = metric === 'cadence' ? values.map((value) => (value > 0 ? value : Number.NaN)) : values
  return meanOverTime(series.elapsedS, counted, rows)
}

/** The time of a stretch over its grade-equivalent length. */
function meanGap({ distanceM, metrics: { pace }, givenGap: gap }: RunSeries, [from, to]: Rows, seconds: number) {
  if (distanceM === null || pace === null || gap === null) return null
  let metres = 0
  let equivalentM = 0
  for (let i = from; i < to; i += 1) {
    const stepM = distanceM[i + 1]! - distanceM[i]!
    const factor = pace[i]! / gap[i]!
    metres += stepM
    equivalentM += Number.isNaN(factor) ? stepM : stepM * factor
  }
  return equivalentM > 0 && metres > 0 ? (seconds / equivalentM) * 1000 : null
}

type Rows = readonly [from: number, to: number]

/** Mean of the known values, weighted by the time until the next row. */
function meanOverTime(elapsedS: Float64Array, values: Float64Array, [from, to]: Rows): number | null {
  let sum = 0
  let seconds = 0
  for (let i = from; i < to; i += 1) {
    if (Number.isNaN(values[i]!)) continue
    const heldS = Math.min(BRIDGED_S, elapsedS[i + 1]! - elapsedS[i]!)
    sum += values[i]! * heldS
    seconds += heldS
  }
  return seconds > 0 ? sum / seconds : null
}

/** Seconds with a heart rate below a limit, as those of zone 1. */
export function secondsBelow({ elapsedS, metrics: { heartRate } }: RunSeries, bpm: number): number {
  let seconds = 0
  for (let i = 0; i + 1 < elapsedS.length; i += 1) {
    if (heartRate !== null && heartRate[i]! < bpm) seconds += Math.min(BRIDGED_S, elapsedS[i + 1]! - elapsedS[i]!)
  }
  return Math.round(seconds)
}

/** A value holds until the next row, but at most this long, so not over pauses. */
const MOST_HELD_S = 20

/**
 * Smooths paces by the mean speed in a window around each row; a row without a pace stays without. O(n).
 * @param elapsedS ascending seconds
 * @param paces seconds per km, NaN is a gap
 * @param windowS seconds, half before and half after
 */
export function smoothedPaces(elapsedS: Float64Array, paces: Float64Array, windowS: number): Float64Array {
  const n = paces.length
  /** Prefix sums up to a row: seconds, and seconds times speed. */
  const seconds = new Float64Array(n + 1)
  const ways = new Float64Array(n + 1)
  for (let i = 0; i < n; i += 1) {
    const untilNext = i + 1 < n ? elapsedS[i + 1]! - elapsedS[i]! : elapsedS[i]! - (elapsedS[i - 1] ?? elapsedS[i]! - 1)
    const heldS = paces[i]! > 0 ? Math.min(MOST_HELD_S, untilNext) : 0
    seconds[i + 1] = seconds[i]! + heldS
    ways[i + 1] = ways[i]! + (heldS > 0 ? heldS / paces[i]! : 0)
  }
  const result = new Float64Array(n).fill(Number.NaN)
  let from = 0
  let to = 0
  for (let i = 0; i < n; i += 1) {
    while (elapsedS[from]! < elapsedS[i]! - windowS / 2) from += 1
    while (to < n && elapsedS[to]! <= elapsedS[i]! + windowS / 2) to += 1
    if (Number.isNaN(paces[i]!)) continue
    const way = ways[to]! - ways[from]!
    result[i] = way > 0 ? (seconds[to]! - seconds[from]!) / way : paces[i]!
  }
  return result
}

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
  if (metric === 'pace' || metric === 'gap') {
    const value = known === null ? NO_VALUE : duration(known * perUnit(metric, units))
    return { value, unit: units === 'metric' ? '/km' : '/mi' }
  }
  if (metric === 'elevation') return elevation(known, units)
  if (metric === 'temperature') return temperature(known, units)
  return { value: number(known, metric === 'grade' ? 1 : 0), unit: UNITS[metric] }
}

const UNITS = { heartRate: 'bpm', cadence: 'spm', power: 'W', grade: '%' } as const

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
  const unitM = isShort ? (units === 'metric' ? 1 : METRES_PER_FOOT) : unitLengthM(units)
  const unit = isShort ? (units === 'metric' ? 'm' : 'ft') : distanceUnit(units)
  const range = (to - from) / unitM
  const step = isShort ? Math.max(1, decimalStep(range, most)) : decimalStep(range, most)
  const digits = step >= 1 && step % 1 === 0 ? 0 : step * 10 === Math.round(step * 10) ? 1 : 2
  const shown = ticksBetween(from / unitM, to / unitM, step)
  return { values: shown.map((value) => value * unitM), labels: shown.map((value) => number(value, digits)), unit }
}

/** Steps for axes of times, seconds. */
const CLOCK_STEPS_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400,
]

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
