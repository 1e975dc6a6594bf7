import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings, workouts } from '../../db/schema.ts'
import { dayText } from './day-text.ts'

/**
 * Why a run was skipped that is already stored.
 * @param file the file that contained it; null: none
 */
export function knownReason(
  tx: Tx,
  workoutId: string,
  file: { readonly sha256: string; readonly session: number } | null,
): string {
  const { startedAt, utcOffsetMinutes } = workouts
  const run = tx.select({ startedAt, utcOffsetMinutes }).from(workouts).where(eq(workouts.id, workoutId)).get()
  if (run === undefined) return 'The same run is there already'
  const isOfFile =
    file &&
    and(
      eq(recordings.workoutId, workoutId),
      eq(recordings.fileSha256, file.sha256),
      eq(recordings.fileSession, file.session),
    )
  const isSameFile = isOfFile && tx.select({ id: recordings.id }).from(recordings).where(isOfFile).get() !== undefined
  const day = dayText(run.startedAt, run.utcOffsetMinutes)
  return isSameFile ? `Same file as the run of ${day}` : `Already there: the run of ${day}`
}
