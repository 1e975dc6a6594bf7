import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notFound } from '../../../base/errors.ts'
import { workouts } from '../../../db/schema.ts'
import { type Lap, statedLaps } from '../../../engine/run/laps.ts'
import type { Deps } from '../../../library/deps.ts'
import { elevationOptions } from '../../../library/inputs.ts'
import { workoutLaps } from '../../../library/laps.ts'
import { storedTrack } from '../../../library/recordings.ts'
import type { Laps } from './laps-schemas.ts'
import { nearest } from './samples.ts'

/**
 * The laps of the device with numbers of the run as it is now: cut to it, computed from its samples. Without samples
 * they have the numbers of the device. A long track is processed by the Worker.
 * @throws AppError 404
 */
export async function lapsOfWorkout(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'worker'>,
  id: string,
): Promise<Static<typeof Laps>> {
  const { db, worker } = deps
  const workout = db.select({ startedAt: workouts.startedAt }).from(workouts).where(eq(workouts.id, id)).get()
  if (workout === undefined) throw notFound('Workout')
  const laps = workoutLaps(deps.db, id)
  if (laps.length === 0) return []
  const stored = storedTrack(db, id)
  if (stored === null) return numbered(statedLaps(workout.startedAt, laps))
  const elevation = elevationOptions(deps)
  const found = await nearest(worker, stored).ask('laps', { ...stored, laps, elevation })
  return numbered(found.laps)
}

function numbered(laps: readonly Lap[]): Static<typeof Laps> {
  return laps.map((lap, idx) => ({ idx, ...lap }))
}
