import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notApplicable, notFound } from '../../../base/errors.ts'
import type { Db } from '../../../db/open.ts'
import { workouts } from '../../../db/schema.ts'
import { isoTime } from '../../../engine/calendar/timestamp.ts'
import type { Deps } from '../../../library/deps.ts'
import { elevationOptions } from '../../../library/inputs.ts'
import { storedTrack } from '../../../library/recordings.ts'
import type { GhostRace } from './ghost-schemas.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'worker'>

/**
 * Compares a run with another one over the ground that they share; the Worker aligns them.
 * @throws AppError 404; 400 without route, or when less than half of the run is shared in this direction
 */
export async function raceAgainst(
  deps: Needs,
  { id, otherId }: { readonly id: string; readonly otherId: string },
): Promise<Static<typeof GhostRace>> {
  const run = routed(deps.db, id)
  const other = routed(deps.db, otherId)
  const elevation = elevationOptions(deps)
  const { race } = await deps.worker.ask('ghost', { run: run.track, other: other.track, elevation })
  if (race === null)
    throw notApplicable(
      'The two runs share too little of their route, go in opposite directions, or have no recorded times',
    )
  const { stops, sharedShare, ...places } = race
  const last = places.gapS.length - 1
  return {
    ghost: {
      workoutId: otherId,
      name: other.name,
      startedAt: isoTime(other.startedAt),
      utcOffsetMinutes: other.utcOffsetMinutes,
    },
    sharedShare,
    gapS: places.gapS[last]!,
    stopsS: places.stopsS[last]!,
    climbS: places.climbS === null ? null : places.climbS[last]!,
    paceS: places.paceS[last]!,
    places,
    stops: [...stops],
  }
}

/** @throws AppError 404; 400 without route */
function routed(db: Db, id: string) {
  const { name, startedAt, utcOffsetMinutes, routePreview } = workouts
  const found = db
    .select({ name, startedAt, utcOffsetMinutes, routePreview })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (found === undefined) throw notFound('Workout')
  const track = storedTrack(db, id)
  if (found.routePreview === null || track === null) throw notApplicable('A workout without a route has no ghost')
  return { ...found, track }
}
