import { and, desc, eq, gt, lt, lte, min } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { weatherJobs, workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { weatherLookups } from '../library/settings.ts'
import { servedWeather, weatherColumns } from '../library/weather.ts'
import { type AnswerCache, createAnswerCache } from './answer-cache.ts'
import { WeatherError } from './client.ts'
import { HOUR_MS, type HourlyWeather, weatherDuring } from './hours.ts'
import { DAY_MS, type LookupPlan, lookupPlan, sharedQuery } from './lookup-plan.ts'
import { lookupWeather, mergedWeather } from './merge.ts'

const MINUTE_MS = 60_000
/** Pause between requests, since the service accepts one at a time per address. */
const SPACING_MS = 1000
/** Half of the service's free daily quota. */
const REQUESTS_A_DAY = 5000
const MAX_BACKOFF_MS = DAY_MS
/** After this many attempts a job is postponed until the service is available again. */
export const MAX_ATTEMPTS = 8
const PARKED_MS = 7 * DAY_MS
const MAX_PAUSE_MS = HOUR_MS
/** The archive has complete data of a day after five days. */
export const FINAL_AFTER_MS = 8 * DAY_MS
/** Largest time of a Date: the row stays, so that the run is not queued again. */
export const NEVER_MS = 8.64e15

type QueueDeps = Pick<Deps, 'db' | 'config' | 'now' | 'weather' | 'log' | 'events'>

/** State that a restart may lose. */
interface Memory {
  readonly answers: AnswerCache
  /** Jobs whose first endpoint refused (4xx), and whether another attempt may succeed. */
  readonly refused: Map<string, { readonly retry: boolean }>
  nextRequestMs: number
  failuresInARow: number
  day: number
  requestsToday: number
}

type Job = NonNullable<ReturnType<typeof nextJob>>

/**
 * The queue is the table weather_job; this is its only worker, driven by a timer.
 * @param options.random 0 to 1, spreads the retries
 */
export function createWeatherQueue(
  deps: QueueDeps,
  { random = Math.random, requestsADay = REQUESTS_A_DAY }: { random?: () => number; requestsADay?: number } = {},
) {
  const memory: Memory = {
    answers: createAnswerCache(),
    refused: new Map(),
    nextRequestMs: 0,
    failuresInARow: 0,
    day: 0,
    requestsToday: 0,
  }
  let running: Promise<number | null> | null = null
  return {
    /**
     * Makes at most one lookup.
     * @returns when to call again, Unix milliseconds (now, when more jobs are due); null: the queue is empty
     */
    step: (signal?: AbortSignal): Promise<number | null> => {
      running ??= step(deps, { memory, random, requestsADay, signal })
        .catch((error: unknown) => {
          // a full disk must not end the loop that drives the queue
          deps.log.error('The weather queue could not work', error)
          return deps.now() + MINUTE_MS
        })
        .finally(() => {
          running = null
        })
      return running
    },
  }
}

interface Worker {
  readonly memory: Memory
  readonly random: () => number
  readonly requestsADay: number
  readonly signal: AbortSignal | undefined
}

async function step(deps: QueueDeps, worker: Worker): Promise<number | null> {
  const { db, now, config, log } = deps
  if (!config.weatherEnabled || worker.signal?.aborted || !weatherLookups(db)) return null
  const nowMs = now()
  const job = nextJob(db, nowMs)
  if (job === undefined) {
    worker.memory.refused.clear()
    return nextDueMs(db, nowMs)
  }
  try {
    return await lookUp(deps, worker, job)
  } catch (error) {
    if (worker.signal?.aborted) return null
    if (!(error instanceof WeatherError)) log.error('The weather of a run could not be stored', error)
    return postpone(deps, worker, { job, error })
  }
}

/** Looks up one run: from the cache, or with one request. */
async function lookUp(deps: QueueDeps, { memory, requestsADay, signal }: Worker, job: Job): Promise<number> {
  const { db, now, weather } = deps
  const nowMs = now()
  const plan = lookupPlan(db, job.workoutId, {
    nowMs,
    isFinal: job.state === 'final',
    isOther: job.state === 'first' && memory.refused.has(job.workoutId),
  })
  if (plan === null) {
    dropJob(db, job.workoutId)
    return nowMs
  }
  const known = memory.answers.find(plan.query, nowMs)
  if (known !== null && save(deps, { job, plan, hours: known })) {
    memory.refused.delete(job.workoutId)
    return nowMs
  }

  const mayAskMs = nextRequestMs(memory, { nowMs, requestsADay })
  if (mayAskMs > nowMs) return mayAskMs
  memory.requestsToday++
  const query = sharedQuery(db, plan, nowMs)
  let hours: HourlyWeather
  try {
    hours = await weather.hours(query, signal)
  } finally {
    memory.nextRequestMs = now() + SPACING_MS
  }
  memory.failuresInARow = 0
  // near its edge the archive has nulls: the run waits, and the answer is not cached
  if (!save(deps, { job, plan, hours })) throw new WeatherError('no hours of the run yet', { retry: true, status: 200 })
  memory.answers.add(query, hours, nowMs)
  memory.refused.delete(job.workoutId)
  return memory.nextRequestMs
}

/** @returns false when the hours contain nothing about the run */
function save({ db, now, events }: QueueDeps, found: { job: Job; plan: LookupPlan; hours: HourlyWeather }): boolean {
  const { workoutId } = found.job
  const { endpoint } = found.plan.query
  const record = weatherDuring(found.hours, found.plan.run)
  if (record === null) return false
  const quality = endpoint === 'forecast' ? 'preliminary' : 'final'
  const nowMs = now()
  const isStored = db.transaction((tx) => {
    const row = tx.select({ weather: workouts.weather }).from(workouts).where(eq(workouts.id, workoutId)).get()
    if (row === undefined) return false
    const weather = JSON.stringify(mergedWeather(row.weather, lookupWeather(record, quality, nowMs)))
    tx.update(workouts)
      .set({ weather, ...weatherColumns(servedWeather(weather)) })
      .where(eq(workouts.id, workoutId))
      .run()
    if (endpoint === 'archive') dropJob(tx, workoutId)
    else {
      const dueAt = Math.max(found.plan.run.startMs + FINAL_AFTER_MS, nowMs + HOUR_MS)
      tx.update(weatherJobs)
        .set({ state: 'final', attempts: 0, dueAt })
        .where(eq(weatherJobs.workoutId, workoutId))
        .run()
    }
    return true
  })
  if (isStored) events.emit({ event: 'workout.updated', data: { id: workoutId } })
  return true
}

/** Reschedules a failed lookup: at the other endpoint, later, much later, or never. */
function postpone({ db, now, log }: QueueDeps, worker: Worker, failed: { job: Job; error: unknown }): number {
  const { memory, random } = worker
  const { job, error } = failed
  const nowMs = now()
  const { retry, status } = error instanceof WeatherError ? error : { retry: true, status: 0 }
  const message = error instanceof WeatherError ? error.message : 'defect'
  const earlier = memory.refused.get(job.workoutId)
  if (job.state === 'first' && earlier === undefined && isRefusal(status)) {
    memory.refused.set(job.workoutId, { retry })
    return memory.nextRequestMs
  }
  memory.refused.delete(job.workoutId)
  const attempts = job.attempts + 1
  const isHopeless = !retry && earlier?.retry !== true
  const dueAt = isHopeless ? NEVER_MS : nowMs + backoffMs(attempts, random())
  db.update(weatherJobs).set({ attempts, dueAt }).where(eq(weatherJobs.workoutId, job.workoutId)).run()
  const next = isHopeless ? 'given up' : `next in ${Math.ceil((dueAt - nowMs) / MINUTE_MS)} min`
  log.warn(`Weather lookup failed: ${message}; attempt ${attempts}, ${next}`)
  if (isOutage(status)) pause(memory, nowMs)
  return Math.max(nowMs, memory.nextRequestMs)
}

function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 429
}

function isOutage(status: number | null): boolean {
  return status === null || status === 429 || status >= 500
}

/**
 * Pauses all lookups, since a service that is unavailable for one run is so for all; the others keep their attempts.
 */
function pause(memory: Memory, nowMs: number): void {
  memory.nextRequestMs = nowMs + Math.min(MINUTE_MS * 4 ** memory.failuresInARow, MAX_PAUSE_MS)
  memory.failuresInARow++
}

/** 1, 4, 16 … minutes, at most a day, ±20 %, so that many runs are not retried at once; then weekly. */
function backoffMs(attempts: number, random: number): number {
  const plainMs = attempts >= MAX_ATTEMPTS ? PARKED_MS : Math.min(MINUTE_MS * 4 ** (attempts - 1), MAX_BACKOFF_MS)
  return Math.round(plainMs * (0.8 + 0.4 * random))
}

function nextRequestMs(memory: Memory, { nowMs, requestsADay }: { nowMs: number; requestsADay: number }): number {
  const day = Math.floor(nowMs / DAY_MS)
  if (day !== memory.day) {
    memory.day = day
    memory.requestsToday = 0
  }
  if (memory.requestsToday >= requestsADay) return (day + 1) * DAY_MS
  // a clock that was set back would make the queue wait for a time far in the future
  return memory.nextRequestMs > nowMs + MAX_PAUSE_MS ? nowMs : memory.nextRequestMs
}

/** The newest run first, so that a new run does not wait behind an imported library. */
function nextJob(tx: Tx, nowMs: number) {
  return tx
    .select({ workoutId: weatherJobs.workoutId, attempts: weatherJobs.attempts, state: weatherJobs.state })
    .from(weatherJobs)
    .where(lte(weatherJobs.dueAt, nowMs))
    .orderBy(desc(weatherJobs.dueAt))
    .limit(1)
    .get()
}

function nextDueMs(tx: Tx, nowMs: number): number | null {
  const row = tx
    .select({ dueAt: min(weatherJobs.dueAt) })
    .from(weatherJobs)
    .where(and(gt(weatherJobs.dueAt, nowMs), lt(weatherJobs.dueAt, NEVER_MS)))
    .get()
  return row?.dueAt ?? null
}

function dropJob(tx: Tx, workoutId: string): void {
  tx.delete(weatherJobs).where(eq(weatherJobs.workoutId, workoutId)).run()
}
