import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { media, settings, shoes, workoutSamples, workoutSplits, workouts } from '../../db/schema.ts'
import { rawDataPath, rawFilePath } from '../../library/files.ts'
import { rawDataText } from '../../library/raw-data.ts'
import { effortRecords } from '../../stats/best-efforts.ts'
import { unpackPositions, unpackTrack } from '../../workers/pack.ts'
import type { DataFile } from '../format/manifest.ts'
import { recordedOf } from '../format/recorded.ts'
import { numberOf, type Row, textOf, uuidOf } from '../format/row-fields.ts'
import { effortObject, mediaRow, settingsObject, shoeObject, splitObject, workoutJson } from '../format/rows.ts'
import { routeText, sampleTexts } from '../format/sample-texts.ts'

/** The library that came out of a restore. */
export interface RestoredLibrary {
  readonly db: Db
  readonly dataDir: string
}

/** What an export would write for the thing that an archived row is about; null when it was not restored. */
export async function restoredRow(library: RestoredLibrary, kind: DataFile, row: Row): Promise<Row | null> {
  const { db } = library
  const id = uuidOf(row.id) ?? ''
  const workoutId = uuidOf(row.workoutId) ?? ''
  if (kind === 'settings') return settingsObject(db.select().from(settings).get(), 0)
  if (kind === 'workouts') return await workoutRow(library, id)
  if (kind === 'routes') return routeRow(db, workoutId)
  if (kind === 'bestEfforts') {
    const label = textOf(row.distance)?.trim().toLowerCase()
    const record = effortRecords(db).find(({ distance }) => distance.toLowerCase() === label)
    return record === undefined ? null : effortObject(record)
  }
  if (kind === 'shoes') {
    const shoe = db.select().from(shoes).where(eq(shoes.id, id)).get()
    return shoe === undefined ? null : shoeObject(shoe)
  }
  if (kind === 'mediaMetadata') {
    const photo = db.select().from(media).where(eq(media.id, id)).get()
    return photo === undefined ? null : mediaRow(photo)
  }
  const at = and(eq(workoutSplits.workoutId, workoutId), eq(workoutSplits.idx, numberOf(row.idx) ?? -1))
  const split = db.select().from(workoutSplits).where(at).get()
  return split === undefined ? null : splitObject(split)
}

/** How many rows an export would write. */
export function restoredCount({ db }: RestoredLibrary, kind: DataFile): number {
  if (kind === 'settings') return 1
  if (kind === 'bestEfforts') return effortRecords(db).length
  const counted = {
    shoes: 'count(*) AS n FROM shoe',
    workouts: 'count(*) AS n FROM workout',
    routes: 'count(*) AS n FROM workout WHERE route_preview IS NOT NULL',
    splits: 'count(*) AS n FROM workout_split',
    timeSeries: 'coalesce(sum(sample_count), 0) AS n FROM workout_samples',
    mediaMetadata: 'count(*) AS n FROM media',
  }[kind]
  return db.$client.query<{ n: number }, []>(`SELECT ${counted}`).get()?.n ?? 0
}

/** The sample rows of one workout as an export would write them, in order of time; none when it has no samples. */
export function* restoredSampleRows({ db }: RestoredLibrary, workoutId: string): Generator<Row> {
  const stored = db.select().from(workoutSamples).where(eq(workoutSamples.workoutId, workoutId)).get()
  if (stored === undefined) return
  for (const text of sampleTexts(workoutId, unpackTrack(stored))) yield* JSON.parse(`[${text}]`) as Row[]
}

/** Whether something of a workout was restored at all. */
export function hasRestored({ db }: RestoredLibrary, kind: 'routes' | 'timeSeries', workoutId: string): boolean {
  const asked =
    kind === 'routes'
      ? 'SELECT 1 FROM workout WHERE id = ? AND route_preview IS NOT NULL'
      : 'SELECT 1 FROM workout_samples WHERE workout_id = ?'
  return db.$client.query(asked).get(workoutId) !== null
}

async function workoutRow({ db, dataDir }: RestoredLibrary, id: string): Promise<Row | null> {
  const row = db.select().from(workouts).where(eq(workouts.id, id)).get()
  if (row === undefined) return null
  const samples = db
    .select({ meta: workoutSamples.meta })
    .from(workoutSamples)
    .where(eq(workoutSamples.workoutId, id))
    .get()
  const text = workoutJson(row, {
    recorded: samples === undefined ? null : recordedOf(samples.meta),
    rawData: row.hasRawData ? await rawDataText(rawDataPath(dataDir, id), () => {}) : null,
    hasRawFile: row.rawFileName !== null && (await Bun.file(rawFilePath(dataDir, id)).exists()),
  })
  return JSON.parse(text) as Row
}

function routeRow(db: Db, workoutId: string): Row | null {
  const route = db
    .select({ routeId: workouts.routeId, track: workoutSamples.track })
    .from(workouts)
    .innerJoin(workoutSamples, eq(workoutSamples.workoutId, workouts.id))
    .where(and(eq(workouts.id, workoutId), sql`${workouts.routePreview} IS NOT NULL`))
    .get()
  if (route === undefined) return null
  const text = routeText({ workoutId, routeId: route.routeId }, unpackPositions(route.track))
  return text === null ? null : (JSON.parse(text) as Row)
}
