import type { media } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'

/** The members of a photo or video that are read. */
export const MEDIA_FIELDS = ['id', 'workoutId', 'filename', 'caption', 'createdAt'] as const

export function mediaObject(row: typeof media.$inferSelect) {
  return {
    id: row.id,
    workoutId: row.workoutId,
    filename: row.filename,
    mimeType: row.mimeType,
    fileSizeBytes: row.fileSizeBytes,
    caption: row.caption,
    createdAt: isoTime(row.createdAt),
    workout: null,
  }
}
