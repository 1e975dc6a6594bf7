import { asc, sql } from 'drizzle-orm'
import { closeSnapshot, type Db, type Snapshot } from '../../db/open.ts'
import { workoutSplits, workouts } from '../../db/schema.ts'
import { settings, shoes, users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { createCollector } from '../../garbage.ts'
import { rawFilePath } from '../../library/files/paths.ts'
import { joinedPieces, type RawLibrary, type TextPieces } from '../../library/files/raw-data.ts'
import { workoutTrack } from '../../library/recordings.ts'
import { storedGoals } from '../../library/training/goals.ts'
import { storedTraining } from '../../library/training/profile.ts'
import { effortRecords } from '../../stats/best-efforts.ts'
import { type ZipItem, zipStream } from '../../zip/writer.ts'
import { settingsObject, shoeObject } from '../format/account-rows.ts'
import { HASHES_PATH, hashRows } from '../format/hashes.ts'
import { type ArchiveCounts, DATA_PATHS, type DataFile, FORMAT_VERSION } from '../format/manifest.ts'
import { effortObject } from '../format/part-rows.ts'
import { sampleTexts } from '../format/sample-rows.ts'
import { splitObject } from '../format/split-rows.ts'
import { GOALS_PATH } from '../format/training-rows.ts'
import { entryFileName } from './entry-names.ts'
import { mediaItems, mediaTexts } from './media-items.ts'
import { readme } from './readme.ts'
import { archivedId, type ExportedLibrary, recordingTexts, repairRows, workoutRouteText, workoutText } from './rows.ts'

interface ExportOptions {
  readonly dataDir: string
  readonly nowMs: number
  /** Version that the manifest states. */
  readonly appVersion: string
  /** Parses large originals in a Worker, so that other requests are answered meanwhile. */
  readonly analyzer?: RawLibrary['analyzer']
}

/** File name such as `harrier-export-20251120-130511.zip`, in UTC. */
export function archiveName(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split(/[T.]/)
  return `harrier-export-${date.replaceAll('-', '')}-${time.replaceAll(':', '')}.zip`
}

/**
 * The whole library as a ZIP of any size, in bounded memory, while other requests may write. The snapshot is closed
 * when the stream ends, successfully or not. A file that is deleted meanwhile is left out and named in README.txt.
 */
export function exportStream(snapshot: Snapshot, options: ExportOptions): ReadableStream<Uint8Array> {
  return zipStream(items(snapshot, options))
}

interface Export extends ExportedLibrary {
  readonly db: Db
  readonly options: ExportOptions
  readonly counts: ArchiveCounts
  /** Ids of recordings whose original is missing, and of their workouts; of media whose file is missing. */
  readonly lostOriginals: Set<string>
  readonly lostRaw: Set<string>
  /** Ids of workouts whose stored raw data is damaged. */
  readonly lostRawData: Set<string>
  readonly lostMedia: Set<string>
}

async function* items(snapshot: Snapshot, options: ExportOptions): AsyncGenerator<ZipItem> {
  const counts: ArchiveCounts = {
    workouts: 0,
    shoes: 0,
    mediaFiles: 0,
    totalSizeBytes: 0,
    settings: 0,
    routes: 0,
    splits: 0,
    timeSeries: 0,
    bestEfforts: 0,
    recordings: 0,
    repairs: 0,
  }
  const lostOriginals = new Set<string>()
  const lostRawData = new Set<string>()
  const work: Export = {
    db: snapshot,
    dataDir: options.dataDir,
    analyzer: options.analyzer,
    options,
    counts,
    lostOriginals,
    lostRaw: new Set(),
    lostRawData,
    lostMedia: new Set(),
    hasFile: (recordingId) => !lostOriginals.has(recordingId),
    whenDamaged: (workoutId) => lostRawData.add(workoutId),
  }
  const text = (name: string, source: AsyncIterable<Uint8Array>): ZipItem => {
    return { name, source, compress: true, modifiedMs: options.nowMs }
  }
  const rows = (kind: keyof ArchiveCounts & DataFile, pages: Pages): ZipItem => {
    const count = (written: number) => {
      counts[kind] += written
    }
    return text(DATA_PATHS[kind], jsonArray(pages, count))
  }
  try {
    yield text(DATA_PATHS.settings, encoded(settingsTexts(work)))
    yield rows('shoes', [shoeTexts(work)])
    // files are written before the lists, so that missing ones can be left out of these
    yield* rawItems(work)
    yield rows('workouts', workoutTexts(work))
    yield rows('routes', routeTexts(work))
    yield rows('splits', splitTexts(work))
    yield text(DATA_PATHS.timeSeries, jsonArray(timeSeriesTexts(work)))
    yield rows('bestEfforts', [effortRecords(snapshot).map((record) => JSON.stringify(effortObject(record)))])
    yield rows('recordings', eachRun(work, recordingTexts))
    yield rows(
      'repairs',
      eachRun(work, ({ db }, id) => repairRows(db, id).map((row) => JSON.stringify(row))),
    )
    const goals = storedGoals(snapshot)
    if (goals.length > 0) yield text(GOALS_PATH, jsonArray([goals.map((goal) => JSON.stringify(goal))]))
    yield* mediaItems(work)
    yield text(DATA_PATHS.mediaMetadata, jsonArray(mediaTexts(work)))
    if (counts.workouts > 0) yield text(HASHES_PATH, jsonArray(hashTexts(work)))
    yield text('manifest.json', encoded([manifestText(work)]))
    yield text('README.txt', encoded([readme(counts, work)]))
  } finally {
    closeSnapshot(snapshot)
  }
}

/** Texts of rows, a few at a time; a row that may be long is passed on alone, in pieces. */
type Page = readonly string[] | { readonly row: TextPieces }
type Pages = AsyncIterable<Page> | Iterable<Page>

/** Joins texts of rows to the text of one JSON array. */
async function* jsonArray(pages: Pages, whenWritten?: (count: number) => void): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let isFirst = true
  for await (const page of pages) {
    const [count, pieces] = 'row' in page ? [1, page.row] : [page.length, [page.join(',\n')]]
    if (count === 0) continue
    whenWritten?.(count)
    for (const piece of joinedPieces([isFirst ? '[\n' : ',\n', ...pieces])) {
      yield typeof piece === 'string' ? encoder.encode(piece) : piece
    }
    isFirst = false
  }
  yield encoder.encode(isFirst ? '[]\n' : '\n]\n')
}

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

function* settingsTexts({ db, counts }: Export): Generator<string> {
  const user = db.select({ createdAt: users.createdAt }).from(users).get()
  counts.settings = 1
  const more = { sinceMs: user?.createdAt ?? 0, training: storedTraining(db) }
  yield `${JSON.stringify(settingsObject(db.select().from(settings).get(), more))}\n`
}

function shoeTexts({ db }: Export): string[] {
  const rows = db.select().from(shoes).orderBy(asc(shoes.createdAt), asc(shoes.id)).all()
  return rows.map((row) => JSON.stringify(shoeObject(row)))
}

/**
 * The first original of each workout, at the path where older readers look for it, and every other one under the id of
 * its recording.
 */
function* rawItems({ db, options, counts, lostOriginals, lostRaw }: Export): Generator<ZipItem> {
  const rows = db.$client
    .query<{ id: string; storedAs: string; workoutId: string; name: string; isFirst: number }, []>(
      `SELECT recording.id, stored_as AS storedAs, run_id AS workoutId, coalesce(file_name, 'file') AS name,
         place = min(place) OVER (PARTITION BY run_id) AS isFirst
       FROM recording JOIN naming ON recording_id = recording.id AND live = 1 JOIN workout ON workout.id = run_id
       WHERE stored_as IS NOT NULL ORDER BY workout.started_at, run_id, place`,
    )
    .iterate()
  for (const { id, storedAs, workoutId, name, isFirst } of rows) {
    const folder = `workouts/${workoutId}/${isFirst === 1 ? 'raw' : `recordings/${archivedId(db, workoutId, id)}`}`
    // watch files are small, and FIT shrinks by half; files that are packed already only cost a little time
    yield {
      name: `${folder}/${entryFileName(name)}`,
      source: rawFilePath(options.dataDir, storedAs),
      compress: !/\.gz$/i.test(name),
      modifiedMs: options.nowMs,
      whenOpened: (size) => {
        if (size !== null) counts.totalSizeBytes += size
        else {
          lostOriginals.add(id)
          lostRaw.add(workoutId)
        }
      },
    }
  }
}

const WORKOUTS_A_PAGE = 50
/** Raw data is parsed from originals, which leaves 5 to 20 MB of garbage each. */
const ORIGINALS_A_COLLECTION = 10

/** Rows of workouts ordered by start, then id. */
async function* workoutTexts(work: Export): AsyncGenerator<Page> {
  let [startedAt, id] = [Number.MIN_SAFE_INTEGER, '']
  const collect = createCollector(ORIGINALS_A_COLLECTION)
  for (;;) {
    const page = work.db
      .select()
      .from(workouts)
      .where(sql`(${workouts.startedAt}, ${workouts.id}) > (${startedAt}, ${id})`)
      .orderBy(asc(workouts.startedAt), asc(workouts.id))
      .limit(WORKOUTS_A_PAGE)
      .all()
    for (const row of page) {
      yield { row: await workoutText(work, row) }
      collect()
    }
    const last = page.at(-1)
    if (last === undefined) return
    startedAt = last.startedAt
    id = last.id
  }
}

function* routeTexts({ db }: Export): Generator<[string]> {
  const collect = createCollector(WORKOUTS_A_COLLECTION)
  const rows = db.$client.query<{ id: string }, []>(
    'SELECT id FROM workout WHERE route_preview IS NOT NULL ORDER BY id',
  )
  for (const { id } of rows.iterate()) {
    const text = workoutRouteText({ db }, id)
    if (text !== null) yield [text]
    collect()
  }
}

const SPLITS_A_PAGE = 500

function* splitTexts({ db }: Export): Generator<string[]> {
  let [workoutId, idx] = ['', 0]
  for (;;) {
    const page = db
      .select()
      .from(workoutSplits)
      .where(sql`(${workoutSplits.workoutId}, ${workoutSplits.idx}) > (${workoutId}, ${idx})`)
      .orderBy(asc(workoutSplits.workoutId), asc(workoutSplits.idx))
      .limit(SPLITS_A_PAGE)
      .all()
    yield page.map((row) => JSON.stringify(splitObject(row)))
    const last = page.at(-1)
    if (last === undefined) return
    workoutId = last.workoutId
    idx = last.idx
  }
}

function* timeSeriesTexts({ db, counts }: Export): Generator<[string]> {
  for (const id of runIds(db)) {
    const track = workoutTrack(db, id)
    if (track === null) continue
    counts.timeSeries += track.n
    for (const text of sampleTexts(id, track)) yield [text]
  }
}

type TextsOf = (library: ExportedLibrary, workoutId: string) => string[] | Promise<string[]>

async function* eachRun(work: Export, textsOf: TextsOf): AsyncGenerator<string[]> {
  for (const id of runIds(work.db)) yield await textsOf(work, id)
}

function* hashTexts({ db, hasFile, lostMedia }: Export): Generator<string[]> {
  const collect = createCollector(WORKOUTS_A_COLLECTION)
  for (const row of hashRows({ db, hasFile, hasMedia: (id) => !lostMedia.has(id) })) {
    yield [JSON.stringify(row)]
    collect()
  }
}

/** Samples are unpacked, which leaves more garbage than the collector removes in time by itself. */
const WORKOUTS_A_COLLECTION = 20

/** Ids of workouts, ascending. */
function* runIds(db: Db): Generator<string> {
  const collect = createCollector(WORKOUTS_A_COLLECTION)
  for (const { id } of db.$client.query<{ id: string }, []>('SELECT id FROM workout ORDER BY id').iterate()) {
    yield id
    collect()
  }
}

function manifestText({ db, options, counts }: Export): string {
  const user = db.select({ username: users.username }).from(users).get()
  const manifest = {
    version: FORMAT_VERSION,
    harrierVersion: options.appVersion,
    exportDate: isoTime(options.nowMs),
    exportedBy: user?.username ?? '',
    statistics: counts,
    dataFormat: DATA_PATHS,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
