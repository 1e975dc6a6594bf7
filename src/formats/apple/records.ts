import { gathered } from '../../engine/gather.ts'
import { NO_READINGS, type Readings } from '../readings.ts'
import { sortByTime } from '../table/merged.ts'
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
