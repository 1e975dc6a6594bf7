import type { Static } from '@sinclair/typebox'
import { isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { type PlaceDeps, placeFew, TAKEN_MS } from '../../library/photo-places.ts'
import type { Counted } from './counted.ts'
import type { PhotosAnswer, PhotosQuery } from './schemas.ts'

const MOST_PHOTOS = 500

interface Found {
  readonly id: string
  readonly workoutId: string
  readonly lat: number
  readonly lon: number
  readonly takenMs: number | null
}

/** Photos of counted runs within bounds, the latest first; east of less than west crosses the antimeridian. */
export async function photosIn(
  deps: PlaceDeps,
  { ids }: Counted,
  { west, south, east, north }: Pick<Static<typeof PhotosQuery>, 'west' | 'south' | 'east' | 'north'>,
): Promise<Static<typeof PhotosAnswer>> {
  await placeFew(deps)
  const found = deps.db.$client
    .query<Found, [number, number, number, number]>(
      `SELECT media.id, place.workout_id AS workoutId, place.lat, place.lon,
         ${TAKEN_MS} AS takenMs
       FROM media_place AS place JOIN media ON media.id = place.media_id JOIN media_stated USING (media_id)
       JOIN workout ON workout.id = place.workout_id
       WHERE place.lat BETWEEN ?2 AND ?4 AND mime_type LIKE 'image/%'
         AND iif(?1 <= ?3, place.lon BETWEEN ?1 AND ?3, place.lon >= ?1 OR place.lon <= ?3)
       ORDER BY coalesce(takenMs, started_at) DESC, media.id`,
    )
    .all(west, south, east, north)
    .filter(({ workoutId }) => ids.has(workoutId))
  return {
    count: found.length,
    photos: found.slice(0, MOST_PHOTOS).map(({ takenMs, ...photo }) => ({ ...photo, takenAt: isoTimeOrNull(takenMs) })),
  }
}
