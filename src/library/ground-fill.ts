import type { Db } from '../db/open.ts'
import { GROUND_VERSION } from '../engine/ground/ground.ts'
import type { Deps } from './deps.ts'
import { writeRunGround } from './derive.ts'
import { type RederiveDeps, rederive } from './rederive.ts'

/**
 * Computes the ground of every run with a route that has none, or has that of an older version, the latest first. When
 * stopped, it continues at the next start; a run that cannot be read has no squares. Never fails.
 */
export async function fillGround(deps: RederiveDeps & Pick<Deps, 'events'>, signal: AbortSignal): Promise<void> {
  const { db, log, events } = deps
  if (missingGround(db) === 0) return
  try {
    const { unreadable } = await rederive(deps, unfilled(db), {
      what: 'ground',
      signal,
      write: (tx, { id }, { ground }) => writeRunGround(tx, id, ground),
    })
    for (const { id, error } of unreadable) {
      log.error(`The ground of workout ${id} could not be read`, error)
      db.transaction((tx) => writeRunGround(tx, id, null))
    }
  } catch (error) {
    log.error('The ground of the runs could not be filled in', error)
  }
  events.emit({ event: 'ground.updated', data: {} })
}

/** Routes whose ground is still to be computed. */
export function missingGround({ $client: client }: Db): number {
  return client
    .query<{ n: number }, [number]>(
      `SELECT (SELECT count(*) FROM workout_route) - (SELECT count(*) FROM ground WHERE ground_version = ?) AS n`,
    )
    .get(GROUND_VERSION)!.n
}

function unfilled({ $client: client }: Db): string[] {
  return client
    .query<{ id: string }, [number]>(
      `SELECT route.workout_id AS id FROM workout_route AS route LEFT JOIN ground ON ground.workout_id = route.workout_id
       WHERE ground_version IS NOT ? ORDER BY route.started_at DESC`,
    )
    .all(GROUND_VERSION)
    .map(({ id }) => id)
}
