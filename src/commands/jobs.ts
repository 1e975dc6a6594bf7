import { statSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lt } from 'drizzle-orm'
import { ITSELF } from '../base/itself.ts'
import { DAMAGED, FOUND_CODE, LOOK } from '../db/disk-full.ts'
import { loginFailures } from '../db/schema-account.ts'
import { DAY_MS, HOUR_MS } from '../engine/units.ts'
import { keepCurrent } from '../features/training/load-watch.ts'
import { backfillWeather, createWeatherQueue } from '../features/weather/queue.ts'
import { collectOld, collectStrays } from '../library/collect.ts'
import type { Deps } from '../library/deps.ts'
import { upgradeWorkouts } from '../library/engine-upgrade.ts'
import { missingFiles } from '../library/files/missing.ts'
import { comparePairs } from '../library/merging/pairs.ts'
import { refreshNewGround } from '../library/new-ground.ts'
import { placePhotos } from '../library/photo-places.ts'

interface Jobs {
  /** Waits for the job in progress; no further one begins. */
  stop(): Promise<void>
}

/** Jobs wait for this long after the start: at once they would take half as long again as the start itself. */
const START_PAUSE_MS = 300
/** How often is looked whether the process rests, and whether a request found damage. */
const LOOK_MS = 10_000
/** It rests when it used less than this between two looks, microseconds of processor time. */
const REST_US = 300_000
/** How long after the start the database is looked at for damage. */
const LOOK_AFTER_MS = 10_000
/** Longest time until the weather queue notices a new run. */
const WEATHER_PAUSE_MS = 5_000
/**
 * Files younger than this may belong to an import that has not written its rows yet; not applied at the start, when no
 * import runs.
 */
const YOUNG_FILE_MS = 10 * 60_000
/** Until a machine has been up for so long its clock may be wrong, as that of a board without a battery. */
const DOUBT_MS = DAY_MS
/** Twice the window in which failed logins count. */
const LOGIN_FAILURES_KEPT_MS = 30 * 60_000

/**
 * Starts all background jobs, so late that the first requests are answered before: weather lookups; once after the
 * start and after each restore, runs of an older engine derived again; loads after
 * changes; the hourly clean-up; and giving memory back at rest.
 * @param pauseMs how long they wait
 */
export function startJobs(deps: Deps, pauseMs = START_PAUSE_MS): Jobs {
  const abort = new AbortController()
  const begin = pause(pauseMs, abort.signal)
  const weather = createWeatherQueue(deps)
  const endLoads = keepCurrent(deps, () => deps.loads.refresh())
  let ground = Promise.resolve()
  const endGround = keepCurrent(deps, () => {
    ground = ground
      .then(() => refreshNewGround(deps, abort.signal))
      .then(() => placePhotos(deps, { workoutId: null, signal: abort.signal }))
  })
  let compared = begin.then(() => comparePairs(deps, abort.signal))
  const endPairs = keepCurrent(deps, () => {
    compared = compared.then(() => comparePairs(deps, abort.signal))
  })
  let olderThanMs: number | null = startedMs(deps)
  const logged = new Set<string>()
  const lookForRest = restWatch(() => deps.db.$client.run('PRAGMA shrink_memory'))
  const derived = begin.then(() => deriveRuns(deps, abort.signal))
  const loops = [
    lookForDamage(deps, abort),
    begin.then(() => (deps.config.weatherEnabled ? backfillWeather(deps) : undefined)),
    deriveAfterRestores(deps, derived, abort.signal),
    loop(begin, abort.signal, async () => {
      const nextMs = await weather.step(abort.signal)
      return Math.min(WEATHER_PAUSE_MS, nextMs === null ? WEATHER_PAUSE_MS : Math.max(0, nextMs - deps.now()))
    }),
    loop(begin, abort.signal, async () => {
      await cleanUp(deps, { olderThanMs, logged, uptimeMs: 1000 * uptime() }).catch((error: unknown) =>
        deps.log.error('The hourly clean-up failed', error),
      )
      olderThanMs = null
      return HOUR_MS
    }),
    loop(begin, abort.signal, async () => {
      // a request may have found it
      if (deps.damage.isFound) abort.abort()
      lookForRest()
      return LOOK_MS
    }),
  ]
  return {
    stop: async () => {
      abort.abort()
      endLoads()
      endGround()
      endPairs()
      await Promise.all([...loops, ground, compared])
    },
  }
}

/**
 * Returns memory to the system once work has ended (38 MiB stay instead of 69); else collector and allocator keep it until
 * the next work, perhaps for a day.
 * @param giveBack called as well
 */
function restWatch(giveBack: () => void): () => void {
  let [usedUs, isAtRest] = [0, false]
  return () => {
    const { user, system } = process.cpuUsage()
    const isIdle = user + system - usedUs < REST_US
    usedUs = user + system
    if (isIdle && !isAtRest) {
      giveBack()
      Bun.gc(true)
      Bun.shrink()
    }
    isAtRest = isIdle
  }
}

/**
 * Looks at a database in a child process, so that nobody waits for it.
 * @param signal ends the child
 * @returns whether it is damaged; false, too, when the child could not look
 */
export async function looksDamaged(path: string, signal = new AbortController().signal): Promise<boolean> {
  try {
    const child = Bun.spawn([...ITSELF, LOOK, path], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', signal })
    return (await child.exited) === FOUND_CODE
  } catch {
    // an upgrade has replaced the program, or no process is left
    return false
  }
}

/** Ends all jobs, which write, when the database is damaged. */
async function lookForDamage({ db, damage, log }: Deps, jobs: AbortController): Promise<void> {
  await pause(LOOK_AFTER_MS, jobs.signal)
  if (jobs.signal.aborted || !(await looksDamaged(db.$client.filename, jobs.signal))) return
  damage.isFound = true
  log.error(DAMAGED)
  jobs.abort()
}

/**
 * Files older than this belong to no import of this process. The time is that of the folder for temporary files, which
 * is created again at the start, by the clock of the file system; removing the temporary name of an upload also changes
 * the time of the original that a crash left under its second name.
 */
function startedMs({ config }: Deps): number | null {
  const folder = statSync(join(config.dataDir, 'tmp'), { throwIfNoEntry: false })
  return folder === undefined ? null : folder.ctimeMs + 1
}

/**
 * Hourly clean-up: folds the write-ahead log into the database, removes outdated rows and undo data, moves files that
 * no row names to the found folder, and reports missing files.
 * @param options.olderThanMs files changed since then stay; null: only young files stay
 * @param options.logged missing files that were already reported; newly reported ones are added
 * @param options.uptimeMs of the machine; on one that started lately nothing is removed for its age; absent: long enough
 */
export async function cleanUp(deps: Deps, options: CleanUpOptions = {}): Promise<void> {
  const { db, now } = deps
  const { olderThanMs = null, logged = new Set<string>(), uptimeMs = Number.POSITIVE_INFINITY } = options
  // first, since on a full disk it frees the space that the following writes need
  db.$client.run('PRAGMA wal_checkpoint(PASSIVE)')
  db.delete(loginFailures)
    .where(lt(loginFailures.failedAt, now() - LOGIN_FAILURES_KEPT_MS))
    .run()
  if (uptimeMs >= DOUBT_MS) await collectOld(deps)
  await collectStrays(deps, olderThanMs ?? Date.now() - YOUNG_FILE_MS)
  await logMissing(deps, logged)
}

interface CleanUpOptions {
  readonly olderThanMs?: number | null
  readonly logged?: Set<string>
  readonly uptimeMs?: number
}

async function logMissing({ db, config, log }: Deps, logged: Set<string>): Promise<void> {
  const missing = (await missingFiles(db, config.dataDir)).filter(({ path }) => !logged.has(path))
  for (const { path } of missing) logged.add(path)
  const [first] = missing
  if (first === undefined) return
  log.error(
    `Files of the library that are missing: ${missing.length}, such as ${first.path}; GET /settings/files lists them`,
  )
}

/** Derives runs of an older engine again, and what follows from where they went. */
async function deriveRuns(deps: Deps, signal: AbortSignal): Promise<void> {
  await upgradeWorkouts(deps, signal)
  await refreshNewGround(deps, signal)
  await placePhotos(deps, { workoutId: null, signal })
}

/** Derives restored runs: an archive of Tempo has its numbers, and no training data. */
async function deriveAfterRestores(deps: Deps, begin: Promise<void>, signal: AbortSignal): Promise<void> {
  let deriving = begin
  const unsubscribe = deps.events.subscribe(({ event, data }) => {
    if (event === 'import.done' && data.kind === 'restore') deriving = deriving.then(() => deriveRuns(deps, signal))
  })
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  unsubscribe()
  await deriving
}

/** Repeats a job from `begin` on, each time after the pause that it returns. */
async function loop(begin: Promise<void>, signal: AbortSignal, job: () => Promise<number>): Promise<void> {
  await begin
  while (!signal.aborted) {
    const nextMs = await job()
    if (signal.aborted) return
    await pause(nextMs, signal)
  }
}

/** Ends early, without an error, when it is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
}
