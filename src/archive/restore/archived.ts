import type { StashedSplit } from '../../db/stored.ts'
import { MAX_ROWS } from '../../engine/codec.ts'
import type { NewRepair } from '../../library/add-workout.ts'
import { RAW_MEMBERS, type RawData } from '../../library/files/raw-data.ts'
import type { ReadMember } from '../format/recorded.ts'
import { type ReadRecording, readRecording, readRepair } from '../format/recordings.ts'
import { type Row, uuidOf } from '../format/row-fields.ts'
import { type SampleTable, sampleTable } from '../format/samples.ts'
import { readSplit } from '../format/splits.ts'
import { objectOf, type WorkoutValues } from '../format/workouts.ts'
import type { RawFile } from './files.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

/** What an archive says of one workout, read. */
export interface ArchivedWorkout {
  readonly id: string
  readonly values: WorkoutValues
  /** null: the row is not Harrier's. */
  readonly member: ReadMember | null
  /** By arrival; empty in archives of before they had a file of their own, and in those of others. */
  readonly told: readonly ReadRecording[]
  /** In the order in which they were made. */
  readonly repairs: readonly NewRepair[]
  /** By the id that a recording has in the archive, else that of the workout. */
  readonly originals: ReadonlyMap<string, RawFile>
  readonly rawData: RawData
  /** Its rows of `time-series.json`. */
  readonly table: SampleTable
  readonly routeGeoJson: unknown
  readonly routeId: string | null
  /** By index. */
  readonly splits: readonly StashedSplit[]
}

interface ReadWork {
  readonly parts: Parts
  readonly report: RestoreReport
}

/** What was read of a workout before it was clear that it is new. */
export type RowRead = Pick<ArchivedWorkout, 'id' | 'values' | 'member' | 'told' | 'originals'> & { readonly row: Row }

/** The parts of a workout, read; what cannot be is told. */
export function archivedWorkout(work: ReadWork, { row, ...known }: RowRead): ArchivedWorkout {
  const { parts, report } = work
  const { id } = known
  const repairs = [...parts.rows('repairs', id)].map(readRepair)
  if (repairs.includes(null)) report.warn('Repairs that cannot be read, left out', { which: id })
  const [route] = parts.rows('routes', id)
  const table = sampleTable(parts.of('timeSeries', id))
  if (table === null) {
    const { timeSeries } = parts.counts(id)
    report.failed('timeSeries', `Samples of workouts with more than ${MAX_ROWS}`, { which: id, count: timeSeries })
  }
  return {
    ...known,
    repairs: repairs.filter((repair) => repair !== null).toSorted((a, b) => a.seq - b.seq),
    rawData: rawDataOf(work, id, row),
    table: table ?? sampleTable([])!,
    routeGeoJson: route?.routeGeoJson,
    routeId: uuidOf(route?.id),
    splits: splitsOf(work, id),
  }
}

/** The recordings of a workout by arrival; none in archives of before they had a file of their own. */
export function toldRecordings({ parts, report }: ReadWork, id: string): ReadRecording[] {
  const read = [...parts.rows('recordings', id)].map(readRecording)
  const told = read.filter((recording) => recording !== null)
  const unique = told.filter((recording, place) => told.findIndex((other) => other.id === recording.id) === place)
  if (unique.length < read.length) report.warn('Recordings that cannot be read, left out', { which: id })
  return unique.toSorted((a, b) => a.seq - b.seq)
}

/** No run has more: 50,000 km in kilometres. */
const MOST_SPLITS = 50_000

/** The splits of one workout by index; one that cannot be read, or comes twice, is an error of its own. */
function splitsOf({ parts, report }: ReadWork, workoutId: string): StashedSplit[] {
  const byIndex = new Map<number, StashedSplit>()
  const ids = new Set<string>()
  for (const row of parts.rows('splits', workoutId)) {
    const split = readSplit(row)
    if (split === null) report.failed('splits', 'Splits without index, distance or duration', { which: workoutId })
    else if (byIndex.has(split.idx)) report.skipped('splits')
    else if (byIndex.size >= MOST_SPLITS) report.failed('splits', `Splits beyond ${MOST_SPLITS}`, { which: workoutId })
    else {
      byIndex.set(split.idx, ids.has(split.id) ? { ...split, id: Bun.randomUUIDv7() } : split)
      ids.add(split.id)
    }
  }
  return [...byIndex.values()].sort((a, b) => a.idx - b.idx)
}

function rawDataOf({ report }: ReadWork, id: string, row: Row): RawData {
  const objects = RAW_MEMBERS.map((key) => {
    const object = objectOf(row[key])
    const isLost = object === null && row[key] !== null && row[key] !== undefined && row[key] !== ''
    if (isLost) report.warn('Raw data of workouts that is no JSON object, left out', { which: `${id} ${key}` })
    return [key, object] as const
  })
  return Object.fromEntries(objects) as unknown as RawData
}
