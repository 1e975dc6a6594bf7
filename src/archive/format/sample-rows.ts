import { rowsWith } from '../../engine/gather.ts'
import { MAX_ROWS } from '../../engine/limits.ts'
import type { SampleColumns, Track } from '../../engine/track.ts'
import { roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import { anyNumber, derivedIds, rowReader, uuidOf } from './fields.ts'

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

type Members = Record<(typeof COLUMNS)[number][0], typeof anyNumber>

/** A row of `time-series.json`; the members that are not read are derived. */
export const readSample = rowReader({
  ...{ workoutId: uuidOf, elapsedSeconds: anyNumber, elapsedMs: anyNumber },
  ...(Object.fromEntries(COLUMNS.map(([field]) => [field, anyNumber])) as Members),
})

/** Rows per piece of text, about 80 KB. */
const ROWS_A_PIECE = 256

/**
 * The rows of `time-series.json` of one workout as JSON texts, without the commas between them; one row per stored
 * sample. Grade and vertical speed are null: Tempo stores them, Harrier computes them where it needs them.
 */
export function* sampleTexts(workoutId: string, track: Track): Generator<[string]> {
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
    yield [rows.join(',\n')]
  }
}

/** Samples in order of time, as columns; NaN is a gap. */
export interface SampleTable extends SampleColumns {
  readonly n: number
  readonly elapsedMs: Float64Array
}

export function hasRoute({ latDeg, lonDeg }: Pick<SampleColumns, 'latDeg' | 'lonDeg'>): boolean {
  return rowsWith(latDeg, lonDeg).length >= 2
}

/** The samples of rows that have a time; of more than MAX_ROWS their number alone. */
export function sampleTable(rows: Iterable<NonNullable<ReturnType<typeof readSample>>>) {
  const elapsedMs: number[] = []
  const columns = COLUMNS.map(([field, name]) => ({ field, name, values: [] as number[] }))
  let [n, untimed] = [0, 0]
  for (const row of rows) {
    const ms = row.elapsedMs ?? (row.elapsedSeconds ?? Number.NaN) * 1000
    if (!(Math.abs(ms) <= 8.64e15)) untimed += 1
    else if (++n <= MAX_ROWS) {
      elapsedMs.push(ms)
      for (const { field, values } of columns) values.push(row[field] ?? Number.NaN)
    }
  }
  // rows of one time stay in their order
  const order = Uint32Array.from([...elapsedMs.keys()].sort((a, b) => elapsedMs[a]! - elapsedMs[b]!))
  const inOrder = (values: readonly number[]) => Float64Array.from(order, (row) => values[row]!)
  const ordered = Object.fromEntries(columns.map(({ name, values }) => [name, inOrder(values)]))
  const table = { n, elapsedMs: inOrder(elapsedMs), ...(ordered as unknown as SampleColumns) }
  return { table: table satisfies SampleTable, untimed }
}
