import packageJson from '../../../package.json' with { type: 'json' }
import { printableName } from '../../base/texts.ts'
import { closeSnapshot, openSnapshot, type Snapshot } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import { mediaFilePath, rawFilePath } from '../../library/files/paths.ts'
import { joinedPieces, type RawLibrary, type TextPieces } from '../../library/files/raw-data.ts'
import { workoutTrack } from '../../library/recordings.ts'
import { safeName } from '../../zip/entry-name.ts'
import type { ZipItem } from '../../zip/writer.ts'
import type { RunRow, TableKind } from '../format/library-rows.ts'
import { type ArchiveCounts, DATA_PATHS, FORMAT_VERSION, LIBRARY_PATH } from '../format/manifest.ts'
import { sampleTexts } from '../format/sample-rows.ts'
import { FORMAT_ROW, NO_ROWS, runRow, settingsRow, tableRows } from './library-rows.ts'
import { readme } from './readme.ts'
import { type Export, LIBRARY_ROWS, mediaOf, RUN_ROWS, texts } from './rows.ts'
import { tableSums } from './table-sums.ts'

interface ExportOptions {
  readonly dataDir: string
  readonly nowMs: number
  /** Version that the manifest states. */
  readonly appVersion: string
  /** Parses large originals in a Worker, so that other requests are answered meanwhile. */
  readonly worker?: RawLibrary['worker']
  /** The database is known to be damaged: what cannot be read is left out and named in README.txt. */
  readonly isDamaged?: boolean
}

interface Writing extends Export {
  readonly options: ExportOptions
  readonly counts: ArchiveCounts
  /** SHA-256 of the data files by path. */
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
  const appVersion = config.buildVersion ?? packageJson.version
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
  const ofLibrary = (name: string, rows: readonly object[]) => text(name, jsonArray([texts(rows)]))
  const ofRuns = (kind: keyof typeof RUN_ROWS) => text(DATA_PATHS[kind], jsonArray(runTexts(work, kind)))
  try {
    const ofAll = async <T extends object>(kind: keyof typeof LIBRARY_ROWS, rows: (work: Writing) => readonly T[]) =>
      await readable(work, kind, { read: () => rows(work), otherwise: [] })
    const [settings = null] = await ofAll('settings', LIBRARY_ROWS.settings)
    yield text(DATA_PATHS.settings, encoded([`${JSON.stringify(settings)}\n`]))
    const shoes = await ofAll('shoes', LIBRARY_ROWS.shoes)
    counts.shoes = shoes.length
    yield ofLibrary(DATA_PATHS.shoes, shoes)
    // files are written before the lists, so that missing ones can be left out of these
    yield* rawItems(work)
    for (const kind of ['workouts', 'routes', 'splits'] as const) yield ofRuns(kind)
    yield text(DATA_PATHS.timeSeries, jsonArray(timeSeriesTexts(work)))
    const efforts = await ofAll('bestEfforts', LIBRARY_ROWS.bestEfforts)
    counts.bestEfforts = efforts.length
    yield ofLibrary(DATA_PATHS.bestEfforts, efforts)
    yield* mediaItems(work)
    yield ofRuns('mediaMetadata')
    yield text(LIBRARY_PATH, jsonArray(libraryTexts(work)))
    yield text('manifest.json', encoded([await manifestText(work)]))
    yield text('README.txt', encoded([readme(counts, work.lost)]))
  } finally {
    closeSnapshot(snapshot)
  }
}

interface Reading<T> {
  readonly read: () => T | Promise<T>
  readonly otherwise: T
}

/** A part of the library; of a damaged one that cannot be read nothing, which is noted. */
async function readable<T>(work: Writing, what: string, { read, otherwise }: Reading<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    noteUnreadable(work, what, error)
    return otherwise
  }
}

/** Ends where a damaged library cannot be read any further. */
function* whileReadable<T>(work: Writing, what: string, items: Iterable<T>): Generator<T> {
  try {
    yield* items
  } catch (error) {
    noteUnreadable(work, what, error)
  }
}

/** @throws the error, unless the database is damaged */
function noteUnreadable({ options, lost }: Writing, what: string, error: unknown): void {
  if (!options.isDamaged) throw error
  lost.unreadable.add(what)
}

/** Some rows as JSON texts; the text of a row that may be long is in pieces. */
type Page = readonly TextPieces[]

/** Joins texts of rows to the text of one JSON array. */
async function* jsonArray(pages: AsyncIterable<Page> | Iterable<Page>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    const pieces = page.flatMap((row, place) => [place === 0 ? before : ',\n', ...row])
    for (const piece of joinedPieces(pieces)) yield typeof piece === 'string' ? encoder.encode(piece) : piece
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

async function* encoded(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of parts) yield new TextEncoder().encode(text)
}

/**
 * The first original of each workout, at the path where other programs look for it, and every other one under the id of
 * its recording.
 */
async function* rawItems(work: Writing): AsyncGenerator<ZipItem> {
  for (const workoutId of runIds(work, RUNS.workouts)) {
    const read = () => originalsOf(work, workoutId)
    yield* await readable(work, `originals of ${workoutId}`, { read, otherwise: [] })
  }
}

function originalsOf({ db, options, counts, files, lost }: Writing, workoutId: string): ZipItem[] {
  const rows = db.$client.query<{ id: string; storedAs: string; name: string; isFirst: number }, [string]>(
    `SELECT recording.id, stored_as AS storedAs, coalesce(file_name, 'file') AS name,
       place = min(place) OVER () AS isFirst
     FROM naming JOIN recording ON recording_id = recording.id
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
    const read = () => mediaOf(db, workoutId)
    for (const { id, filename, createdAt } of await readable(work, `media of ${workoutId}`, { read, otherwise: [] })) {
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

const ALL = 'SELECT id FROM workout ORDER BY id'
/** The runs that have rows in a data file, in its order. */
const RUNS: { readonly [K in keyof typeof RUN_ROWS]: string } = {
  workouts: 'SELECT id FROM workout ORDER BY started_at, id',
  routes: 'SELECT id FROM workout WHERE route_preview IS NOT NULL ORDER BY id',
  splits: ALL,
  mediaMetadata: 'SELECT DISTINCT workout.id FROM media JOIN workout ON workout.id = workout_id ORDER BY workout.id',
}

async function* runTexts(work: Writing, kind: keyof typeof RUN_ROWS): AsyncGenerator<Page> {
  const { counts } = work
  for (const id of runIds(work, RUNS[kind])) {
    const read = () => RUN_ROWS[kind](work, id)
    const page = await readable<Page>(work, `${kind} of ${id}`, { read, otherwise: [] })
    // the files of media are counted instead
    if (kind !== 'mediaMetadata') counts[kind] += page.length
    if (kind === 'routes' || kind === 'splits') countRows(work, id, { [kind]: page.length })
    yield page
  }
}

async function* timeSeriesTexts(work: Writing): AsyncGenerator<Page> {
  const { db, counts } = work
  for (const id of runIds(work, ALL)) {
    const track = await readable(work, `timeSeries of ${id}`, { read: () => workoutTrack(db, id), otherwise: null })
    if (track === null) continue
    counts.timeSeries += track.n
    countRows(work, id, { timeSeries: track.n })
    for (const text of sampleTexts(id, track)) yield [[text]]
  }
}

function countRows({ rows }: Writing, id: string, counted: Partial<RunRow['rows']>): void {
  rows.set(id, { ...(rows.get(id) ?? NO_ROWS), ...counted })
}

/** In the order in which they are restored: a race names its run, a run its shoe. */
async function* libraryTexts(work: Writing): AsyncGenerator<Page> {
  const { db } = work
  const ofAll = async (kind: TableKind | 'settings') => {
    const read = () => (kind === 'settings' ? [settingsRow(db)] : tableRows(db, kind))
    return texts(await readable(work, `library of ${kind}`, { read, otherwise: [] }))
  }
  yield texts([FORMAT_ROW])
  for (const kind of ['shoe', 'settings', 'mark'] as const) yield await ofAll(kind)
  for (const id of runIds(work, RUNS.workouts)) {
    const read = async () => texts([await runRow(work, id)])
    yield await readable<Page>(work, `library of ${id}`, { read, otherwise: [] })
  }
  for (const kind of ['goal', 'race', 'place'] as const) yield await ofAll(kind)
}

/** Each run leaves its samples and texts on this thread: without collecting, 400 runs peak at 197 MiB instead of 144. */
const RUNS_A_COLLECTION = 32

function* runIds(work: Writing, sql: string): Generator<string> {
  const ids = work.db.$client.query<{ id: string }, []>(sql).iterate()
  let read = 0
  for (const { id } of whileReadable(work, 'workouts', ids)) {
    yield id
    if (++read % RUNS_A_COLLECTION === 0) Bun.gc(true)
  }
}

async function manifestText(work: Writing): Promise<string> {
  const { db, options, counts } = work
  const read = () => db.select({ username: users.username }).from(users).get()
  const user = await readable(work, 'user name', { read, otherwise: undefined })
  const manifest = {
    version: FORMAT_VERSION,
    harrierVersion: options.appVersion,
    exportDate: isoTime(options.nowMs),
    exportedBy: user?.username ?? '',
    statistics: counts,
    dataFormat: DATA_PATHS,
    sums: Object.fromEntries(work.sums),
    tables: await readable(work, 'tables', { read: () => tableSums(db), otherwise: {} }),
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
  const base = printableName(name.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? '')
  const characters = [...base]
  const dot = characters.lastIndexOf('.')
  const extension = dot === -1 || characters.length - dot > 10 ? [] : characters.slice(dot)
  const cut =
    characters.length <= NAME_LENGTH
      ? base
      : [...characters.slice(0, NAME_LENGTH - extension.length), ...extension].join('')
  return /^\.*$/.test(cut) || safeName(`x/${cut}`) !== `x/${cut}` ? 'file' : cut
}
