import type { Static } from '@sinclair/typebox'
import { invalid, notFound } from '../../base/errors.ts'
import { paced } from '../../base/pace.ts'
import { closeSnapshot, openSnapshot, type Snapshot } from '../../db/open.ts'
import { shoes } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber } from '../../engine/numbers.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import { rawFilePath } from '../../library/files/paths.ts'
import type { ZipItem } from '../../zip/writer.ts'
import { idsInOrder } from '../workouts/list.ts'
import { distinctNames, localTime, originalExtension, runFileStem } from './names.ts'
import {
  askedTrimming,
  isRefusal,
  originalOf,
  type RunRow,
  runRow,
  type StatedRow,
  type Trim,
  vague,
  writtenFile,
} from './run-file.ts'
import type { DownloadFormat, FilesRequest } from './schemas.ts'

interface Needs extends Pick<Deps, 'db' | 'config' | 'log' | 'worker' | 'now' | 'loads' | 'jwtSecret'> {
  readonly heavy: Heavy
}

/**
 * Many runs as a ZIP: files in folders by year, and `runs.csv`, generated while it is sent, from a snapshot taken when
 * it begins.
 * @throws AppError 400 for neither or both of ids and filter, or an invalid date; 404 when no id is that of a run
 */
export async function filesResponse(
  deps: Needs,
  asked: Static<typeof FilesRequest>,
  request: Request,
): Promise<Response> {
  if ((asked.ids === undefined) === (asked.filter === undefined)) throw invalid('Send either ids or filter')
  const trim = askedTrimming(deps, asked)
  if (asked.filter !== undefined) await deps.loads.upToDate()
  const nowMs = deps.now()
  return await deps.heavy.zip(request, {
    name: 'harrier-files',
    nowMs,
    items: items(deps, { asked, trim, nowMs }),
  })
}

/** Oldest first for a filter, otherwise in the given order. */
async function wantedIds(
  snapshot: Snapshot,
  { ids, filter = {} }: Pick<Static<typeof FilesRequest>, 'ids' | 'filter'>,
): Promise<readonly string[]> {
  if (ids === undefined) return idsInOrder(snapshot, { ...filter, sortOrder: 'asc' })
  for await (const id of paced(ids)) if (runRow(snapshot, id) !== null) return [...new Set(ids)]
  throw notFound('Workout')
}

interface Work extends Pick<Run, 'trim'> {
  readonly asked: Static<typeof FilesRequest>
  readonly nowMs: number
}

async function* items(deps: Needs, { asked, trim, nowMs }: Work): AsyncGenerator<ZipItem, void> {
  const nameOf = distinctNames()
  const lines = [RUNS_HEADER]
  const { format } = asked
  const snapshot = openSnapshot(deps.db)
  try {
    const shoeNames = new Map(
      snapshot
        .select()
        .from(shoes)
        .all()
        .map(({ id, brand, model }) => [id, `${brand} ${model}`]),
    )
    for await (const id of paced(await wantedIds(snapshot, asked))) {
      const row = runRow(snapshot, id)
      if (row === null) lines.push(missingLine(id))
      else {
        const outcome = yield* runItem(deps, { snapshot, row, format, trim, nameOf })
        lines.push(runLine(outcome.row ?? row, shoeNames.get(row.shoeId ?? '') ?? null, outcome))
      }
    }
    yield {
      name: 'runs.csv',
      source: paced([new TextEncoder().encode(lines.join(''))]),
      compress: true,
      modifiedMs: nowMs,
    }
  } finally {
    closeSnapshot(snapshot)
  }
}

interface Run {
  readonly snapshot: Snapshot
  readonly format: DownloadFormat
  readonly trim: Trim
  readonly row: RunRow
  readonly nameOf: ReturnType<typeof distinctNames>
}

const NO_NUMBERS = eachNumber(() => null)

/** The file of one run; where it cannot be written in the requested format, its original and the reason. */
async function* runItem(deps: Needs, run: Run): AsyncGenerator<ZipItem, FileOutcome> {
  const { snapshot, row, format, trim, nameOf } = run
  if (format === 'original') return yield* originalItem(deps, run, null)
  const made = await writtenFile(deps, { tx: snapshot, row, format, trim }).catch((error: unknown) =>
    reasonOf(deps, row, error),
  )
  // an original shows everything
  if (typeof made === 'string' && trim !== null)
    return { file: null, error: made, row: { ...vague(row), ...NO_NUMBERS } }
  if (typeof made === 'string') return yield* originalItem(deps, run, made)
  const file = nameOf(stemOf(made.row), `.${format}`)
  yield {
    name: file,
    source: paced(made.pieces),
    compress: true,
    // to the second, which would tell how long the way to a hidden start took
    modifiedMs: trim === null ? row.startedAt : deps.now(),
  }
  return { file, error: null, row: made.row }
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
function stemOf({ startedAt, utcOffsetMinutes, name }: StatedRow): string {
  const stem = runFileStem(startedAt, utcOffsetMinutes, name)
  return `${stem.slice(0, stem.indexOf('-'))}/${stem}`
}

const RUNS_HEADER =
  'id,started_at,local_start,name,type,distance_m,duration_s,moving_s,elev_gain_m,avg_hr,rpe,shoe,file,error\r\n'

interface FileOutcome {
  /** Path in the ZIP; null: there is no file. */
  readonly file: string | null
  /** Why it is not in the requested format; null: it is. */
  readonly error: string | null
  /** What the file states of the run, where that is not all. */
  readonly row?: StatedRow
}

/** @param shoe name of the shoe; null: none */
function runLine(row: StatedRow, shoe: string | null, { file, error }: FileOutcome): string {
  return line([
    row.id,
    isoTime(row.startedAt),
    localTime(row.startedAt, row.utcOffsetMinutes),
    plainText(row.name),
    row.runType,
    row.distanceM,
    row.durationS,
    row.movingTimeS,
    row.elevGainM,
    row.avgHeartRateBpm,
    row.rpe,
    plainText(shoe),
    file,
    error,
  ])
}

function missingLine(id: string): string {
  return line([id, ...Array<null>(12).fill(null), 'There is no such run'])
}

/** Prevents that a spreadsheet program takes a text, which may come from foreign files, for a formula. */
function plainText(text: string | null): string | null {
  return text !== null && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** RFC 4180; null is an empty field. */
function line(fields: readonly (string | number | null)[]): string {
  return `${fields.map(field).join(',')}\r\n`
}

function field(value: string | number | null): string {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
