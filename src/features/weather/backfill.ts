import { and, gt, gte, isNotNull, like, lt, lte, or, sql } from 'drizzle-orm'
import { gently } from '../../base/pace.ts'
import type { Db } from '../../db/open.ts'
import { weatherJobs, workouts } from '../../db/schema.ts'
import type { Deps } from '../../library/deps.ts'
import { MAX_ATTEMPTS, NEVER_MS } from './queue.ts'
import { FINAL_AFTER_MS } from './save.ts'

/** Workouts processed at once; reading their rows takes a few milliseconds. */
const PAGE = 200

/**
 * At the start of the process: queues runs with a route and no weather (imported while lookups were off), restored
 * preliminary weather, and jobs that were postponed during an outage, in pages. Never fails: the runs wait for the next
 * start.
 */
export async function backfillWeather(deps: Pick<Deps, 'db' | 'now' | 'log'>, signal: AbortSignal): Promise<void> {
  const { db, now, log } = deps
  try {
    unpark(db, now())
    for (let last: string | null = ''; last !== null && !signal.aborted; ) {
      last = enqueuePage(db, last, now())
      await gently()
    }
  } catch (error) {
    // a full disk must not keep the service from starting
    log.error('The runs without weather could not be queued', error)
  }
}

function unpark(db: Db, nowMs: number): void {
  db.update(weatherJobs)
    .set({ dueAt: nowMs })
    .where(and(gte(weatherJobs.attempts, MAX_ATTEMPTS), gt(weatherJobs.dueAt, nowMs), lt(weatherJobs.dueAt, NEVER_MS)))
    .run()
}

/** Queues one page of the library, by id. @returns its last id; null after the last page */
function enqueuePage(db: Db, after: string, nowMs: number): string | null {
  const last = db.$client
    .query<{ id: string | null }, [string, number]>(
      'SELECT max(id) AS id FROM (SELECT id FROM workout WHERE id > ? ORDER BY id LIMIT ?)',
    )
    .get(after, PAGE)?.id
  if (typeof last !== 'string') return null
  const { id, startedAt, routePreview, weather } = workouts
  const isFirst = sql`${weather} IS NULL`
  const found = db
    .select({
      workoutId: id,
      dueAt: sql<number>`iif(${isFirst}, ${nowMs}, max(${nowMs}, ${startedAt} + ${FINAL_AFTER_MS}))`.as('due_at'),
      attempts: sql<number>`0`.as('attempts'),
      state: sql<'first' | 'final'>`iif(${isFirst}, 'first', 'final')`.as('state'),
    })
    .from(workouts)
    .where(
      and(
        ...[gt(id, after), lte(id, last), isNotNull(routePreview)],
        or(isFirst, like(weather, '%"quality":"preliminary"%')),
      ),
    )
  db.insert(weatherJobs).select(found).onConflictDoNothing().run()
  return last
}
