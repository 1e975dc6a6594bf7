import { MAX_ROWS } from '../../engine/limits.ts'
import { type FieldDefinition, isWhole, readNumber } from './values.ts'

/** Record messages in columns of equal length, in file order; NaN is a gap. */
export interface FitRecords {
  readonly n: number
  /** Seconds since 1989-12-31 UTC; below 0x10000000 seconds since the device was switched on. */
  readonly timestampS: Float64Array
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
  readonly altitudeM: Float64Array
  readonly distanceM: Float64Array
  readonly speedMps: Float64Array
  /** As written: 0 is kept. */
  readonly heartRateBpm: Float64Array
  readonly cadenceRpm: Float64Array
  readonly powerW: Float64Array
  readonly temperatureC: Float64Array
}

/** All that can be stored but the one that may be inserted at the start; a hostile file can declare far more. */
const MAX_RECORDS = MAX_ROWS - 1

/** Raw altitude 0 means that the device has no altitude (docs/algorithms.md 0). */
export const NO_ALTITUDE_M = -500

const TIMESTAMP = 0
const LAT = 1
const LON = 2
const ALTITUDE = 3
const DISTANCE = 4
const SPEED = 5
const HEART_RATE = 6
const CADENCE = 7
const POWER = 8
const TEMPERATURE = 9
/** Field number used for power written by a Connect IQ app; it counts only where the device wrote no power itself. */
const DEVELOPER_POWER = 10
const COLUMNS = 11

/** Column value = raw * factor / scale - offset; `add` adds it to the value that is there. */
interface RecordField {
  readonly column: number
  readonly factor?: number
  readonly scale?: number
  readonly offset?: number
  readonly add?: boolean
}

/** Exact in binary, so that every position is the double nearest to its value in semicircles. */
const DEGREES_PER_SEMICIRCLE = 180 / 2 ** 31

/** In order of writing: of two fields for one column the later wins where valid (enhanced over plain). */
const RECORD_FIELDS: readonly (readonly [num: number, field: RecordField])[] = [
  [0, { column: LAT, factor: DEGREES_PER_SEMICIRCLE }],
  [1, { column: LON, factor: DEGREES_PER_SEMICIRCLE }],
  [2, { column: ALTITUDE, scale: 5, offset: 500 }],
  [78, { column: ALTITUDE, scale: 5, offset: 500 }],
  [5, { column: DISTANCE, scale: 100 }],
  [6, { column: SPEED, scale: 1000 }],
  [73, { column: SPEED, scale: 1000 }],
  [3, { column: HEART_RATE }],
  [52, { column: CADENCE, scale: 256 }],
  [4, { column: CADENCE }],
  [53, { column: CADENCE, scale: 128, add: true }],
  [7, { column: POWER }],
  [13, { column: TEMPERATURE }],
]
const COMPRESSED_SPEED_DISTANCE = 8

interface Step extends Required<RecordField> {
  readonly at: number
  readonly type: number
}

export interface RecordPlan {
  readonly littleEndian: boolean
  readonly steps: readonly Step[]
  /** Offset of the three bytes of compressed_speed_distance; -1: none. */
  readonly compressedAt: number
}

/** A developer field with power, as its field_description declares it. */
export interface DeveloperPower {
  readonly field: FieldDefinition
  readonly scale: number
  readonly offset: number
}

/** Plans the reading of records with these fields. @param power a developer field with power */
export function recordPlan(
  fields: readonly FieldDefinition[],
  littleEndian: boolean,
  power: DeveloperPower | null,
): RecordPlan {
  const whole = fields.filter(isWhole)
  const steps: Step[] = []
  for (const [num, { column, factor = 1, scale = 1, offset = 0, add = false }] of RECORD_FIELDS) {
    const field = whole.find((one) => one.num === num)
    if (field) steps.push({ column, at: field.offset, type: field.type, factor, scale, offset, add })
  }
  if (power !== null && isWhole(power.field)) {
    const { field, scale, offset } = power
    steps.push({ column: DEVELOPER_POWER, at: field.offset, type: field.type, factor: 1, scale, offset, add: false })
  }
  const compressed = fields.find((one) => one.num === COMPRESSED_SPEED_DISTANCE && one.size >= 3)
  return { littleEndian, steps, compressedAt: compressed?.offset ?? -1 }
}

/** From here on the length of the file says how many rows there will be; a day has 86,400. */
const LONG_ROWS = 131_072
/** Rows are a little denser at the end of a file, where no messages of the beginning are. */
const EXPECTED_MARGIN = 1.02
/** Where a file has more rows than expected, its columns are not copied again for each few. */
const LEAST_GROWTH = 1.25

export class RecordTable {
  n = 0
  readonly #view: DataView
  /** Initial capacity, enough for an hour at 1 Hz. */
  #capacity = 4096
  #columns: Float64Array[] = []
  #hasNativePower = false
  #distanceSixteenths = 0
  #hasCompressedDistance = false

  constructor(view: DataView) {
    this.#view = view
    this.#grow()
  }

  get isFull(): boolean {
    return this.n >= MAX_RECORDS
  }

  /** Restarts the rollover of compressed distance, for the next chained file. */
  restartDistance(): void {
    this.#distanceSixteenths = 0
    this.#hasCompressedDistance = false
  }

  /** Adds one record, complete from position `at` on. @param timestampS NaN: no time */
  add(plan: RecordPlan, at: number, timestampS: number): void {
    if (this.n === this.#capacity) {
      this.#capacity = this.#nextCapacity(at)
      this.#grow()
    }
    const row = this.n
    const columns = this.#columns
    this.n = row + 1
    columns[TIMESTAMP]![row] = timestampS
    if (plan.compressedAt >= 0) this.#addCompressed(at + plan.compressedAt, row)
    const { steps, littleEndian } = plan
    for (let i = 0; i < steps.length; i += 1) {
      const step = steps[i]!
      const raw = readNumber(this.#view, at + step.at, step.type, littleEndian)
      if (Number.isNaN(raw)) continue
      const value = (raw * step.factor) / step.scale - step.offset
      const column = columns[step.column]!
      if (step.add) column[row]! += value
      else column[row] = value
      if (step.column === POWER) this.#hasNativePower = true
    }
  }

  /** The columns, cut to the rows present; the table must not be used afterwards. */
  finish(): FitRecords {
    const column = (index: number) => this.#columns[index]!.subarray(0, this.n)
    return {
      n: this.n,
      timestampS: column(TIMESTAMP),
      latDeg: column(LAT),
      lonDeg: column(LON),
      altitudeM: column(ALTITUDE),
      distanceM: column(DISTANCE),
      speedMps: column(SPEED),
      heartRateBpm: column(HEART_RATE),
      cadenceRpm: column(CADENCE),
      powerW: column(this.#hasNativePower ? POWER : DEVELOPER_POWER),
      temperatureC: column(TEMPERATURE),
    }
  }

  /**
   * 12 bits of speed (1/100 m/s) and 12 of distance (1/16 m), which roll over every 256 m; 0xffffff means no value.
   * Written before the plain fields, which overwrite it.
   */
  #addCompressed(at: number, row: number): void {
    const low = this.#view.getUint8(at)
    const middle = this.#view.getUint8(at + 1)
    const high = this.#view.getUint8(at + 2)
    if (low === 0xff && middle === 0xff && high === 0xff) return
    const speed = low | ((middle & 0x0f) << 8)
    const distance = (middle >> 4) | (high << 4)
    const grown = (distance - (this.#distanceSixteenths & 0xfff)) & 0xfff
    this.#distanceSixteenths = this.#hasCompressedDistance ? this.#distanceSixteenths + grown : distance
    this.#hasCompressedDistance = true
    if (speed !== 0xfff) this.#columns[SPEED]![row] = speed / 100
    this.#columns[DISTANCE]![row] = this.#distanceSixteenths / 16
  }

  /** Doubled; for a long file what it will need if it continues as it began, so that columns are copied while short. */
  #nextCapacity(at: number): number {
    if (this.n < LONG_ROWS) return 2 * this.#capacity
    const expected = Math.ceil(((this.n * this.#view.byteLength) / at) * EXPECTED_MARGIN)
    return Math.min(MAX_RECORDS, Math.max(expected, Math.ceil(LEAST_GROWTH * this.#capacity)))
  }

  #grow(): void {
    const old = this.#columns
    this.#columns = []
    for (let index = 0; index < COLUMNS; index += 1) {
      const column = new Float64Array(this.#capacity).fill(Number.NaN)
      const filled = old[index]
      if (filled !== undefined) column.set(filled)
      this.#columns.push(column)
    }
  }
}
