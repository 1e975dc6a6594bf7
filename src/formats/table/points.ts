import { MAX_ROWS } from '../../engine/codec.ts'
import { gathered } from '../../engine/gather.ts'
import { isHeartRate, isPosition } from '../../engine/grid.ts'
import type { ElevationSource, Recording } from '../../engine/track.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { FormatError } from '../format.ts'
import { TEXT_LIMITS } from '../text-limits.ts'

/** What a text file may write of a point; cadence as written, of one foot or both. */
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

export type PointColumn = (typeof COLUMNS)[number]

/** What the whole file says of its points. */
export interface RecordingOptions {
  readonly elevationSource: ElevationSource
  readonly indoor: boolean
  readonly hasSegments: boolean
}

/** The points of a file in columns, as read. Callers fill `next` and `add` it. */
export class PointTable {
  /** The point being read; NaN is a missing value. */
  readonly next = byColumn((name) => (name === 'segment' ? 0 : Number.NaN))
  private readonly columns = byColumn((): number[] => [])

  get n(): number {
    return this.columns.timeMs.length
  }

  /**
   * Stores `next` and empties it, but for its segment.
   * @throws FormatError when the file has more points than can be stored with a row put before the first
   */
  add(): void {
    if (this.n === MAX_ROWS - 1) throw new FormatError(`The file has ${MAX_ROWS.toLocaleString('en')} points or more`)
    for (const name of COLUMNS) {
      this.columns[name].push(this.next[name])
      if (name !== 'segment') this.next[name] = Number.NaN
    }
  }

  column(name: PointColumn): readonly number[] {
    return this.columns[name]
  }

  hasTime(row: number): boolean {
    return Number.isFinite(this.columns.timeMs[row])
  }

  /** Those of its rows that pass, in file order. */
  rowsWhere(passes: (row: number) => boolean): number[] {
    const rows: number[] = []
    for (let row = 0; row < this.n; row++) if (passes(row)) rows.push(row)
    return rows
  }

  /** A position on the globe: both coordinates, in range. */
  hasPosition(row: number): boolean {
    return isPosition(this.columns.latDeg[row]!, this.columns.lonDeg[row]!)
  }

  /** Any of position, distance, heart rate, cadence, power, elevation (ALGORITHMS 0). */
  hasData(row: number): boolean {
    const { distanceM, heartRateBpm, cadence, powerW, elevM } = this.columns
    return (
      this.hasPosition(row) ||
      [distanceM, heartRateBpm, cadence, powerW, elevM].some((column) => Number.isFinite(column[row]))
    )
  }

  /**
   * The given rows as columns for the engine. Heart rates of 0 and from 255 and everything negative where nothing can be are gaps; whole beats,
   * half up.
   */
  recording(rows: readonly number[], options: RecordingOptions): Recording {
    const pick = (name: PointColumn, clean: (value: number) => number) => {
      const source = this.columns[name]
      const column = new Float64Array(rows.length)
      for (let i = 0; i < rows.length; i++) column[i] = clean(source[rows[i]!]!)
      return column
    }
    const position = (name: 'latDeg' | 'lonDeg') => {
      const column = gathered(this.columns[name], rows)
      for (let i = 0; i < rows.length; i++) if (!this.hasPosition(rows[i]!)) column[i] = Number.NaN
      return column
    }
    return {
      n: rows.length,
      timeMs: pick('timeMs', asIs),
      latDeg: position('latDeg'),
      lonDeg: position('lonDeg'),
      elevM: pick('elevM', (value) => (Math.abs(value) < TEXT_LIMITS.elevM ? value : Number.NaN)),
      distanceM: pick('distanceM', notNegative),
      heartRateBpm: pick('heartRateBpm', heartRate),
      cadenceRpm: pick('cadence', (value) => (value >= 0 && value < TEXT_LIMITS.cadence ? value : Number.NaN)),
      powerW: pick('powerW', (value) => (value >= 0 && value < TEXT_LIMITS.powerW ? value : Number.NaN)),
      temperatureC: pick('temperatureC', (value) => (Math.abs(value) < 100 ? value : Number.NaN)),
      speedMps: pick('speedMps', notNegative),
      segment: options.hasSegments ? Int32Array.from(rows, (row) => this.columns.segment[row]!) : null,
      startMs: null,
      timerOffMs: [],
      cadenceUnit: 'unknown',
      elevationSource: options.elevationSource,
      indoor: options.indoor,
      positionUnit: 'e7',
    }
  }

  /** Earliest time of the given rows, Unix milliseconds; NaN without rows. */
  firstTimeMs(rows: readonly number[]): number {
    let first = Number.NaN
    for (const row of rows) {
      const time = this.columns.timeMs[row]!
      if (time < first || Number.isNaN(first)) first = time
    }
    return first
  }
}

function byColumn<T>(value: (name: PointColumn) => T): Record<PointColumn, T> {
  return Object.fromEntries(COLUMNS.map((name) => [name, value(name)])) as Record<PointColumn, T>
}

function asIs(value: number): number {
  return value
}

function notNegative(value: number): number {
  return value >= 0 && value < TEXT_LIMITS.amount ? value : Number.NaN
}

function heartRate(value: number): number {
  const beats = roundHalfUp(value)
  return isHeartRate(beats) ? beats : Number.NaN
}
