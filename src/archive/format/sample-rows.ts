import { rowsWith } from '../../engine/gather.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import type { SampleColumns, Track } from '../../engine/track.ts'
import { roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import { derivedIds, numberOf, type Row } from './fields.ts'

/** Decimals of a position: finer than FIT's semicircles and text files (docs/api.md 1.2). */
export const POSITION_DECIMALS = 9

/** The measured members of a sample row, with the decimals that other programs accept. */
const COLUMNS = [
  ['distanceM', 'distanceM', 3],
  ['heartRateBpm', 'heartRateBpm', 0],
  ['cadenceRpm', 'cadenceRpm', 0],
  ['powerWatts', 'powerW', 0],
  ['speedMps', 'speedMps', 3],
  ['elevationM', 'elevM', 2],
  ['temperatureC', 'temperatureC', 0],
  ['lat', 'latDeg', POSITION_DECIMALS],
  ['lon', 'lonDeg', POSITION_DECIMALS],
] as const satisfies readonly (readonly [field: string, column: keyof SampleColumns, decimals: number])[]

/** The members of a sample row that a restore reads; the others are derived. */
export const SAMPLE_FIELDS: readonly string[] = [
  'workoutId',
  'elapsedSeconds',
  'elapsedMs',
  ...COLUMNS.map(([field]) => field),
]

/** Rows per piece of text, about 80 KB. */
const ROWS_A_PIECE = 256

/**
 * The rows of `time-series.json` of one workout as JSON texts, without the commas between them; one row per stored
 * sample. Grade and vertical speed are null: Tempo stores them, Harrier computes them where it needs them.
 */
export function* sampleTexts(workoutId: string, track: Track): Generator<string> {
  const id = derivedIds(workoutId, 'sample')
  for (let from = 0; from < track.n; from += ROWS_A_PIECE) {
    const rows: string[] = []
    for (let i = from; i < Math.min(track.n, from + ROWS_A_PIECE); i += 1) {
      const row = {
        id: id(i),
        workoutId,
        elapsedSeconds: roundHalfUp(track.tS[i]!),
        distanceM: roundedOrNull(track.distanceM[i]!, 3),
        heartRateBpm: roundedOrNull(track.heartRateBpm[i]!, 0),
        cadenceRpm: roundedOrNull(track.cadenceRpm[i]!, 0),
        powerWatts: roundedOrNull(track.powerW[i]!, 0),
        speedMps: roundedOrNull(track.speedMps[i]!, 3),
        gradePercent: null,
        elevationM: roundedOrNull(track.elevM[i]!, 2),
        temperatureC: roundedOrNull(track.temperatureC[i]!, 0),
        verticalSpeedMps: null,
        elapsedMs: roundHalfUp(track.tS[i]! * 1000),
        lat: roundedOrNull(track.latDeg[i]!, POSITION_DECIMALS),
        lon: roundedOrNull(track.lonDeg[i]!, POSITION_DECIMALS),
        workout: null,
      }
      rows.push(JSON.stringify(row))
    }
    yield rows.join(',\n')
  }
}

const WIDTH = COLUMNS.length + 1
const [LAT, LON] = [WIDTH - 2, WIDTH - 1]
const FIRST_ROWS = 64

/** Collects the samples of one workout row by row, before they are packed. */
export class SampleRows {
  count = 0
  private positions = 0
  /** Per row: elapsed milliseconds, then the columns; NaN is a gap. */
  private values = new Float64Array(FIRST_ROWS * WIDTH)

  /** @returns false for a row without a time */
  add(row: Row): boolean {
    const elapsedMs = numberOf(row.elapsedMs) ?? (numberOf(row.elapsedSeconds) ?? Number.NaN) * 1000
    if (!(Math.abs(elapsedMs) <= 8.64e15)) return false
    if ((this.count + 1) * WIDTH > this.values.length) {
      const larger = new Float64Array(this.values.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    let at = this.count * WIDTH
    this.values[at] = elapsedMs
    for (const [field] of COLUMNS) {
      at += 1
      this.values[at] = numberOf(row[field]) ?? Number.NaN
    }
    const begin = this.count * WIDTH
    if (!Number.isNaN(this.values[begin + LAT]! + this.values[begin + LON]!)) this.positions += 1
    this.count += 1
    return true
  }

  /** Whether the rows have a route: at least two positions. */
  get isPositioned(): boolean {
    return this.positions >= 2
  }

  packed(): Uint8Array {
    const bytes = new Uint8Array(this.values.buffer, 0, this.count * WIDTH * 8)
    return Bun.zstdCompressSync(bytes, { level: 1 })
  }
}

/** Samples in order of time, as columns; NaN is a gap. */
export interface SampleTable extends SampleColumns {
  readonly n: number
  readonly elapsedMs: Float64Array
}

/** Whether there are at least two positions. */
export function hasRoute({ latDeg, lonDeg }: Pick<SampleColumns, 'latDeg' | 'lonDeg'>): boolean {
  return rowsWith(latDeg, lonDeg).length >= 2
}

/** @returns null for more rows than a workout can have */
export function sampleTable(packed: Iterable<{ readonly body: Uint8Array }>): SampleTable | null {
  const blocks: Float64Array[] = []
  let n = 0
  for (const { body } of packed) {
    // copied, since a Float64Array must begin at a multiple of eight bytes
    const bytes = new Uint8Array(Bun.zstdDecompressSync(body))
    const block = new Float64Array(bytes.buffer, 0, bytes.length / 8)
    blocks.push(block)
    n += block.length / WIDTH
    if (n > MAX_ROWS) return null
  }
  const elapsedMs = unpacked(blocks, n, 0)
  const order = orderOf(elapsedMs)
  const inOrder = (values: Float64Array) =>
    order === null ? values : new Float64Array(n).map((_, i) => values[order[i]!]!)
  return { n, elapsedMs: inOrder(elapsedMs), ...columnsBy((k) => inOrder(unpacked(blocks, n, k + 1))) }
}

function unpacked(blocks: readonly Float64Array[], n: number, k: number): Float64Array {
  const values = new Float64Array(n)
  let row = 0
  for (const block of blocks) {
    for (let at = k; at < block.length; at += WIDTH) {
      values[row] = block[at]!
      row += 1
    }
  }
  return values
}

/**
 * Order of the rows by time, rows of one time in their original order; null: they are in order already, as in most
 * archives.
 */
function orderOf(elapsedMs: Float64Array): Uint32Array | null {
  if (elapsedMs.every((ms, row) => row === 0 || ms >= elapsedMs[row - 1]!)) return null
  return Uint32Array.from(elapsedMs.keys()).sort((a, b) => elapsedMs[a]! - elapsedMs[b]! || a - b)
}

function columnsBy(column: (k: number) => Float64Array): SampleColumns {
  return Object.fromEntries(COLUMNS.map(([, name], k) => [name, column(k)])) as unknown as SampleColumns
}
