import { and, desc, eq, gt, gte, isNotNull, like, lt, lte, min, or, sql } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { weatherJobs, workouts } from '../../db/schema.ts'
import { DAY_MS, HOUR_MS } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { weatherLookups } from '../../library/settings.ts'
import { WeatherError } from './client.ts'
import { lookupOf } from './lookup.ts'
import { FINAL_AFTER_MS, saveWeather } from './save.ts'

const MINUTE_MS = 60_000
/** Pause between requests, since the service accepts one at a time per address. */
const SPACING_MS = 1000
/** Half of the service's free daily quota. */
const REQUESTS_A_DAY = 5000
/** From this many attempts on a job is tried weekly, and at the next start. */
const MAX_ATTEMPTS = 8
const LONGEST_PAUSE_MS = HOUR_MS
/** Largest time of a Date: the row stays, so that the run is not queued again. */
const NEVER_MS = 8.64e15

/** An error of our own is tried again as if the service had said nothing. */
const DEFECT = { status: 200, retry: true, message: 'defect' }

type Job = NonNullable<ReturnType<typeof nextJob>>

/**
 * The only worker of the table weather_job, driven by a timer.
 * @returns `step`, which makes at most one request and returns when to call it again, Unix milliseconds; null: the
 * queue is empty
 */
export function createWeatherQueue(
  deps: Pick<Deps, 'db' | 'config' | 'now' | 'weather' | 'log' | 'events'>,
  requestsADay = REQUESTS_A_DAY,
) {
  const { db, config, now, weather, log } = deps
  // all of this may be lost with a restart
  let nextRequestMs = 0
  let [day, requestsToday] = [0, 0]
  /** The job whose first endpoint refused (4xx), and whether another attempt may succeed. */
  let refused: { readonly workoutId: string; readonly retry: boolean } | null = null
  let running: Promise<number | null> | null = null

  const step = async (signal: AbortSignal | undefined): Promise<number | null> => {
    if (!config.weatherEnabled || signal?.aborted || !weatherLookups(db)) return null
    const nowMs = now()
    const job = nextJob(db, nowMs)
    if (job === undefined) return nextDueMs(db)
    if (day !== Math.floor(nowMs / DAY_MS)) [day, requestsToday] = [Math.floor(nowMs / DAY_MS), 0]
    if (requestsToday >= requestsADay) return (day + 1) * DAY_MS
    // a clock that was set back would make the queue wait for a time far in the future
    if (nextRequestMs > nowMs && nextRequestMs <= nowMs + LONGEST_PAUSE_MS) return nextRequestMs
    const earlier = refused?.workoutId === job.workoutId ? refused : null
    refused = null
    try {
      const lookup = lookupOf(db, job.workoutId, { nowMs, isOther: earlier !== null })
      if (lookup === null) {
        db.delete(weatherJobs).where(ofRun(job)).run()
        return nowMs
      }
      requestsToday += 1
      const hours = await weather.hours(lookup.query, signal).finally(() => {
        nextRequestMs = now() + SPACING_MS
      })
      // near its edge the archive has nulls
      if (!saveWeather(deps, lookup, hours)) throw new WeatherError('no hours yet', { retry: true, status: 200 })
    } catch (error) {
      if (signal?.aborted) return null
      if (!(error instanceof WeatherError)) log.error('The weather of a run could not be stored', error)
      const { status, retry, message } = error instanceof WeatherError ? error : DEFECT
      const isOutage = status === null || status === 429 || status >= 500
      if (!isOutage && status >= 400 && earlier === null && job.state === 'first') {
        refused = { workoutId: job.workoutId, retry }
        return nextRequestMs
      }
      const attempts = job.attempts + 1
      const isHopeless = !retry && earlier?.retry !== true
      const waitMs = attempts < MAX_ATTEMPTS ? Math.min(MINUTE_MS * 4 ** (attempts - 1), DAY_MS) : 7 * DAY_MS
      db.update(weatherJobs)
        .set({ attempts, dueAt: isHopeless ? NEVER_MS : now() + waitMs })
        .where(ofRun(job))
        .run()
      const next = isHopeless ? 'given up' : `next in ${waitMs / MINUTE_MS} min`
      log.warn(`Weather lookup failed: ${message}; attempt ${attempts}, ${next}`)
      // a service that is away for one run is so for all; the others keep their attempts
      if (isOutage) nextRequestMs = now() + Math.min(waitMs, LONGEST_PAUSE_MS)
    }
    return Math.max(now(), nextRequestMs)
  }

  return {
    step: (signal?: AbortSignal): Promise<number | null> => {
      running ??= step(signal)
        .catch((error: unknown) => {
          // a full disk must not end the loop that drives the queue
          log.error('The weather queue failed', error)
          return now() + MINUTE_MS
        })
        .finally(() => {
          running = null
        })
      return running
    },
  }
}

function ofRun({ workoutId }: Job) {
  return eq(weatherJobs.workoutId, workoutId)
}

/** The newest run first, so that a new run does not wait behind an imported library. */
function nextJob(tx: Tx, nowMs: number) {
  return tx
    .select()
    .from(weatherJobs)
    .where(lte(weatherJobs.dueAt, nowMs))
    .orderBy(desc(weatherJobs.dueAt))
    .limit(1)
    .get()
}

function nextDueMs(tx: Tx): number | null {
  const due = min(weatherJobs.dueAt)
  return tx.select({ due }).from(weatherJobs).where(lt(weatherJobs.dueAt, NEVER_MS)).get()?.due ?? null
}

/**
 * At the start of the process: queues runs with a route and no weather (imported while lookups were off), restored
 * preliminary weather, and jobs that were postponed during an outage. Never fails: the runs wait for the next start.
 */
export function backfillWeather({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>): void {
  const nowMs = now()
  const { dueAt, attempts } = weatherJobs
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
    .where(and(isNotNull(routePreview), or(isFirst, like(weather, '%"quality":"preliminary"%'))))
  try {
    db.update(weatherJobs)
      .set({ dueAt: nowMs })
      .where(and(gte(attempts, MAX_ATTEMPTS), gt(dueAt, nowMs), lt(dueAt, NEVER_MS)))
      .run()
    db.insert(weatherJobs).select(found).onConflictDoNothing().run()
  } catch (error) {
    // a full disk must not keep the service from starting
    log.error('The runs without weather could not be queued', error)
  }
}
