import { count, lt } from 'drizzle-orm'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { markUpgraded } from './derive.ts'
import { rederive } from './rederive.ts'
import { rewriteRun } from './rewrite.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'now' | 'log' | 'events' | 'analyzer'>

/** Workouts upgraded between two events. */
const BATCH = 50
const OLDER = lt(workouts.engineVersion, ENGINE_VERSION)

/**
 * Derives the numbers of every workout again whose numbers come from an older engine; meanwhile requests get the old
 * values. When stopped, it continues at the next start. A workout that cannot be read keeps its numbers and is not
 * tried again until the next engine version. Never fails.
 */
export async function upgradeWorkouts(deps: Needs, signal: AbortSignal): Promise<void> {
  let derived = 0
  const older = deps.db.select({ runs: count() }).from(workouts).where(OLDER).get()?.runs ?? 0
  if (older > 0) deps.log.info(`Deriving ${older} runs again`)
  try {
    for (let ids = olderIds(deps); ids.length > 0 && !signal.aborted; ids = olderIds(deps)) {
      derived += await upgradeBatch(deps, ids, signal)
    }
  } catch (error) {
    deps.log.error('The numbers of workouts of an older engine could not be derived again', error)
  }
  if (derived > 0) deps.log.info(`Derived the numbers of ${derived} workouts again`)
}

/** Ids of workouts of an older engine, read from an index, which costs nothing when there are none. */
function olderIds({ db }: Needs): string[] {
  const rows = db.select({ id: workouts.id }).from(workouts).where(OLDER).limit(BATCH).all()
  return rows.map(({ id }) => id)
}

/** @returns number of workouts written. Clients are notified once, even when the disk became full after some */
async function upgradeBatch(deps: Needs, ids: readonly string[], signal: AbortSignal): Promise<number> {
  const { db, log, events } = deps
  let saved = 0
  try {
    const { unreadable } = await rederive(deps, ids, {
      what: 'everything',
      signal,
      write: (tx, head, derived) => {
        rewriteRun(tx, deps, head, derived)
        saved += 1
      },
    })
    for (const { id, error } of unreadable) {
      log.error(`The numbers of workout ${id} could not be derived again and stay unchanged`, error)
      markUpgraded(db, id)
    }
  } finally {
    if (saved > 0) events.emit({ event: 'workout.updated', data: { id: null } })
  }
  return saved
}
