import { eq } from 'drizzle-orm'
import { media, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { removeMediaFiles, removeRawFiles } from './files/paths.ts'
import { makeRoom } from './files/room.ts'
import { recordingsOf } from './recordings.ts'

/**
 * Rows first, with everything that hangs on them, then the files; a file that cannot be removed is logged.
 * @throws AppError 404
 */
export async function deleteWorkout({ db, config, log, events }: Deps, id: string): Promise<void> {
  const { mediaIds, recordingIds } = makeRoom({ db, config }, (tx) => {
    const recorded = recordingsOf(tx, id).map((recording) => recording.id)
    const found = tx.select({ id: media.id }).from(media).where(eq(media.workoutId, id)).all()
    const gone = tx.delete(workouts).where(eq(workouts.id, id)).returning({ id: workouts.id }).get()
    if (gone === undefined) throw notFound('Workout')
    return { mediaIds: found.map((row) => row.id), recordingIds: recorded }
  })
  events.emit({ event: 'workout.deleted', data: { id } })
  try {
    for (const recordingId of recordingIds) await removeRawFiles(config.dataDir, recordingId)
  } catch (error) {
    log.error(`The files of the deleted workout ${id} could not be removed`, error)
  }
  await removeMediaFiles({ config, log }, mediaIds)
}
