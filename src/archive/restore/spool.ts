import { paced } from '../../base/pace.ts'
import { workoutExists } from '../../library/ids.ts'
import { dataRows } from '../format/data-rows.ts'
import { type Row, rowReader, uuidOf } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { MEDIA_FIELDS, ROUTE_FIELDS } from '../format/part-rows.ts'
import { SAMPLE_FIELDS, SampleRows } from '../format/sample-rows.ts'
import { SPLIT_FIELDS } from '../format/split-rows.ts'
import type { PartKind } from './parts.ts'
import type { RestoreWork } from './work.ts'

/** Rows read before waiting ones are written to disk, and number of workouts that may have waiting rows. */
const MOST_ROWS = 15_000
const MOST_WAITING_WORKOUTS = 500

/**
 * Writes the parts of workouts to disk, by workout; those of workouts that are already stored are counted as skipped at
 * once. Samples go first: when they have positions, only the id of the route is kept.
 * @throws BadDataFile
 */
export async function spoolParts(work: RestoreWork): Promise<void> {
  const { parts } = work
  await spoolRows(work, 'timeSeries', SAMPLE_FIELDS, () => new SampleRows())
  await spoolRows(work, 'splits', SPLIT_FIELDS, jsonRows)
  await spoolRows(work, 'media', MEDIA_FIELDS, jsonRows)
  await spoolRows(work, 'routes', ROUTE_FIELDS, (workoutId) => {
    return jsonRows(workoutId, parts.isMarked('positioned', workoutId) ? ({ id }) => ({ id }) : undefined)
  })
}

/** Rows of one workout that wait to be written together. */
interface WaitingRows {
  readonly count: number
  /** @returns false for a row that cannot be used */
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
  { deps, archive, parts, report }: RestoreWork,
  kind: PartKind,
  fields: readonly string[],
  begin: (workoutId: string) => WaitingRows,
): Promise<void> {
  const file: DataFile = kind === 'media' ? 'mediaMetadata' : kind
  const read = rowReader(fields)
  const isStored = lastAnswer((id) => {
    const isKnown = workoutExists(deps.db, id)
    if (isKnown) parts.mark('known', id)
    return isKnown
  })
  const waiting = new Map<string, WaitingRows>()
  const flush = () => {
    for (const [workoutId, rows] of waiting) {
      parts.add(kind, workoutId, { count: rows.count, body: rows.packed() })
      if (rows instanceof SampleRows && rows.isPositioned) parts.mark('positioned', workoutId)
    }
    waiting.clear()
  }
  let readRows = 0
  let bytes = 0
  for await (const rows of paced(dataRows(archive, file, report.leftOut))) {
    deps.events.closed.throwIfAborted()
    for (const value of rows) {
      const row = read(value)
      const workoutId = uuidOf(row?.workoutId)
      if (row !== null && workoutId !== null && !isStored(workoutId)) {
        const known = waiting.get(workoutId) ?? begin(workoutId)
        waiting.set(workoutId, known)
        if (known.add(row)) continue
      }
      const lost = workoutId === null ? 'a workout' : isStored(workoutId) ? null : 'a time'
      const [what, about] = [`Rows of ${file} without ${lost}`, workoutId === null ? {} : { which: workoutId }]
      report.read(kind)
      if (lost !== null) report.failed(kind, what, about)
    }
    // skipped rows count as well, since they are garbage to collect
    readRows += rows.length
    // a batch of few rows may be a row of megabytes
    bytes += rows.length < 4 ? MOST_WAITING_BYTES / 64 : 0
    if (readRows > MOST_ROWS || waiting.size > MOST_WAITING_WORKOUTS || bytes >= MOST_WAITING_BYTES) {
      flush()
      readRows = 0
      bytes = 0
    }
  }
  flush()
}

const MOST_WAITING_BYTES = 4_194_304

/** Caches the last answer, since the rows of one workout mostly stand together. */
function lastAnswer(ask: (id: string) => boolean): (id: string) => boolean {
  let last = { id: '', answer: false }
  return (id) => {
    if (last.id !== id) last = { id, answer: ask(id) }
    return last.answer
  }
}
