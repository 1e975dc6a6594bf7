import type { Db } from '../../db/open.ts'
import { workoutExists } from '../../library/add-workout.ts'
import { createPace } from '../../pace.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { type Row, rowReader, uuidOf } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { MEDIA_FIELDS, ROUTE_FIELDS } from '../format/part-rows.ts'
import { RECORDING_FIELDS, REPAIR_FIELDS } from '../format/recording-rows.ts'
import { SAMPLE_FIELDS, SampleRows } from '../format/sample-rows.ts'
import { SPLIT_FIELDS } from '../format/workout-rows.ts'
import type { PartKind, Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

export interface SpoolWork {
  readonly db: Db
  readonly archive: OpenArchive
  readonly parts: Parts
  readonly report: RestoreReport
}

const FILES: Readonly<Record<PartKind, DataFile>> = {
  routes: 'routes',
  splits: 'splits',
  timeSeries: 'timeSeries',
  media: 'mediaMetadata',
  recordings: 'recordings',
  repairs: 'repairs',
}
/** Rows that are read before those that wait are put aside; and of how many workouts some may wait. */
const MOST_ROWS = 15_000
const MOST_WAITING_WORKOUTS = 500

/**
 * Puts the parts of workouts aside, by workout; those of workouts that are stored already are counted as skipped at once.
 * Samples first: where these know the way, the route is kept as an id only.
 * @throws BadDataFile
 */
export async function spoolParts(work: SpoolWork): Promise<void> {
  const samples = new Map<string, SampleRows>()
  await spoolRows(work, 'timeSeries', {
    fields: SAMPLE_FIELDS,
    add: (workoutId, row) => {
      const rows = samples.get(workoutId) ?? new SampleRows()
      samples.set(workoutId, rows)
      return rows.add(row)
    },
    flush: () => {
      for (const [workoutId, rows] of samples) {
        work.parts.add('timeSeries', workoutId, { count: rows.count, body: rows.packed() })
        if (rows.isPositioned) work.parts.markPositioned(workoutId)
      }
      samples.clear()
    },
    waiting: () => samples.size,
  })
  await spoolJson(work, 'splits', SPLIT_FIELDS)
  await spoolJson(work, 'media', MEDIA_FIELDS)
  await spoolJson(work, 'routes', ROUTE_FIELDS, (row) => {
    return work.parts.isPositioned(String(row.workoutId)) ? { id: row.id, workoutId: row.workoutId } : row
  })
  await spoolJson(work, 'recordings', RECORDING_FIELDS)
  await spoolJson(work, 'repairs', REPAIR_FIELDS)
}

async function spoolJson(
  work: SpoolWork,
  kind: PartKind,
  fields: readonly string[],
  kept: (row: Row) => Row = (row) => row,
): Promise<void> {
  const waiting = new Map<string, Row[]>()
  const encoder = new TextEncoder()
  await spoolRows(work, kind, {
    fields,
    add: (workoutId, row) => {
      const rows = waiting.get(workoutId) ?? []
      waiting.set(workoutId, rows)
      rows.push(kept({ ...row, workoutId }))
      return true
    },
    flush: () => {
      for (const [workoutId, rows] of waiting) {
        work.parts.add(kind, workoutId, { count: rows.length, body: encoder.encode(JSON.stringify(rows)) })
      }
      waiting.clear()
    },
    waiting: () => waiting.size,
  })
}

interface Spool {
  readonly fields: readonly string[]
  /** @returns false for a row that is of no use */
  readonly add: (workoutId: string, row: Row) => boolean
  readonly flush: () => void
  /** Of how many workouts rows wait. */
  readonly waiting: () => number
}

async function spoolRows({ db, archive, report }: SpoolWork, kind: PartKind, spool: Spool): Promise<void> {
  const read = rowReader(spool.fields)
  const pace = createPace()
  const isStored = lastAnswer((id) => workoutExists(db, id))
  let readRows = 0
  let bytes = 0
  for await (const rows of dataRows(archive, FILES[kind])) {
    for (const value of rows) {
      const row = read(value)
      const workoutId = uuidOf(row?.workoutId)
      // what was told of a workout is no group of its own in the report
      const isCounted = kind !== 'recordings' && kind !== 'repairs'
      if (row === null || workoutId === null) {
        const what = `Rows of ${FILES[kind]} without a workout`
        if (isCounted) report.failed(kind, what)
        else report.warn(what)
      } else if (isStored(workoutId)) {
        if (isCounted) report.skipped(kind)
      } else if (!spool.add(workoutId, row) && isCounted) {
        report.failed(kind, `Rows of ${FILES[kind]} without a time`, { which: workoutId })
      }
    }
    // also those that do not wait: they are garbage by now
    readRows += rows.length
    // a batch may be one row of megabytes
    bytes += rows.length < 4 ? MOST_WAITING_BYTES / (kind === 'recordings' ? 1 : 64) : 0
    if (readRows > MOST_ROWS || spool.waiting() > MOST_WAITING_WORKOUTS || bytes >= MOST_WAITING_BYTES) {
      spool.flush()
      // the collector waits for far more garbage than this service may take
      Bun.gc(true)
      readRows = 0
      bytes = 0
    }
    if (pace.needsRest()) await pace.rest()
  }
  spool.flush()
}

const MOST_WAITING_BYTES = 4_194_304

/** Rows of one workout mostly stand together. */
function lastAnswer(ask: (id: string) => boolean): (id: string) => boolean {
  let last = { id: '', answer: false }
  return (id) => {
    if (last.id !== id) last = { id, answer: ask(id) }
    return last.answer
  }
}
