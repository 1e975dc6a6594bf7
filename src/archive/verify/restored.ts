import { existsSync } from 'node:fs'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { media, workoutSplits, workouts } from '../../db/schema.ts'
import { settings, shoes } from '../../db/schema-account.ts'
import { rawFilePath } from '../../library/files/paths.ts'
import { wholeText } from '../../library/files/raw-data.ts'
import { workoutTrack } from '../../library/recordings.ts'
import { storedTraining } from '../../library/training/profile.ts'
import { effortRecords } from '../../stats/best-efforts.ts'
import { recordingTexts, repairTexts, workoutRouteText, workoutText } from '../export/rows.ts'
import { settingsObject, shoeObject } from '../format/account-rows.ts'
import { numberOf, type Row, textOf, uuidOf } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { effortObject, mediaObject } from '../format/part-rows.ts'
import { sampleTexts } from '../format/sample-rows.ts'
import { splitObject } from '../format/split-rows.ts'

/** The library that a restore produced. */
export interface RestoredLibrary {
  readonly db: Db
  readonly dataDir: string
}

/** The row that an export would write for the record of an archived row; null when it was not restored. */
export async function restoredRow(library: RestoredLibrary, kind: DataFile, row: Row): Promise<Row | null> {
  const { db, dataDir } = library
  const id = uuidOf(row.id) ?? ''
  const workoutId = uuidOf(row.workoutId) ?? ''
  if (kind === 'settings')
    return settingsObject(db.select().from(settings).get(), { sinceMs: 0, training: storedTraining(db) })
  if (kind === 'bestEfforts') {
    const label = textOf(row.distance)?.trim().toLowerCase()
    return asRow(
      effortRecords(db).find(({ distance }) => distance.toLowerCase() === label),
      effortObject,
    )
  }
  if (kind === 'shoes') return asRow(db.select().from(shoes).where(eq(shoes.id, id)).get(), shoeObject)
  if (kind === 'mediaMetadata') return asRow(db.select().from(media).where(eq(media.id, id)).get(), mediaObject)
  if (kind === 'splits') {
    const at = and(eq(workoutSplits.workoutId, workoutId), eq(workoutSplits.idx, numberOf(row.idx) ?? -1))
    return asRow(db.select().from(workoutSplits).where(at).get(), splitObject)
  }
  const hasFile = (recordingId: string) => existsSync(rawFilePath(dataDir, recordingId))
  const exported = { ...library, hasFile, whenDamaged: () => {} }
  if (kind === 'recordings') return rowOf(await recordingTexts(exported, workoutId), id)
  if (kind === 'repairs') return rowOf(repairTexts(exported, workoutId), id)
  const workout = db
    .select()
    .from(workouts)
    .where(eq(workouts.id, kind === 'routes' ? workoutId : id))
    .get()
  if (workout === undefined) return null
  if (kind === 'workouts') return JSON.parse(wholeText(await workoutText(exported, workout))) as Row
  const { routeId, routePreview } = workout
  const text = routePreview === null ? null : workoutRouteText(exported, { workoutId, routeId })
  return text === null ? null : (JSON.parse(text) as Row)
}

function asRow<T>(found: T | undefined, object: (found: T) => Row): Row | null {
  return found === undefined ? null : object(found)
}

function rowOf(texts: readonly string[], id: string): Row | null {
  return texts.map((text) => JSON.parse(text) as Row).find((row) => row.id === id) ?? null
}

/** Number of rows that an export would write. */
export function restoredCount({ db }: RestoredLibrary, kind: DataFile): number {
  if (kind === 'settings') return 1
  if (kind === 'bestEfforts') return effortRecords(db).length
  if (kind === 'timeSeries') return samplesCount(db)
  const counted = {
    shoes: 'shoe',
    workouts: 'workout',
    routes: 'workout WHERE route_preview IS NOT NULL',
    splits: 'workout_split',
    mediaMetadata: 'media',
    recordings: 'recording',
    repairs: 'repair',
  }[kind]
  return db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${counted}`).get()?.n ?? 0
}

/** For repaired workouts only the samples that the repairs leave count. */
function samplesCount(db: Db): number {
  const whole = db.$client.query<{ n: number }, []>(
    `SELECT coalesce(sum(sample_count), 0) AS n FROM samples JOIN recording ON recording.id = samples.recording_id
     WHERE position = 0 AND NOT EXISTS (
       SELECT 1 FROM repair WHERE repair.workout_id = recording.workout_id AND undone_at IS NULL)`,
  )
  const repaired = db.$client.query<{ id: string }, []>(
    'SELECT DISTINCT workout_id AS id FROM repair WHERE undone_at IS NULL',
  )
  return repaired.all().reduce((sum, { id }) => sum + (workoutTrack(db, id)?.n ?? 0), whole.get()?.n ?? 0)
}

/** The sample rows of one workout as an export would write them, in order of time; none without samples. */
export function* restoredSampleRows({ db }: RestoredLibrary, workoutId: string): Generator<Row> {
  const track = workoutTrack(db, workoutId)
  if (track === null) return
  for (const text of sampleTexts(workoutId, track)) yield* JSON.parse(`[${text}]`) as Row[]
}

/** Whether any of these parts of a workout was restored. */
export function hasRestored({ db }: RestoredLibrary, kind: 'routes' | 'timeSeries', workoutId: string): boolean {
  const asked =
    kind === 'routes'
      ? 'SELECT 1 FROM workout WHERE id = ? AND route_preview IS NOT NULL'
      : 'SELECT 1 FROM samples JOIN recording ON recording.id = samples.recording_id WHERE workout_id = ?'
  return db.$client.query(asked).get(workoutId) !== null
}
