import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../pace.ts'
import { routeIndex } from '../workers/route-index.ts'
import { writeRouteIndex } from './numbers.ts'
import { workoutPositions } from './track.ts'

/** Workouts looked at in one go. */
const PAGE = 500

interface Looked {
  readonly id: string
  readonly isIndexed: 0 | 1
}

/**
 * Puts the routes into the index that are not in it, as those of a database that is older than the index. Works in slices
 * between which requests are answered; a route that cannot be read is logged and stays out. Never fails: the service
 * does without.
 */
export async function backfillRoutes(deps: Pick<Deps, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  try {
    await lookThrough(deps, signal)
  } catch (error) {
    deps.log.error('The index of similar routes could not be completed', error)
  }
}

/** The ids in pages, out of two indexes: a library that lacks nothing costs no look at a row. */
async function lookThrough({ db, log }: Pick<Deps, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  const pageAfter = db.$client.query<Looked, [string, number]>(
    `SELECT id, EXISTS (SELECT 1 FROM workout_route WHERE workout_id = workout.id) AS isIndexed
     FROM workout WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const pace = createPace()
  let page = pageAfter.all('', PAGE)
  while (page.length > 0) {
    for (const { id, isIndexed } of page) {
      if (signal.aborted) return
      if (isIndexed === 1) continue
      try {
        indexRoute(db, id)
      } catch (error) {
        log.error(`The route of workout ${id} could not be put into the index of similar routes`, error)
      }
      if (pace.needsRest()) await pace.rest()
    }
    await pace.rest()
    if (signal.aborted) return
    page = pageAfter.all(page.at(-1)!.id, PAGE)
  }
}

/** Nothing happens to a workout without route, and to one that is gone by now. */
function indexRoute(db: Db, id: string): void {
  const stored = db
    .select({ startedAtMs: workouts.startedAt })
    .from(workouts)
    .where(and(eq(workouts.id, id), isNotNull(workouts.routePreview)))
    .get()
  const positions = stored === undefined ? null : workoutPositions(db, id)
  if (stored === undefined || positions === null) return
  const index = routeIndex(positions)
  db.transaction((tx) => writeRouteIndex(tx, id, { startedAtMs: stored.startedAtMs, index }))
}
