import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { workouts } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { type Intervals, NO_INTERVALS } from '../../engine/intervals/intervals.ts'
import { type Lap, toldLaps } from '../../engine/run/laps.ts'
import { notFound } from '../../errors.ts'
import { workoutExists } from '../../library/ids.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { workoutLaps } from '../../library/laps.ts'
import { storedTrack } from '../../library/recordings.ts'
import { computed } from '../../workers/compute.ts'
import type { Laps, WorkoutIntervals } from './laps-schemas.ts'
import { nearest } from './samples.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'analyzer'>

/**
 * The laps of the device with numbers of the run as it is now: cut to it, computed from its samples. Without samples
 * they have the numbers of the device. A long track is processed by the Worker.
 * @throws AppError 404
 */
export async function lapsOfWorkout(deps: Needs, id: string): Promise<Static<typeof Laps>> {
  const { db, analyzer } = deps
  const workout = db.select({ startedAt: workouts.startedAt }).from(workouts).where(eq(workouts.id, id)).get()
  if (workout === undefined) throw notFound('Workout')
  const laps = await workoutLaps(deps, id)
  if (laps.length === 0) return []
  const stored = storedTrack(db, id)
  if (stored === null) return numbered(toldLaps(workout.startedAt, laps))
  const elevation = elevationOptions(deps)
  const found = await computed(nearest(analyzer, stored), { what: 'laps', ...stored, laps, elevation })
  return numbered(found.laps)
}

function numbered(laps: readonly Lap[]): Static<typeof Laps> {
  return laps.map((lap, idx) => ({ idx, ...lap }))
}

/**
 * The repetitions of a workout, from the laps of the device or from steps of the pace. A long track is processed by the
 * Worker.
 * @throws AppError 404
 */
export async function intervalsOfWorkout(deps: Needs, id: string): Promise<Static<typeof WorkoutIntervals>> {
  const { db, analyzer } = deps
  if (!workoutExists(db, id)) throw notFound('Workout')
  const laps = await workoutLaps(deps, id)
  const stored = storedTrack(db, id)
  if (stored === null) return served(NO_INTERVALS)
  const elevation = elevationOptions(deps)
  return served((await computed(nearest(analyzer, stored), { what: 'intervals', ...stored, laps, elevation })).found)
}

function served({ source, sets, summary }: Intervals): Static<typeof WorkoutIntervals> {
  return { source, summary, sets: sets.map((set) => ({ ...set, repetitions: [...set.repetitions] })) }
}
