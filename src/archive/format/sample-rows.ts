import { MAX_ROWS } from '../../engine/codec.ts'
import type { SampleColumns } from '../../engine/track.ts'
import { numberOf, type Row } from './row-fields.ts'

/** The members of a sample row that are read; the others are derived. */
export const SAMPLE_FIELDS = [
  ...(['workoutId', 'elapsedSeconds', 'elapsedMs', 'distanceM', 'heartRateBpm', 'cadenceRpm'] as const),
  ...(['powerWatts', 'speedMps', 'elevationM', 'temperatureC', 'lat', 'lon'] as const),
] as const

/** Values of a row in the spool: elapsed milliseconds, then these; NaN is a gap. */
const COLUMNS: readonly (readonly [field: (typeof SAMPLE_FIELDS)[number], column: keyof SampleColumns])[] = [
  ['distanceM', 'distanceM'],
  ['heartRateBpm', 'heartRateBpm'],
  ['cadenceRpm', 'cadenceRpm'],
  ['powerWatts', 'powerW'],
  ['speedMps', 'speedMps'],
  ['elevationM', 'elevM'],
  ['temperatureC', 'temperatureC'],
  ['lat', 'latDeg'],
  ['lon', 'lonDeg'],
]
const WIDTH = COLUMNS.length + 1
const [LAT, LON] = [WIDTH - 2, WIDTH - 1]
const FIRST_ROWS = 64

/** Samples of one workout as they come, before they are packed away. */
export class SampleRows {
  count = 0
  private positions = 0
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

  /** The rows have a route: fewer than two positions are none. */
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

/** @returns null for more rows than a workout can have */
export function sampleTable(packed: Iterable<{ readonly body: Uint8Array }>): SampleTable | null {
  const blocks: Float64Array[] = []
  let n = 0
  for (const { body } of packed) {
    // a copy, since a view of doubles has to begin at a multiple of eight
    const bytes = new Uint8Array(Bun.zstdDecompressSync(body))
    const block = new Float64Array(bytes.buffer, 0, bytes.length / 8)
    blocks.push(block)
    n += block.length / WIDTH
    if (n > MAX_ROWS) return null
  }
  const elapsedMs = column(blocks, n, 0)
  const order = orderOf(elapsedMs)
  const inOrder = (values: Float64Array) =>
    order === null ? values : new Float64Array(n).map((_, i) => values[order[i]!]!)
  const columns = COLUMNS.map(([, name], k) => [name, inOrder(column(blocks, n, k + 1))])
  return { n, elapsedMs: inOrder(elapsedMs), ...(Object.fromEntries(columns) as unknown as SampleColumns) }
}

function column(blocks: readonly Float64Array[], n: number, k: number): Float64Array {
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

/** The rows by time, those of one time as they came; null: they are in order, as those of most archives. */
function orderOf(elapsedMs: Float64Array): Uint32Array | null {
  if (elapsedMs.every((ms, row) => row === 0 || ms >= elapsedMs[row - 1]!)) return null
  return Uint32Array.from(elapsedMs.keys()).sort((a, b) => elapsedMs[a]! - elapsedMs[b]! || a - b)
}
