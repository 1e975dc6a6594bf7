import type { Db } from '../../db/open.ts'
import { createCollector } from '../../garbage.ts'
import { workoutExists } from '../../library/add-workout.ts'
import { createPace } from '../../pace.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { type Row, rowReader, uuidOf } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { MEDIA_FIELDS, ROUTE_FIELDS } from '../format/part-rows.ts'
import { RECORDING_FIELDS } from '../format/recording-rows.ts'
import { REPAIR_FIELDS } from '../format/repair-rows.ts'
import { SAMPLE_FIELDS, SampleRows } from '../format/sample-rows.ts'
import { SPLIT_FIELDS } from '../format/split-rows.ts'
import type { PartKind, Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

interface SpoolWork {
  readonly db: Db
  readonly archive: OpenArchive
  readonly parts: Parts
  readonly report: RestoreReport
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
  const { parts } = work
  await spoolRows(work, 'timeSeries', SAMPLE_FIELDS, () => new SampleRows())
  await spoolRows(work, 'splits', SPLIT_FIELDS, jsonRows)
  await spoolRows(work, 'media', MEDIA_FIELDS, jsonRows)
  await spoolRows(work, 'routes', ROUTE_FIELDS, (workoutId) => {
    return jsonRows(workoutId, parts.isPositioned(workoutId) ? ({ id }) => ({ id }) : undefined)
  })
  await spoolRows(work, 'recordings', RECORDING_FIELDS, jsonRows)
  await spoolRows(work, 'repairs', REPAIR_FIELDS, jsonRows)
}

/** Rows of one workout that wait to be put aside together. */
interface WaitingRows {
  readonly count: number
  /** @returns false for a row that is of no use */
  add(row: Row): boolean
  packed(): Uint8Array
}

function jsonRows(workoutId: string, kept: (row: Row) => Row = (row) => row): WaitingRows {
  const rows: Row[] = []
  return {
    get count() {
      return rows.length
    },
    add: (row) => rows.push({ ...kept(row), workoutId }) > 0,
    packed: () => new TextEncoder().encode(JSON.stringify(rows)),
  }
}

async function spoolRows(
  { db, archive, parts, report }: SpoolWork,
  kind: PartKind,
  fields: readonly string[],
  begin: (workoutId: string) => WaitingRows,
): Promise<void> {
  const file: DataFile = kind === 'media' ? 'mediaMetadata' : kind
  const read = rowReader(fields)
  const pace = createPace()
  const collect = createCollector(1)
  const isStored = lastAnswer((id) => {
    const isKnown = workoutExists(db, id)
    if (isKnown) parts.markKnown(id)
    return isKnown
  })
  const waiting = new Map<string, WaitingRows>()
  const flush = () => {
    for (const [workoutId, rows] of waiting) {
      parts.add(kind, workoutId, { count: rows.count, body: rows.packed() })
      if (rows instanceof SampleRows && rows.isPositioned) parts.markPositioned(workoutId)
    }
    waiting.clear()
  }
  let readRows = 0
  let bytes = 0
  for await (const rows of dataRows(archive, file)) {
    for (const value of rows) {
      const row = read(value)
      const workoutId = uuidOf(row?.workoutId)
      // what was told of a workout is no group of its own in the report
      const isCounted = kind !== 'recordings' && kind !== 'repairs'
      if (row === null || workoutId === null) {
        const what = `Rows of ${file} without a workout`
        if (isCounted) report.failed(kind, what)
        else report.warn(what)
      } else if (isStored(workoutId)) {
        if (isCounted) report.skipped(kind)
      } else {
        const known = waiting.get(workoutId) ?? begin(workoutId)
        waiting.set(workoutId, known)
        if (!known.add(row) && isCounted) {
          report.failed(kind, `Rows of ${file} without a time`, { which: workoutId })
        }
      }
    }
    // also those that do not wait: they are garbage by now
    readRows += rows.length
    // a batch may be one row of megabytes
    bytes += rows.length < 4 ? MOST_WAITING_BYTES / (kind === 'recordings' ? 1 : 64) : 0
    if (readRows > MOST_ROWS || waiting.size > MOST_WAITING_WORKOUTS || bytes >= MOST_WAITING_BYTES) {
      flush()
      collect()
      readRows = 0
      bytes = 0
    }
    if (pace.needsRest()) await pace.rest()
  }
  flush()
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
