import type { Static } from '@sinclair/typebox'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import { mediaPlaces } from '../../db/schema-ground.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { workoutExists } from '../../library/ids.ts'
import { type PlaceDeps, placePhotos } from '../../library/photo-places.ts'
import type { Media } from './schemas.ts'

export type MediaObject = Static<typeof Media>

export type MediaRow = typeof media.$inferSelect

/** In order of arrival; ids created within one millisecond ascend as well. */
export function mediaOfWorkout(tx: Tx, workoutId: string): MediaRow[] {
  return tx
    .select()
    .from(media)
    .where(eq(media.workoutId, workoutId))
    .orderBy(asc(media.createdAt), asc(media.id))
    .all()
}

export async function listMedia(deps: PlaceDeps, workoutId: string): Promise<MediaObject[]> {
  const { db } = deps
  if (!workoutExists(db, workoutId)) throw notFound('Workout')
  await placePhotos(deps, { workoutId })
  return mediaObjects(db, mediaOfWorkout(db, workoutId))
}

/** @throws AppError 404 for an unknown workout, and for media that is unknown or of another workout */
export function mediaRow(tx: Tx, workoutId: string, mediaId: string): MediaRow {
  // rows of a run in the trash stay
  if (!workoutExists(tx, workoutId)) throw notFound('Workout')
  const row = tx
    .select()
    .from(media)
    .where(and(eq(media.id, mediaId), eq(media.workoutId, workoutId)))
    .get()
  if (row === undefined) throw notFound('Media')
  return row
}

export function mediaObjects(tx: Tx, rows: readonly MediaRow[]): MediaObject[] {
  const ids = rows.map(({ id }) => id)
  const places = tx.select().from(mediaPlaces).where(inArray(mediaPlaces.mediaId, ids)).all()
  const placeOf = new Map(places.map((place) => [place.mediaId, place]))
  return rows.map(({ id, filename, mimeType, fileSizeBytes, caption, createdAt }) => {
    const { lat = null, lon = null, placedBy = null } = placeOf.get(id) ?? {}
    return { id, filename, mimeType, fileSizeBytes, caption, createdAt: isoTime(createdAt), lat, lon, placedBy }
  })
}
