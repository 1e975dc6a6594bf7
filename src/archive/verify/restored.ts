import { existsSync } from 'node:fs'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { media, workoutSplits, workouts } from '../../db/schema.ts'
import { settings, shoes } from '../../db/schema-account.ts'
import { engineRepairs, isJoined, runHead } from '../../library/documents/run.ts'
import { rawFilePath } from '../../library/files/paths.ts'
import { wholeText } from '../../library/files/raw-data.ts'
import { primaryId, workoutTrack } from '../../library/recordings.ts'
import { storedTraining } from '../../library/training/profile.ts'
import { effortRecords } from '../../stats/best-efforts.ts'
import { recordingTexts, repairRows, workoutRouteText, workoutText } from '../export/rows.ts'
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
  const exported = { ...library, hasFile: hasFileIn(dataDir), whenDamaged: () => {} }
  if (kind === 'recordings') return rowOf(await recordingTexts(exported, workoutId), id)
  if (kind === 'repairs') return repairsOf(db, workoutId).find((row) => row.id === id) ?? null
  const workout = db
    .select()
    .from(workouts)
    .where(eq(workouts.id, kind === 'routes' ? workoutId : id))
    .get()
  if (workout === undefined) return null
  if (kind === 'workouts') return JSON.parse(wholeText(await workoutText(exported, workout))) as Row
  const text = workout.routePreview === null ? null : workoutRouteText(exported, workoutId)
  return text === null ? null : (JSON.parse(text) as Row)
}

export function hasFileIn(dataDir: string): (recordingId: string) => boolean {
  return (recordingId) => existsSync(rawFilePath(dataDir, recordingId))
}

function repairsOf(db: Db, workoutId: string): Row[] {
  return runHead(db, workoutId) === null ? [] : repairRows(db, workoutId)
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
  if (kind === 'repairs') return sumOver(db, (id) => repairRows(db, id).length)
  const counted = {
    shoes: 'shoe',
    workouts: 'workout',
    routes: 'workout WHERE route_preview IS NOT NULL',
    splits: 'workout_split',
    mediaMetadata: 'media',
    recordings: 'naming WHERE live = 1',
  }[kind]
  return db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${counted}`).get()?.n ?? 0
}

function sumOver(db: Db, count: (workoutId: string) => number): number {
  const ids = db.$client.query<{ id: string }, []>('SELECT id FROM workout').all()
  return ids.reduce((sum, { id }) => sum + count(id), 0)
}

/** For repaired workouts only the samples that the repairs leave count. */
function samplesCount(db: Db): number {
  const counted = db.$client.query<{ n: number }, [string]>(
    'SELECT sample_count AS n FROM samples WHERE recording_id = ?',
  )
  return sumOver(db, (id) => {
    const { track } = runHead(db, id)!.body
    if (isJoined(track) || engineRepairs(track).length > 0) return workoutTrack(db, id)?.n ?? 0
    return counted.get(primaryId(db, track) ?? '')?.n ?? 0
  })
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
      : 'SELECT 1 FROM samples JOIN naming USING (recording_id) WHERE run_id = ? AND live = 1'
  return db.$client.query(asked).get(workoutId) !== null
}
