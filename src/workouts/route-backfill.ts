import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { unpackPositions } from '../workers/pack.ts'
import { routeIndex } from '../workers/route-index.ts'
import { timeSlices } from './slices.ts'
import { replaceRouteIndex } from './store.ts'

interface Missing {
  readonly id: string
}

/**
 * Puts the routes into the index that are not in it, as those of a database that is older than the index. Works in
 * slices between which requests are answered; a route that cannot be read is logged and stays out.
 */
export async function backfillRoutes({ db, log }: Pick<Deps, 'db' | 'log'>, signal: AbortSignal): Promise<void> {
  const missing = db.$client
    .query<Missing, []>(
      `SELECT s.workout_id AS id FROM workout_samples s JOIN workout w ON w.id = s.workout_id
       WHERE w.route_preview IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM workout_route r WHERE r.workout_id = s.workout_id)`,
    )
    .all()
  const slices = timeSlices()
  for (const { id } of missing) {
    if (signal.aborted) return
    try {
      indexRoute(db, id)
    } catch (error) {
      log.error(`The route of workout ${id} could not be put into the index of similar routes`, error)
    }
    if (slices.isOver()) await slices.next()
  }
}

/** Nothing happens to a workout that is gone by now. */
function indexRoute(db: Db, id: string): void {
  const stored = db.$client
    .query<{ startedAtMs: number; track: Uint8Array }, [string]>(
      `SELECT w.started_at AS startedAtMs, s.track FROM workout_samples s JOIN workout w ON w.id = s.workout_id
       WHERE w.id = ?`,
    )
    .get(id)
  if (stored === null) return
  const index = routeIndex(unpackPositions(stored.track))
  db.transaction((tx) => replaceRouteIndex(tx, id, { startedAtMs: stored.startedAtMs, index }))
}
