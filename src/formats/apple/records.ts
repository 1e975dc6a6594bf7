import { gathered } from '../../engine/gather.ts'
import { sortByTime, type TimedColumns } from '../table/merged.ts'
import type { PointColumn } from '../table/points.ts'
import { Rows } from '../table/rows.ts'
import type { XmlAttributes } from '../xml/text.ts'
import { appleTimeAt, factorOf, UNITS } from './values.ts'
import { type AppleWorkout, QUANTITY } from './workout.ts'

// Readings of a run, which an Apple Health export holds apart from its workout.

export const RECORD_WORDS = ['Record', 'type', 'unit', 'value', 'sourceName', 'startDate', 'endDate']

const QUANTITIES = {
  HeartRate: UNITS.rate,
  RunningPower: UNITS.power,
  RunningSpeed: UNITS.speed,
  DistanceWalkingRunning: UNITS.length,
  StepCount: UNITS.count,
} as const
type Quantity = keyof typeof QUANTITIES

/** Whole types of the records that are read. */
export const RECORD_TYPES: readonly string[] = Object.keys(QUANTITIES).map((name) => `${QUANTITY}${name}`)

/** A shorter interval gives no cadence: its steps are rounded to whole ones. */
const SHORTEST_MS = 1000

/** The records of a run, by quantity. Sources are numbered in the order of their first record. */
export class AppleRecords {
  private readonly rows = new Map<string, Rows<'startMs' | 'endMs' | 'value' | 'source'>>()
  private readonly sources = new Map<string, number>()

  add(attributes: XmlAttributes): void {
    const name = (attributes.raw('type') ?? '').slice(QUANTITY.length)
    if (!Object.hasOwn(QUANTITIES, name)) return
    const startMs = attributes.timeMs('startDate', appleTimeAt)
    const endMs = attributes.timeMs('endDate', appleTimeAt)
    const value = attributes.number('value') * factorOf(attributes.raw('unit'), QUANTITIES[name as Quantity])
    if (!(value >= 0 && endMs >= startMs)) return
    let rows = this.rows.get(name)
    if (rows === undefined) {
      rows = new Rows('startMs', 'endMs', 'value', 'source')
      this.rows.set(name, rows)
    }
    rows.add({ startMs, endMs, value, source: this.sourceOf(attributes.raw('sourceName') ?? '') })
  }

  private sourceOf(name: string): number {
    const known = this.sources.get(name)
    if (known !== undefined) return known
    this.sources.set(name, this.sources.size)
    return this.sources.size - 1
  }

  /**
   * The readings of one quantity within the run in order of time, all of one source: that of the workout, else the
   * watch, else the one with most of them.
   */
  of(quantity: Quantity, workout: AppleWorkout): Readings {
    const rows = this.rows.get(quantity)
    if (rows === undefined) return NO_READINGS
    const [startMs, endMs, source] = [rows.column('startMs'), rows.column('endMs'), rows.column('source')]
    const within: number[] = []
    const counts = new Map<number, number>()
    for (let row = 0; row < rows.n; row += 1) {
      if (!(endMs[row]! >= workout.startMs && startMs[row]! < workout.endMs + 1000)) continue
      within.push(row)
      counts.set(source[row]!, (counts.get(source[row]!) ?? 0) + 1)
    }
    const best = this.bestOf(counts, workout.rawSource)
    const kept = Uint32Array.from(within.filter((row) => source[row] === best))
    sortByTime(kept, startMs)
    return {
      startMs: gathered(startMs, kept),
      endMs: gathered(endMs, kept),
      value: gathered(rows.column('value'), kept),
    }
  }

  private bestOf(counts: ReadonlyMap<number, number>, own: string): number | undefined {
    const names = [...this.sources.keys()]
    const rank = (source: number) => (names[source] === own ? 2 : /watch/i.test(names[source]!) ? 1 : 0)
    return [...counts].toSorted(([a, m], [b, n]) => rank(b) - rank(a) || n - m || a - b)[0]?.[0]
  }
}

/** Values and the intervals that they are of, Unix milliseconds; columns of equal length. */
export interface Readings {
  readonly startMs: Float64Array
  readonly endMs: Float64Array
  readonly value: Float64Array
}

const NO_READINGS: Readings = { startMs: new Float64Array(), endMs: new Float64Array(), value: new Float64Array() }

/** Values as a column at the times where their intervals begin; none lies before the run. */
export function columnOf(name: PointColumn, { startMs, value }: Readings, fromMs: number): TimedColumns {
  return { timeMs: startMs.map((ms) => Math.max(ms, fromMs)), columns: [[name, value]] }
}

/** Cadence from counts of steps: steps of one foot a minute. */
export function cadences({ startMs, endMs, value }: Readings, fromMs: number): TimedColumns {
  const cadence = value.map((steps, k) => {
    const lastsMs = endMs[k]! - startMs[k]!
    return lastsMs < SHORTEST_MS ? Number.NaN : ((steps / lastsMs) * 60_000) / 2
  })
  return columnOf('cadence', { startMs, endMs, value: cadence }, fromMs)
}

type Span = Pick<AppleWorkout, 'startMs' | 'endMs'>

/** Of a record over the beginning or the end of the run, the part within it. */
export function shareWithin(fromMs: number, toMs: number, { startMs, endMs }: Span): number {
  return toMs > fromMs ? Math.max(0, Math.min(toMs, endMs) - Math.max(fromMs, startMs)) / (toMs - fromMs) : 1
}

/** The cumulative distance, scaled to the total where that is likely to be of the same metres, NaN: not stated. */
export function distances(metres: Readings, run: Span, totalM: number): TimedColumns {
  const n = metres.value.length
  const [starts, ends, parts] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  let sumM = 0
  let afterMs = run.startMs
  for (let k = 0; k < n; k += 1) {
    const [from, to] = [metres.startMs[k]!, metres.endMs[k]!]
    starts[k] = Math.max(from, afterMs)
    ends[k] = Math.max(starts[k]!, Math.min(to, run.endMs))
    parts[k] = metres.value[k]! * shareWithin(from, to, run)
    sumM += parts[k]!
    afterMs = ends[k]!
  }
  const factor = totalM / sumM >= 0.5 && totalM / sumM <= 2 ? totalM / sumM : 1
  const [timeMs, distanceM] = [new Float64Array(2 * n), new Float64Array(2 * n)]
  let reachedM = 0
  for (let k = 0; k < n; k += 1) {
    timeMs.set([starts[k]!, ends[k]!], 2 * k)
    distanceM[2 * k] = reachedM
    reachedM += parts[k]! * factor
    distanceM[2 * k + 1] = reachedM
  }
  return { timeMs, columns: [['distanceM', distanceM]] }
}
