import type { Static } from '@sinclair/typebox'
import { closeSnapshot, openSnapshot, type Snapshot } from '../db/open.ts'
import { shoes } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound } from '../errors.ts'
import { createCollector } from '../garbage.ts'
import { rawFilePath } from '../library/files/paths.ts'
import { createPace } from '../pace.ts'
import { bytesOf } from '../workers/written-file.ts'
import { listWorkouts } from '../workouts/list.ts'
import { begun } from '../zip/begun.ts'
import { type ZipItem, zipStream } from '../zip/writer.ts'
import { distinctNames, originalExtension, runFileStem } from './names.ts'
import { isRefusal, originalOf, type RunRow, runRow, writtenFile } from './run-file.ts'
import { type FileOutcome, missingLine, RUNS_HEADER, runLine } from './runs-csv.ts'
import type { DownloadFormat, FilesRequest, Filter } from './schemas.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'analyzer' | 'now'>

const LIST_PAGE = 100
const LINES_A_PIECE = 500
/** Runs between two garbage collections; the collector by itself would not remove their packed data in time. */
const RUNS_A_COLLECTION = 20

/**
 * Many runs as a ZIP: files in folders by year, and `runs.csv`, which describes each. It is generated run by run while
 * it is sent, from a snapshot taken at the request.
 * @throws AppError 400 for a request with neither or both of ids and filter, or with an invalid date; 404 when no id is
 * that of a run
 */
export async function filesResponse(deps: Needs, asked: Static<typeof FilesRequest>): Promise<Response> {
  const { format } = asked
  if ((asked.ids === undefined) === (asked.filter === undefined)) throw invalid('Send either ids or filter')
  const nowMs = deps.now()
  const snapshot = openSnapshot(deps.db)
  const wanted = await wantedIds(snapshot, asked).catch((error: unknown) => {
    closeSnapshot(snapshot)
    throw error
  })
  // from here on the stream closes the snapshot
  const body = await begun(zipStream(items(deps, { snapshot, ids: wanted, format, nowMs })))
  return new Response(body, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="harrier-files-${stamp(nowMs)}.zip"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Timestamp such as `20251120-130511`, UTC. */
function stamp(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split(/[T.]/)
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`
}

/** Oldest first for a filter, otherwise in the given order. */
async function wantedIds(
  snapshot: Snapshot,
  { ids, filter = {} }: Pick<Static<typeof FilesRequest>, 'ids' | 'filter'>,
): Promise<readonly string[]> {
  if (ids === undefined) return await filteredIds(snapshot, filter)
  const pace = createPace()
  for (const id of ids) {
    if (runRow(snapshot, id) !== null) return [...new Set(ids)]
    if (pace.needsRest()) await pace.rest()
  }
  throw notFound('Workout')
}

async function filteredIds(snapshot: Snapshot, filter: Filter): Promise<string[]> {
  const pace = createPace()
  const ids: string[] = []
  for (let page = 1, totalPages = 1; page <= totalPages; page += 1) {
    const found = listWorkouts(snapshot, { ...filter, sortOrder: 'asc', page, pageSize: LIST_PAGE })
    for (const { id } of found.items) ids.push(id)
    totalPages = found.totalPages
    if (pace.needsRest()) await pace.rest()
  }
  return ids
}

interface Wanted {
  readonly snapshot: Snapshot
  readonly ids: readonly string[]
  readonly format: DownloadFormat
  readonly nowMs: number
}

async function* items(deps: Needs, { snapshot, ids, format, nowMs }: Wanted): AsyncGenerator<ZipItem> {
  const nameOf = distinctNames()
  const collect = createCollector(RUNS_A_COLLECTION)
  const pace = createPace()
  const lines = [RUNS_HEADER]
  try {
    const shoeNames = new Map(
      snapshot
        .select()
        .from(shoes)
        .all()
        .map(({ id, brand, model }) => [id, `${brand} ${model}`]),
    )
    for (const id of ids) {
      const row = runRow(snapshot, id)
      if (row === null) lines.push(missingLine(id))
      else {
        const outcome = yield* runItem(deps, { snapshot, row, format, nameOf })
        lines.push(runLine(row, shoeNames.get(row.shoeId ?? '') ?? null, outcome))
      }
      collect()
      if (pace.needsRest()) await pace.rest()
    }
    yield { name: 'runs.csv', source: encoded(lines), compress: true, modifiedMs: nowMs }
  } finally {
    closeSnapshot(snapshot)
  }
}

interface Run extends Pick<Wanted, 'snapshot' | 'format'> {
  readonly row: RunRow
  readonly nameOf: ReturnType<typeof distinctNames>
}

/** The file of one run; where it cannot be written in the requested format, its original and the reason. */
async function* runItem(deps: Needs, run: Run): AsyncGenerator<ZipItem, FileOutcome> {
  const { snapshot, row, format, nameOf } = run
  if (format === 'original') return yield* originalItem(deps, run, null)
  const made = await writtenFile(deps, { tx: snapshot, row, format }).catch((error: unknown) =>
    reasonOf(deps, row, error),
  )
  if (typeof made === 'string') return yield* originalItem(deps, run, made)
  const file = nameOf(stemOf(row), `.${format}`)
  yield { name: file, source: bytesOf(made), compress: true, modifiedMs: row.startedAt }
  return { file, error: null }
}

function reasonOf({ log }: Pick<Needs, 'log'>, { id }: RunRow, error: unknown): string {
  if (isRefusal(error)) return error.message
  log.error(`The run ${id} could not be written as a file`, error)
  return 'The samples of this run cannot be read'
}

/** @param reason why the original replaces the requested format */
async function* originalItem(
  { config }: Needs,
  { snapshot, row, nameOf }: Run,
  reason: string | null,
): AsyncGenerator<ZipItem, FileOutcome> {
  const original = originalOf(snapshot, row.id)
  if (original === null) return { file: null, error: reason ?? 'This run has no original file' }
  const extension = originalExtension(original.fileName, original.fileType)
  const file = nameOf(stemOf(row), extension)
  let isLost = false
  yield {
    name: file,
    source: rawFilePath(config.dataDir, original.storedAs),
    whenOpened: (size) => {
      isLost = size === null
    },
    compress: !extension.endsWith('.gz'),
    modifiedMs: row.startedAt,
  }
  return isLost ? { file: null, error: reason ?? 'The original file of this run is lost' } : { file, error: reason }
}

/** File name below the folder of the run's year. */
function stemOf({ startedAt, utcOffsetMinutes, name }: RunRow): string {
  const stem = runFileStem(startedAt, utcOffsetMinutes, name)
  return `${stem.slice(0, stem.indexOf('-'))}/${stem}`
}

async function* encoded(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (let from = 0; from < lines.length; from += LINES_A_PIECE) {
    yield encoder.encode(lines.slice(from, from + LINES_A_PIECE).join(''))
  }
}
