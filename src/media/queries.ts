import type { Static } from '@sinclair/typebox'
import { and, asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { media } from '../db/schema.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { notFound } from '../errors.ts'
import { workoutExists } from '../library/ids.ts'
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

/** @throws AppError 404 for an unknown workout */
export function listMedia(tx: Tx, workoutId: string): MediaObject[] {
  if (!workoutExists(tx, workoutId)) throw notFound('Workout')
  return mediaOfWorkout(tx, workoutId).map(mediaObject)
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

export function mediaObject({ id, filename, mimeType, fileSizeBytes, caption, createdAt }: MediaRow): MediaObject {
  return { id, filename, mimeType, fileSizeBytes, caption, createdAt: isoTime(createdAt) }
}
