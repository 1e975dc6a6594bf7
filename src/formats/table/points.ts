import { gathered, rowNumbers } from '../../engine/gather.ts'
import { isHeartRate, isPosition } from '../../engine/grid.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import type { ElevationSource, RecordedSamples } from '../../engine/track.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { tooManyPoints } from '../format.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'

/** Values that text formats write per point; cadence as written, counting one foot or both. */
const COLUMNS = [
  'timeMs',
  'latDeg',
  'lonDeg',
  'elevM',
  'distanceM',
  'heartRateBpm',
  'cadence',
  'powerW',
  'temperatureC',
  'speedMps',
  'segment',
] as const

/** A point with none of these and no position carries no information (docs/algorithms.md 0). */
const MEASURED = ['distanceM', 'heartRateBpm', 'cadence', 'powerW', 'elevM'] as const

export type PointColumn = (typeof COLUMNS)[number]

interface RecordingOptions {
  readonly elevationSource: ElevationSource
  readonly indoor: boolean
  readonly hasSegments: boolean
}

/** A value of a list of its own belongs to points this close to it. */
const LONGEST_HELD_MS = 10_000
/** Small, since a file may hold thousands of activities of a few points each. */
const FIRST_CAPACITY = 64

/** Largest distance from 1970 that a Date can represent, milliseconds. */
const MOST_MS = 8.64e15

/** The points of a file in columns, as read. Parsers set values in `next` and call `add`. */
export class PointTable {
  /** The point being read; NaN is a missing value. */
  readonly next = byColumn((name) => (name === 'segment' ? 0 : Number.NaN))
  n = 0
  private capacity = FIRST_CAPACITY
  /** A column is allocated at its first value, since most files fill only a third of the columns. */
  private readonly columns = byColumn(() => new Float64Array(0))
  private gaps = new Float64Array(0)

  /** Stores `next` and clears it, except for its segment. @throws FormatError when there are more than can be stored */
  add(): void {
    if (this.n === MAX_ROWS - 1) throw tooManyPoints()
    if (this.n === this.capacity) this.capacity *= 2
    const { n, next, columns } = this
    for (const name of COLUMNS) {
      const value = next[name]
      // columns are pre-filled with gaps
      if (Number.isNaN(value)) continue
      const column = columns[name]
      if (n < column.length) column[n] = value
      else this.grown(name)[n] = value
      if (name !== 'segment') next[name] = Number.NaN
    }
    this.n++
  }

  /** Read-only: all columns without values share one array. */
  column(name: PointColumn): Float64Array {
    const column = this.columns[name]
    if (column.length > 0) return (column.length < this.n ? this.grown(name) : column).subarray(0, this.n)
    if (this.gaps.length !== this.n) this.gaps = new Float64Array(this.n).fill(Number.NaN)
    return this.gaps
  }

  /** Gives the points that lack a value that of a list, by the nearest time within 10 s. @param held in order of time */
  heldAt(name: PointColumn, held: readonly (readonly [timeMs: number, value: number])[]): void {
    if (held.length === 0) return
    const timeMs = this.column('timeMs')
    const column = this.grown(name)
    let next = 0
    for (let row = 0; row < this.n; row++) {
      while (
        next + 1 < held.length &&
        Math.abs(held[next + 1]![0] - timeMs[row]!) <= Math.abs(held[next]![0] - timeMs[row]!)
      ) {
        next++
      }
      const [atMs, value] = held[next]!
      if (Number.isNaN(column[row]!) && Math.abs(atMs - timeMs[row]!) <= LONGEST_HELD_MS) column[row] = value
    }
  }

  private grown(name: PointColumn): Float64Array {
    const column = new Float64Array(this.capacity).fill(Number.NaN)
    column.set(this.columns[name])
    this.columns[name] = column
    return column
  }

  hasTime(row: number): boolean {
    return Math.abs(this.columns.timeMs[row] ?? Number.NaN) <= MOST_MS
  }

  rowsWhere(passes: (row: number) => boolean): Uint32Array {
    return rowNumbers(this.n).filter(passes)
  }

  /** A position on the globe: both coordinates, in range. */
  hasPosition(row: number): boolean {
    return isPosition(this.columns.latDeg[row] ?? Number.NaN, this.columns.lonDeg[row] ?? Number.NaN)
  }

  /** Any of position, distance, heart rate, cadence, power, elevation (docs/algorithms.md 0). */
  hasData(row: number): boolean {
    return this.hasPosition(row) || MEASURED.some((name) => Number.isFinite(this.columns[name][row] ?? Number.NaN))
  }

  /** The rows as columns for the engine, read-only; impossible values become gaps, heart rates whole beats. */
  recording(rows: Uint32Array, options: RecordingOptions): RecordedSamples {
    const pick = (name: PointColumn, clean: (value: number, row: number) => number) => {
      const source = this.column(name)
      // when all rows are taken unchanged, the column need not be copied
      if (rows.length === this.n && isClean(source, clean)) return source
      const column = new Float64Array(rows.length)
      for (let i = 0; i < rows.length; i++) column[i] = clean(source[rows[i]!]!, rows[i]!)
      return column
    }
    const placed = (value: number, row: number) => (this.hasPosition(row) ? value : Number.NaN)
    return {
      n: rows.length,
      timeMs: pick('timeMs', (ms) => ms),
      latDeg: pick('latDeg', placed),
      lonDeg: pick('lonDeg', placed),
      elevM: pick('elevM', (value) => (Math.abs(value) < NUMBER_LIMITS.elevM ? value : Number.NaN)),
      distanceM: pick('distanceM', notNegative),
      heartRateBpm: pick('heartRateBpm', heartRate),
      cadenceRpm: pick('cadence', (value) => (value >= 0 && value < NUMBER_LIMITS.cadence ? value : Number.NaN)),
      powerW: pick('powerW', (value) => (value >= 0 && value < NUMBER_LIMITS.powerW ? value : Number.NaN)),
      temperatureC: pick('temperatureC', (value) => (Math.abs(value) < 100 ? value : Number.NaN)),
      speedMps: pick('speedMps', notNegative),
      segment: options.hasSegments ? Int32Array.from(gathered(this.column('segment'), rows)) : null,
      startMs: null,
      timerOffMs: [],
      elevationSource: options.elevationSource,
      indoor: options.indoor,
      positionUnit: 'e7',
    }
  }

  /** Earliest time of the given rows, Unix milliseconds; NaN without rows. */
  firstTimeMs(rows: Uint32Array): number {
    const timeMs = this.column('timeMs')
    let first = Number.NaN
    for (const row of rows) {
      const time = timeMs[row]!
      if (time < first || Number.isNaN(first)) first = time
    }
    return first
  }
}

function byColumn<T>(value: (name: PointColumn) => T): Record<PointColumn, T> {
  return Object.fromEntries(COLUMNS.map((name) => [name, value(name)])) as Record<PointColumn, T>
}

function isClean(values: Float64Array, clean: (value: number, row: number) => number): boolean {
  for (let i = 0; i < values.length; i++) if (!Object.is(clean(values[i]!, i), values[i])) return false
  return true
}

function notNegative(value: number): number {
  return value >= 0 && value < NUMBER_LIMITS.amount ? value : Number.NaN
}

function heartRate(value: number): number {
  const beats = roundHalfUp(value)
  return isHeartRate(beats) ? beats : Number.NaN
}
