import { existsSync } from 'node:fs'
import type { Db } from '../../db/open.ts'
import { engineRepairs, isJoined, runHead } from '../../library/documents/run.ts'
import { rawFilePath } from '../../library/files/paths.ts'
import { wholeText } from '../../library/files/raw-data.ts'
import { primaryId, workoutTrack } from '../../library/recordings.ts'
import type { ExportedLibrary } from '../export/library.ts'
import { LIBRARY_ROWS, RUN_ROWS } from '../export/rows.ts'
import { numberOf, type Row, textOf, uuidOf } from '../format/fields.ts'
import type { DataFile } from '../format/manifest.ts'
import { sampleTexts } from '../format/sample-rows.ts'

/** The library that a restore produced, as an export would write it. */
export function restoredLibrary(db: Db, dataDir: string): ExportedLibrary {
  const hasFile = (recordingId: string) => existsSync(rawFilePath(dataDir, recordingId))
  return { db, dataDir, hasFile, hasMedia: () => true, whenDamaged: () => {} }
}

/** Kinds of rows that are compared one by one. */
export type ComparedFile = keyof typeof LIBRARY_ROWS | keyof typeof RUN_ROWS

/**
 * A function that gives the row that an export would write for an archived one; null when it was not restored. The rows of
 * one run are kept until those of another are asked for.
 */
export function restoredRows(library: ExportedLibrary, kind: ComparedFile): (row: Row) => Promise<Row | null> {
  let last: { readonly workoutId: string | null; readonly rows: readonly Row[] } | null = null
  return async (row) => {
    const workoutId = kind in RUN_ROWS ? (uuidOf(kind === 'workouts' ? row.id : row.workoutId) ?? '') : null
    if (last?.workoutId !== workoutId || last === null)
      last = { workoutId, rows: await rowsOf(library, kind, workoutId) }
    return last.rows.find((restored) => isSame(kind, restored, row)) ?? null
  }
}

async function rowsOf(library: ExportedLibrary, kind: ComparedFile, workoutId: string | null): Promise<Row[]> {
  if (!isOfRun(kind)) return LIBRARY_ROWS[kind](library) as unknown as Row[]
  if (workoutId === null || runHead(library.db, workoutId) === null) return []
  const texts = await RUN_ROWS[kind](library, workoutId)
  return texts.map((text) => JSON.parse(wholeText(text)) as Row)
}

function isOfRun(kind: ComparedFile): kind is keyof typeof RUN_ROWS {
  return kind in RUN_ROWS
}

function isSame(kind: ComparedFile, restored: Row, row: Row): boolean {
  if (kind === 'settings' || kind === 'routes') return true
  if (kind === 'splits') return restored.idx === numberOf(row.idx)
  if (kind === 'bestEfforts')
    return textOf(restored.distance)?.toLowerCase() === textOf(row.distance)?.trim().toLowerCase()
  return restored.id === uuidOf(row.id)
}

const COUNTED = {
  settings: '(SELECT 1)',
  shoes: 'shoe',
  goals: 'training_goal',
  races: 'race',
  places: 'place',
  workouts: 'workout',
  routes: 'workout WHERE route_preview IS NOT NULL',
  splits: 'workout_split',
  mediaMetadata: 'media',
  recordings: 'naming WHERE live = 1',
}
const REPAIRS = `SELECT sum(json_array_length(body, '$.track.repairs') + (json_type(body, '$.track.join') IS NOT NULL)) AS n
  FROM document WHERE body IS NOT NULL`

/** Number of rows that an export would write. */
export function restoredCount(library: ExportedLibrary, kind: DataFile): number {
  const { $client } = library.db
  if (kind === 'bestEfforts') return LIBRARY_ROWS.bestEfforts(library).length
  if (kind === 'timeSeries') return samplesCount(library.db)
  const sql = kind === 'repairs' ? REPAIRS : `SELECT count(*) AS n FROM ${COUNTED[kind as keyof typeof COUNTED]}`
  return $client.query<{ n: number | null }, []>(sql).get()?.n ?? 0
}

/** For repaired workouts only the samples that the repairs leave count. */
function samplesCount(db: Db): number {
  const ids = db.$client.query<{ id: string }, []>('SELECT id FROM workout').all()
  const counted = db.$client.query<{ n: number }, [string]>(
    'SELECT sample_count AS n FROM samples WHERE recording_id = ?',
  )
  return ids.reduce((sum, { id }) => {
    const { track } = runHead(db, id)!.body
    const isChanged = isJoined(track) || engineRepairs(track).length > 0
    const n = isChanged ? workoutTrack(db, id)?.n : counted.get(primaryId(db, track) ?? '')?.n
    return sum + (n ?? 0)
  }, 0)
}

/** The sample rows of one workout as an export would write them, in order of time; none without samples. */
export function* restoredSampleRows({ db }: ExportedLibrary, workoutId: string): Generator<Row> {
  const track = workoutTrack(db, workoutId)
  if (track === null) return
  for (const text of sampleTexts(workoutId, track)) yield* JSON.parse(`[${text}]`) as Row[]
}
