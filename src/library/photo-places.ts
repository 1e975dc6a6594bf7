import type { MediaType } from '../db/stored.ts'
import type { Deps } from './deps.ts'
import { documentRow } from './documents/run.ts'
import { mediaFilePath } from './files/paths.ts'
import { statedBy } from './files/taken.ts'
import { storedTrack } from './recordings.ts'

export type PlaceDeps = Pick<Deps, 'db' | 'config' | 'log' | 'worker'>

/** What is still to be done, of one run or of all. */
interface Asked {
  readonly workoutId: string | null
  readonly signal?: AbortSignal
}

/** SQL of when a photo was taken: some state the time of the place, not which that is. */
export const TAKEN_MS = 'taken_at - iif(is_local, coalesce(utc_offset_minutes, 0) * 60000, 0)'

/** Who asks for photos waits for so many; more than that a job places. */
const MOST_AWAITED = 50

/** The photos of all runs, unless there are too many to wait for. */
export async function placeFew(deps: PlaceDeps): Promise<void> {
  const missing = unread(deps, null).length + unplaced(deps, null).length
  if (missing > 0 && missing <= MOST_AWAITED) await placePhotos(deps, { workoutId: null })
}

/**
 * Reads what photos state that have come since, and places those of runs whose route is new: derived from files and
 * tracks alone. Never fails.
 */
export async function placePhotos(deps: PlaceDeps, asked: Asked): Promise<void> {
  const { workoutId, signal } = asked
  try {
    await readPhotos(deps, asked)
    for (const { id } of unplaced(deps, workoutId)) {
      if (signal?.aborted) return
      await placeOfRun(deps, id)
    }
  } catch (error) {
    deps.log.error('Photos could not be placed on the map', error)
  }
}

async function readPhotos(deps: Pick<Deps, 'db' | 'config'>, { workoutId, signal }: Asked): Promise<void> {
  const note = deps.db.$client.query(
    `INSERT OR REPLACE INTO media_stated (media_id, taken_at, is_local, lat, lon)
     SELECT id, ?2, ?3, ?4, ?5 FROM media WHERE id = ?1`,
  )
  for (const { id, mimeType } of unread(deps, workoutId)) {
    if (signal?.aborted) return
    const { taken, spot } = await statedBy(mediaFilePath(deps.config.dataDir, id), mimeType)
    const { lat = null, lon = null } = spot ?? {}
    note.run(id, taken?.ms ?? null, Number(taken?.isLocal ?? false), lat, lon)
  }
}

/** When the photos and videos of a run were taken, Unix milliseconds, by their id; those that state no time are missing. */
export async function takenTimes(
  deps: Pick<Deps, 'db' | 'config'>,
  workoutId: string,
): Promise<ReadonlyMap<string, number>> {
  await readPhotos(deps, { workoutId })
  const stated = `SELECT media.id, ${TAKEN_MS} FROM media JOIN media_stated ON media_id = media.id
    JOIN workout ON workout.id = workout_id WHERE workout_id = ? AND taken_at IS NOT NULL`
  return new Map(deps.db.$client.query(stated).values(workoutId) as [string, number][])
}

interface Photo {
  readonly id: string
  readonly takenMs: number | null
  readonly lat: number | null
  readonly lon: number | null
}

async function placeOfRun(deps: PlaceDeps, workoutId: string): Promise<void> {
  const { db, worker, log } = deps
  const stored = storedTrack(db, workoutId)
  const before = documentRow(db, workoutId)?.seq
  if (stored === null) return
  const photos = db.$client
    .query<Photo, [string]>(
      `SELECT media.id, ${TAKEN_MS} AS takenMs, lat, lon FROM media JOIN media_stated ON media_id = media.id
       JOIN workout ON workout.id = workout_id WHERE workout_id = ?`,
    )
    .all(workoutId)
  const places = await worker.ask('photoPlaces', { stored, photos }).then(
    ({ places: found }) => found,
    (error: unknown) => {
      log.error(`The photos of workout ${workoutId} could not be placed`, error)
      return photos.map(() => null)
    },
  )
  const note = db.$client.query(
    `INSERT OR REPLACE INTO media_place (media_id, workout_id, lat, lon, placed_by)
     SELECT media_id, ?2, ?3, ?4, ?5 FROM media_stated
     WHERE media_id = ?1 AND EXISTS (SELECT 1 FROM workout_route WHERE workout_id = ?2)`,
  )
  db.transaction((tx) => {
    // of a run that was changed meanwhile they are placed when they are asked for again
    if (documentRow(tx, workoutId)?.seq !== before) return
    for (const [k, { id }] of photos.entries()) {
      const { lat = null, lon = null, placedBy = null } = places[k] ?? {}
      note.run(id, workoutId, lat, lon, placedBy)
    }
  })
}

function unread({ db }: Pick<Deps, 'db'>, workoutId: string | null) {
  return db.$client
    .query<{ id: string; mimeType: MediaType }, [string | null]>(
      `SELECT media.id, mime_type AS mimeType FROM media LEFT JOIN media_stated ON media_id = media.id
       WHERE media_id IS NULL AND workout_id = coalesce(?1, workout_id)`,
    )
    .all(workoutId)
}

function unplaced({ db }: PlaceDeps, workoutId: string | null) {
  return db.$client
    .query<{ id: string }, [string | null]>(
      `SELECT DISTINCT media.workout_id AS id FROM media JOIN workout_route USING (workout_id)
       LEFT JOIN media_place ON media_id = media.id
       WHERE media_id IS NULL AND media.workout_id = coalesce(?1, media.workout_id)`,
    )
    .all(workoutId)
}
