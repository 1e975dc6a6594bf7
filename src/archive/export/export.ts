import { APPLICATION_VERSION, FORMAT_VERSION } from '../../base/versions.ts'
import { closeSnapshot, openSnapshot, type Snapshot } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { mediaFilename } from '../../features/media/store.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import { mediaFilePath, rawFilePath } from '../../library/files/paths.ts'
import { joinedPieces, type RawLibrary, type TextPieces } from '../../library/files/raw-data.ts'
import { safeName } from '../../zip/entry-name.ts'
import type { ZipItem } from '../../zip/writer.ts'
import { type ArchiveCounts, DATA_PATHS, LIBRARY_PATH } from '../format/data-rows.ts'
import type { TableKind } from '../format/library-rows.ts'
import { readme } from './readme.ts'
import {
  type Export,
  FORMAT_ROW,
  LIBRARY_ROWS,
  mediaOf,
  NO_ROWS,
  RUN_ROWS,
  settingsRow,
  tableRows,
  textsOf,
} from './rows.ts'
import { tableSums } from './table-sums.ts'

interface ExportOptions {
  readonly dataDir: string
  readonly nowMs: number
  readonly appVersion: string
  /** Parses large originals in a Worker, so that other requests are answered meanwhile. */
  readonly worker?: RawLibrary['worker']
  /** The database is known to be damaged: what cannot be read is left out and named in README.txt. */
  readonly isDamaged?: boolean
}

interface Writing extends Export {
  readonly options: ExportOptions
  readonly counts: ArchiveCounts
  readonly sums: Map<string, string>
}

function beginning(db: Snapshot, options: ExportOptions): Writing {
  const files = { workouts: 0, shoes: 0, mediaFiles: 0, totalSizeBytes: 0, settings: 1, routes: 0, splits: 0 }
  const { dataDir, worker } = options
  return {
    ...{ db, dataDir, worker, options, counts: { ...files, timeSeries: 0, bestEfforts: 0 } },
    lost: { originals: new Set(), rawData: new Set(), media: new Set(), unreadable: new Set() },
    ...{ sums: new Map(), files: new Map(), rows: new Map() },
  }
}

interface Needs extends Pick<Deps, 'db' | 'config' | 'now' | 'worker' | 'log' | 'damage'> {
  readonly heavy: Heavy
}

/** The whole library as a download, of the moment when its turn came. */
export async function exportResponse(
  { db, config, now, worker, log, damage, heavy }: Needs,
  request: Request,
): Promise<Response> {
  const nowMs = now()
  const appVersion = config.buildVersion ?? APPLICATION_VERSION
  const options = { dataDir: config.dataDir, nowMs, appVersion, worker, isDamaged: damage.isFound }
  async function* items(): AsyncGenerator<ZipItem, void> {
    yield* exportItems(openSnapshot(db), options)
    log.info('Exported the library')
  }
  return await heavy.zip(request, { name: 'harrier-export', nowMs, items: items() })
}

/**
 * The entries of an archive of the whole library, in order and in bounded memory, while other requests may write. The
 * snapshot is closed after the last one, or when no further one is requested. A file that is deleted meanwhile is left
 * out and named in README.txt.
 */
export async function* exportItems(snapshot: Snapshot, options: ExportOptions): AsyncGenerator<ZipItem, void> {
  const work = beginning(snapshot, options)
  const { counts } = work
  const text = (name: string, source: AsyncIterable<Uint8Array>): ZipItem => {
    const summed = name.startsWith('data/') ? sumOf(source, (sum) => work.sums.set(name, sum)) : source
    return { name, source: summed, compress: true, modifiedMs: options.nowMs }
  }
  const ofRuns = (kind: ListedRows) => text(DATA_PATHS[kind], jsonArray(runTexts(work, kind)))
  try {
    const [settings = null] = (await readable(work, 'settings', () => LIBRARY_ROWS.settings(work))) ?? []
    yield text(DATA_PATHS.settings, encoded(`${JSON.stringify(settings)}\n`))
    const shoes = (await readable(work, 'shoes', () => LIBRARY_ROWS.shoes(work))) ?? []
    counts.shoes = shoes.length
    yield text(DATA_PATHS.shoes, jsonArray(textsOf(shoes)))
    // files are written before the lists, so that missing ones can be left out of these
    yield* rawItems(work)
    for (const kind of ['workouts', 'routes', 'splits', 'timeSeries'] as const) yield ofRuns(kind)
    const efforts = (await readable(work, 'bestEfforts', () => LIBRARY_ROWS.bestEfforts(work))) ?? []
    counts.bestEfforts = efforts.length
    yield text(DATA_PATHS.bestEfforts, jsonArray(textsOf(efforts)))
    yield* mediaItems(work)
    yield ofRuns('mediaMetadata')
    yield text(LIBRARY_PATH, jsonArray(libraryTexts(work)))
    yield text('manifest.json', encoded(await manifestText(work)))
    yield text('README.txt', encoded(readme(counts, work.lost)))
  } finally {
    closeSnapshot(snapshot)
  }
}

/** A part of the library; null, which is noted: it cannot be read, of a damaged one. */
async function readable<T>(work: Writing, what: string, read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    noteUnreadable(work, what, error)
    return null
  }
}

/** @throws the error, unless the database is damaged */
function noteUnreadable({ options, lost }: Writing, what: string, error: unknown): void {
  if (!options.isDamaged) throw error
  lost.unreadable.add(what)
}

/** Joins texts of rows to the text of one JSON array. */
async function* jsonArray(rows: AsyncIterable<TextPieces> | Iterable<TextPieces>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '[\n'
  for await (const row of rows) {
    for (const piece of joinedPieces([before, ...row])) yield typeof piece === 'string' ? encoder.encode(piece) : piece
    before = ',\n'
  }
  yield encoder.encode(before === ',\n' ? '\n]\n' : '[]\n')
}

/** The pieces unchanged. @param summed called with their SHA-256 at the end */
async function* sumOf(pieces: AsyncIterable<Uint8Array>, summed: (sha256: string) => void): AsyncGenerator<Uint8Array> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
  summed(hash.digest('hex'))
}

async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/**
 * The first original of each workout, at the path where other programs look for it, and every other one under the id of
 * its recording.
 */
async function* rawItems(work: Writing): AsyncGenerator<ZipItem> {
  for (const workoutId of runIds(work, RUNS.workouts)) {
    yield* (await readable(work, `originals of ${workoutId}`, () => originalsOf(work, workoutId))) ?? []
  }
}

function originalsOf({ db, options, counts, files, lost }: Writing, workoutId: string): ZipItem[] {
  const rows = db.$client.query<{ id: string; storedAs: string; name: string; isFirst: number }, [string]>(
    `SELECT recording.id, stored_as AS storedAs, coalesce(file_name, 'file') AS name,
       place = min(place) OVER () AS isFirst
     FROM run_recording JOIN recording ON recording_id = recording.id
     WHERE run_id = ? AND live = 1 AND stored_as IS NOT NULL ORDER BY place`,
  )
  return rows.all(workoutId).map(({ id, storedAs, name, isFirst }) => {
    const folder = `workouts/${workoutId}/${isFirst === 1 ? 'raw' : `recordings/${id}`}`
    const path = `${folder}/${entryFileName(name)}`
    // watch files are small, and FIT shrinks by half; files that are packed already only cost a little time
    return {
      name: path,
      source: rawFilePath(options.dataDir, storedAs),
      compress: !/\.gz$/i.test(name),
      modifiedMs: options.nowMs,
      whenOpened: (size) => {
        if (size !== null) {
          counts.totalSizeBytes += size
          files.set(`${workoutId}/${id}`, path)
        } else lost.originals.add(workoutId)
      },
    }
  })
}

/** The files of photos and videos; missing ones are noted. */
async function* mediaItems(work: Writing): AsyncGenerator<ZipItem> {
  const { db, options, counts, files, lost } = work
  for (const workoutId of runIds(work, RUNS.mediaMetadata)) {
    const rows = await readable(work, `media of ${workoutId}`, () => mediaOf(db, workoutId))
    for (const { id, filename, createdAt } of rows ?? []) {
      const path = `workouts/${workoutId}/media/${id}/${entryFileName(filename)}`
      yield {
        name: path,
        source: mediaFilePath(options.dataDir, id),
        compress: false,
        modifiedMs: createdAt,
        whenOpened: (size) => {
          if (size === null) return void lost.media.add(id)
          files.set(`${workoutId}/${id}`, path)
          counts.mediaFiles += 1
          counts.totalSizeBytes += size
        },
      }
    }
  }
}

type RowsOfRuns = keyof typeof RUN_ROWS
/** Those that have a file of their own. */
type ListedRows = Exclude<RowsOfRuns, 'library'>

const [BY_ID, BY_TIME] = ['SELECT id FROM workout ORDER BY id', 'SELECT id FROM workout ORDER BY started_at, id']
/** The runs that have rows in a data file, in its order. */
const RUNS: Readonly<Record<RowsOfRuns, string>> = {
  ...{ workouts: BY_TIME, library: BY_TIME, splits: BY_ID, timeSeries: BY_ID },
  routes: 'SELECT id FROM workout WHERE route_preview IS NOT NULL ORDER BY id',
  mediaMetadata: 'SELECT DISTINCT workout.id FROM media JOIN workout ON workout.id = workout_id ORDER BY workout.id',
}

async function* runTexts(work: Writing, kind: RowsOfRuns): AsyncGenerator<TextPieces> {
  for (const id of runIds(work, RUNS[kind])) {
    const rows = await readable(work, `${kind} of ${id}`, () => RUN_ROWS[kind](work, id))
    if (rows === null) continue
    // the files of media are counted instead
    if (kind !== 'mediaMetadata' && kind !== 'library') work.counts[kind] += rows.n
    if (kind in NO_ROWS) work.rows.set(id, { ...(work.rows.get(id) ?? NO_ROWS), [kind]: rows.n })
    yield* rows.texts
  }
}

/** In the order in which they are restored: a race names its run, a run its shoe. */
async function* libraryTexts(work: Writing): AsyncGenerator<TextPieces> {
  const { db } = work
  const ofAll = async (kind: TableKind | 'settings') => {
    const rows = () => (kind === 'settings' ? [settingsRow(db)] : tableRows(db, kind))
    return textsOf((await readable(work, `library of ${kind}`, rows)) ?? [])
  }
  yield* textsOf([FORMAT_ROW])
  for (const kind of ['shoe', 'settings', 'mark'] as const) yield* await ofAll(kind)
  yield* runTexts(work, 'library')
  for (const kind of ['goal', 'race', 'place'] as const) yield* await ofAll(kind)
}

/** Each run leaves its samples and texts on this thread: without collecting, 400 runs peak at 197 MiB instead of 144. */
const RUNS_A_COLLECTION = 32

/** Ends where a damaged library cannot be read any further. */
function* runIds(work: Writing, sql: string): Generator<string> {
  let read = 0
  try {
    for (const { id } of work.db.$client.query<{ id: string }, []>(sql).iterate()) {
      yield id
      if (++read % RUNS_A_COLLECTION === 0) Bun.gc(true)
    }
  } catch (error) {
    noteUnreadable(work, 'workouts', error)
  }
}

async function manifestText(work: Writing): Promise<string> {
  const { db, options, counts } = work
  const user = await readable(work, 'user name', () => db.select({ username: users.username }).from(users).get())
  const manifest = {
    version: FORMAT_VERSION,
    harrierVersion: options.appVersion,
    exportDate: isoTime(options.nowMs),
    exportedBy: user?.username ?? '',
    statistics: counts,
    dataFormat: DATA_PATHS,
    sums: Object.fromEntries(work.sums),
    tables: (await readable(work, 'tables', () => tableSums(db))) ?? {},
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Longer names would make paths in the archive that some file systems cannot store. */
const NAME_LENGTH = 200

/**
 * Makes a user's file name safe as the last segment of a path in an archive: without separators, control characters and
 * characters with a meaning in paths. The original name is in the data files.
 */
function entryFileName(name: string): string {
  const cut = mediaFilename(name.normalize('NFC'), NAME_LENGTH)
  return /^\.*$/.test(cut) || safeName(`x/${cut}`) !== `x/${cut}` ? 'file' : cut
}
