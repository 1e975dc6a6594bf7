import { firstFrom } from '../../../engine/gather.ts'
import type { PaceClock } from '../../shown-pace.ts'
import type { Samples, Section } from '../types.ts'
import { smoothedPaces } from './smooth.ts'

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
    if (filled !== null) bridgeGaps(elapsedS, filled, { mostS: BRIDGED_S, broken: emptyAt })
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

interface EmptyRow {
  /** Index among the drawn rows. */
  readonly row: number
  readonly atS: number
}

/** Empty rows by the recorded row that they precede. */
type EmptyRows = ReadonlyMap<number, EmptyRow>

function emptyRows(recordedS: readonly number[], pauses: readonly { startS: number; endS: number }[]): EmptyRows {
  const found = new Map<number, EmptyRow>()
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

/** Interpolates gaps of at most `mostS` seconds in place, except across empty rows. */
function bridgeGaps(
  elapsedS: Float64Array,
  values: Float64Array,
  { mostS, broken }: { readonly mostS: number; readonly broken: EmptyRows },
): void {
  const breaks = new Set([...broken.values()].map(({ row }) => row))
  let last = -1
  for (let i = 0; i < values.length; i += 1) {
    if (breaks.has(i)) last = -1
    if (Number.isNaN(values[i]!)) continue
    if (last >= 0 && i > last + 1 && elapsedS[i]! - elapsedS[last]! <= mostS) fill(elapsedS, values, [last, i])
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
  return meanOverTime(series.elapsedS, metric === 'cadence' ? withoutZeros(values) : values, rows)
}

/** Without zeros, so that the mean counts only steps while moving. */
function withoutZeros(values: Float64Array): Float64Array {
  return values.map((value) => (value > 0 ? value : Number.NaN))
}

/** The time of a stretch over its grade-equivalent length. */
function meanGap(
  { distanceM, metrics: { pace }, givenGap: gap }: RunSeries,
  [from, to]: Rows,
  seconds: number,
): number | null {
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
function meanOverTime(
  elapsedS: Float64Array,
  values: Float64Array,
  [from, to]: readonly [number, number],
): number | null {
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
