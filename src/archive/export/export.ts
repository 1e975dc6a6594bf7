import { and, asc, eq, gt, or, sql } from 'drizzle-orm'
import { closeSnapshot, type Db, type Snapshot } from '../../db/open.ts'
import { media, settings, shoes, users, workoutSamples, workoutSplits, workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { rawDataPath, rawFilePath } from '../../library/files.ts'
import { mediaFilePath } from '../../library/media-files.ts'
import { rawDataText } from '../../library/raw-data.ts'
import { effortRecords } from '../../stats/best-efforts.ts'
import { unpackPositions, unpackTrack } from '../../workers/pack.ts'
import { type ZipItem, zipStream } from '../../zip/writer.ts'
import { entryFileName } from '../format/entry-names.ts'
import { type ArchiveCounts, DATA_PATHS, FORMAT_VERSION } from '../format/manifest.ts'
import { recordedOf } from '../format/recorded.ts'
import { effortObject, mediaRow, settingsObject, shoeObject, splitObject, workoutJson } from '../format/rows.ts'
import { routeText, sampleTexts } from '../format/sample-texts.ts'
import { readme } from './readme.ts'

export interface ExportOptions {
  readonly dataDir: string
  readonly nowMs: number
  /** Shown in the manifest. */
  readonly appVersion: string
}

/** `harrier-export-20251120-130511.zip`, UTC. */
export function archiveName(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split(/[T.]/)
  return `harrier-export-${date.replaceAll('-', '')}-${time.replaceAll(':', '')}.zip`
}

/**
 * The whole library as a ZIP of any size, in bounded memory, while others go on writing. The snapshot is closed when the
 * stream ends, however it ends. A file that a deletion took meanwhile is left out and named in README.txt.
 */
export function exportStream(snapshot: Snapshot, options: ExportOptions): ReadableStream<Uint8Array> {
  return zipStream(items(snapshot, options))
}

interface Export {
  readonly db: Db
  readonly options: ExportOptions
  readonly counts: ArchiveCounts
  /** Ids of workouts whose original, and of media whose file is not there. */
  readonly lostRaw: Set<string>
  /** Ids of workouts of which what was read out of the original is damaged. */
  readonly lostRawData: Set<string>
  readonly lostMedia: Set<string>
}

async function* items(snapshot: Snapshot, options: ExportOptions): AsyncGenerator<ZipItem> {
  const counts: ArchiveCounts = {
    ...{ workouts: 0, shoes: 0, mediaFiles: 0, totalSizeBytes: 0, settings: 0 },
    ...{ routes: 0, splits: 0, timeSeries: 0, bestEfforts: 0 },
  }
  const work: Export = {
    db: snapshot,
    options,
    counts,
    lostRaw: new Set(),
    lostRawData: new Set(),
    lostMedia: new Set(),
  }
  const text = (name: string, source: AsyncIterable<Uint8Array>): ZipItem => {
    return { name, source, compress: true, modifiedMs: options.nowMs }
  }
  try {
    yield text(DATA_PATHS.settings, settingsText(work))
    yield text(DATA_PATHS.shoes, jsonArray(shoeTexts(work)))
    // files first: what is not there any more is left out of the lists
    yield* rawItems(work)
    yield text(DATA_PATHS.workouts, jsonArray(workoutTexts(work)))
    yield text(DATA_PATHS.routes, jsonArray(routeTexts(work)))
    yield text(DATA_PATHS.splits, jsonArray(splitTexts(work)))
    yield text(DATA_PATHS.timeSeries, jsonArray(timeSeriesTexts(work)))
    yield text(DATA_PATHS.bestEfforts, jsonArray(effortTexts(work)))
    yield* mediaItems(work)
    yield text(DATA_PATHS.mediaMetadata, jsonArray(mediaTexts(work)))
    yield text('manifest.json', encoded([manifestText(work)]))
    yield text('README.txt', encoded([readme(counts, work)]))
  } finally {
    closeSnapshot(snapshot)
  }
}

/** Texts of rows, one or several with commas between them, as the text of one array. */
async function* jsonArray(rows: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let isFirst = true
  for await (const row of rows) {
    yield encoder.encode(isFirst ? `[\n${row}` : `,\n${row}`)
    isFirst = false
  }
  yield encoder.encode(isFirst ? '[]\n' : '\n]\n')
}

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

async function* settingsText({ db, counts }: Export): AsyncGenerator<Uint8Array> {
  const user = db.select({ createdAt: users.createdAt }).from(users).get()
  const object = settingsObject(db.select().from(settings).get(), user?.createdAt ?? 0)
  counts.settings = 1
  yield new TextEncoder().encode(`${JSON.stringify(object)}\n`)
}

function* shoeTexts({ db, counts }: Export): Generator<string> {
  for (const row of db.select().from(shoes).orderBy(asc(shoes.createdAt), asc(shoes.id)).all()) {
    counts.shoes += 1
    yield JSON.stringify(shoeObject(row))
  }
}

function* rawItems({ db, options, counts, lostRaw }: Export): Generator<ZipItem> {
  const rows = db.$client
    .query<{ id: string; name: string }, []>(
      'SELECT id, raw_file_name AS name FROM workout WHERE raw_file_name IS NOT NULL ORDER BY started_at, id',
    )
    .iterate()
  for (const { id, name } of rows) {
    // watch files are small and FIT packs by half; what is packed already costs a little time only
    yield {
      ...{ name: `workouts/${id}/raw/${entryFileName(name)}`, source: rawFilePath(options.dataDir, id) },
      ...{ compress: !/\.gz$/i.test(name), modifiedMs: options.nowMs },
      whenOpened: (size) => {
        if (size === null) lostRaw.add(id)
        else counts.totalSizeBytes += size
      },
    }
  }
}

async function* workoutTexts({ db, options, counts, lostRaw, lostRawData }: Export): AsyncGenerator<string> {
  const metaOf = db.$client.query<{ meta: string }, [string]>('SELECT meta FROM workout_samples WHERE workout_id = ?')
  for (const page of workoutPages(db)) {
    for (const row of page) {
      const meta = metaOf.get(row.id)?.meta ?? null
      const whenDamaged = () => lostRawData.add(row.id)
      const rawData = row.hasRawData ? await rawDataText(rawDataPath(options.dataDir, row.id), whenDamaged) : null
      counts.workouts += 1
      yield workoutJson(row, {
        recorded: meta === null ? null : recordedOf(meta),
        rawData,
        hasRawFile: row.rawFileName !== null && !lostRaw.has(row.id),
      })
    }
  }
}

const WORKOUTS_A_PAGE = 50

/** By start, then id. */
function* workoutPages(db: Db) {
  let last: { readonly startedAt: number; readonly id: string } | null = null
  for (;;) {
    const page: (typeof workouts.$inferSelect)[] = db
      .select()
      .from(workouts)
      .where(
        last === null
          ? undefined
          : or(
              gt(workouts.startedAt, last.startedAt),
              and(eq(workouts.startedAt, last.startedAt), gt(workouts.id, last.id)),
            ),
      )
      .orderBy(asc(workouts.startedAt), asc(workouts.id))
      .limit(WORKOUTS_A_PAGE)
      .all()
    if (page.length > 0) yield page
    last = page.at(-1) ?? null
    if (last === null) return
  }
}

function* routeTexts({ db, counts }: Export): Generator<string> {
  const rows = db.$client
    .query<{ workoutId: string; routeId: string | null; track: Uint8Array }, []>(
      `SELECT workout.id AS workoutId, workout.route_id AS routeId, workout_samples.track AS track
       FROM workout JOIN workout_samples ON workout_samples.workout_id = workout.id
       WHERE workout.route_preview IS NOT NULL ORDER BY workout.id`,
    )
    .iterate()
  for (const row of rows) {
    const text = routeText(row, unpackPositions(row.track))
    if (text === null) continue
    counts.routes += 1
    yield text
  }
}

const SPLITS_A_PAGE = 500

function* splitTexts({ db, counts }: Export): Generator<string> {
  let [workoutId, idx] = ['', 0]
  for (;;) {
    const page = db
      .select()
      .from(workoutSplits)
      .where(sql`(${workoutSplits.workoutId}, ${workoutSplits.idx}) > (${workoutId}, ${idx})`)
      .orderBy(asc(workoutSplits.workoutId), asc(workoutSplits.idx))
      .limit(SPLITS_A_PAGE)
      .all()
    if (page.length === 0) return
    counts.splits += page.length
    yield page.map((row) => JSON.stringify(splitObject(row))).join(',\n')
    const last = page.at(-1)!
    workoutId = last.workoutId
    idx = last.idx
  }
}

function* timeSeriesTexts({ db, counts }: Export): Generator<string> {
  const ids = db.$client.query<{ workout_id: string }, []>('SELECT workout_id FROM workout_samples ORDER BY workout_id')
  for (const { workout_id: workoutId } of ids.iterate()) {
    const stored = db.select().from(workoutSamples).where(eq(workoutSamples.workoutId, workoutId)).get()
    if (stored === undefined) continue
    const track = unpackTrack(stored)
    counts.timeSeries += track.n
    yield* sampleTexts(workoutId, track)
  }
}

function* effortTexts({ db, counts }: Export): Generator<string> {
  for (const record of effortRecords(db)) {
    counts.bestEfforts += 1
    yield JSON.stringify(effortObject(record))
  }
}

function* mediaItems({ db, options, counts, lostMedia }: Export): Generator<ZipItem> {
  for (const row of mediaRows(db)) {
    const name = `workouts/${row.workoutId}/media/${row.id}/${entryFileName(row.filename)}`
    yield {
      ...{ name, source: mediaFilePath(options.dataDir, row.id), compress: false, modifiedMs: row.createdAt },
      whenOpened: (size) => {
        if (size === null) return void lostMedia.add(row.id)
        counts.mediaFiles += 1
        counts.totalSizeBytes += size
      },
    }
  }
}

function* mediaTexts({ db, lostMedia }: Export): Generator<string> {
  for (const row of mediaRows(db)) if (!lostMedia.has(row.id)) yield JSON.stringify(mediaRow(row))
}

/** One by one: there may be more of them than memory holds. */
function* mediaRows(db: Db): Generator<typeof media.$inferSelect> {
  const ids = db.$client.query<{ id: string }, []>('SELECT id FROM media ORDER BY workout_id, created_at, id').iterate()
  for (const { id } of ids) {
    const row = db.select().from(media).where(eq(media.id, id)).get()
    if (row !== undefined) yield row
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
