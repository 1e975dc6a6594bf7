import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../pace.ts'
import { unpackPositions } from '../workers/pack.ts'
import { routeIndex } from '../workers/route-index.ts'
import { replaceRouteIndex } from './store.ts'

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
  const stored = db.$client
    .query<{ startedAtMs: number; track: Uint8Array }, [string]>(
      `SELECT w.started_at AS startedAtMs, s.track FROM workout_samples s JOIN workout w ON w.id = s.workout_id
       WHERE w.id = ? AND w.route_preview IS NOT NULL`,
    )
    .get(id)
  if (stored === null) return
  const index = routeIndex(unpackPositions(stored.track))
  db.transaction((tx) => replaceRouteIndex(tx, id, { startedAtMs: stored.startedAtMs, index }))
}
