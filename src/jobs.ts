import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lt } from 'drizzle-orm'
import { removeOldCopy } from './db/copy.ts'
import { loginFailures } from './db/schema-account.ts'
import type { Deps } from './deps.ts'
import { collectGarbage, createIdleCollector, LOOK_MS } from './garbage.ts'
import { upgradeWorkouts } from './library/engine-upgrade.ts'
import { FOUND_DAYS, foundFolder, removeOldFound } from './library/files/found.ts'
import { missingFiles } from './library/files/missing.ts'
import { dropRawCopies } from './library/files/raw-copies.ts'
import { foldLog, keepReserve } from './library/files/room.ts'
import { sweepRawFiles } from './library/files/sweep.ts'
import { purgeUndo } from './library/purge.ts'
import { fillTraining, noteUnfilled } from './library/training/fill.ts'
import { sweepMediaFiles } from './media/sweep.ts'
import { keepLoadsCurrent } from './training/load-watch.ts'
import { backfillWeather } from './weather/backfill.ts'
import { createWeatherQueue } from './weather/queue.ts'

/** Background jobs of the running service. */
interface Jobs {
  /** Waits for the job in progress; no further one begins. */
  stop(): Promise<void>
}

const HOUR_MS = 3_600_000
/** Jobs wait for this long after the start: at once they would take half as long again as the start itself. */
const START_PAUSE_MS = 300
/** Longest time until the weather queue notices a new run. */
const WEATHER_PAUSE_MS = 5_000
/**
 * Files younger than this may belong to an import that has not written its rows yet; not applied at the start, when no
 * import runs.
 */
const YOUNG_FILE_MS = 10 * 60_000
/** Twice the window in which failed logins count. */
const LOGIN_FAILURES_KEPT_MS = 30 * 60_000

/**
 * Starts all background jobs, so late that the first requests are answered before: weather lookups; once after the
 * start, runs of an older engine derived again, missing training data filled in and old copies of raw data dropped;
 * training data after a restore; loads after changes; the hourly clean-up; and giving memory back when idle.
 * @param pauseMs how long they wait
 */
export function startJobs(deps: Deps, pauseMs = START_PAUSE_MS): Jobs {
  const abort = new AbortController()
  noteUnfilled(deps)
  const weather = createWeatherQueue(deps)
  const endWatch = keepLoadsCurrent(deps)
  let olderThanMs: number | null = startedMs(deps)
  const told = new Set<string>()
  const lookAtMemory = createIdleCollector(() => deps.db.$client.run('PRAGMA shrink_memory'))
  const begin = pause(pauseMs, abort.signal)
  const loops = [
    begin.then(() => (deps.config.weatherEnabled ? backfillWeather(deps, abort.signal) : undefined)),
    begin
      .then(() => upgradeWorkouts(deps, abort.signal))
      .then(() => fillTraining(deps, abort.signal))
      .then(() => dropRawCopies(deps, abort.signal)),
    fillAfterRestores(deps, abort.signal),
    loop(begin, abort.signal, async () => {
      const nextMs = await weather.step(abort.signal)
      return Math.min(WEATHER_PAUSE_MS, nextMs === null ? WEATHER_PAUSE_MS : Math.max(0, nextMs - deps.now()))
    }),
    loop(begin, abort.signal, async () => {
      await cleanUp(deps, { olderThanMs, told }).catch((error: unknown) =>
        deps.log.error('The hourly clean-up failed', error),
      )
      olderThanMs = null
      return HOUR_MS
    }),
    loop(begin, abort.signal, async () => {
      lookAtMemory()
      return LOOK_MS
    }),
  ]
  return {
    stop: async () => {
      abort.abort()
      endWatch()
      await Promise.all(loops)
    },
  }
}

/**
 * Files older than this belong to no import of this process. The time is that of the folder for temporary files, which
 * is created anew at the start, by the clock of the file system; removing the temporary name of an upload also changes
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
 * @param options.told missing files that were already reported; newly reported ones are added
 */
export async function cleanUp(deps: Deps, options: CleanUpOptions = {}): Promise<void> {
  const { db, config, now } = deps
  // first, since on a full disk it frees the space that the following writes need
  foldLog(db)
  db.delete(loginFailures)
    .where(lt(loginFailures.failedAt, now() - LOGIN_FAILURES_KEPT_MS))
    .run()
  await keepReserve(config.dataDir)
  await purgeUndo(deps)
  await putStrayFilesAside(deps, options.olderThanMs ?? Date.now() - YOUNG_FILE_MS)
  await tellMissing(deps, options.told ?? new Set())
  // the garbage of loading and sweeping would otherwise remain until the next request
  collectGarbage()
}

interface CleanUpOptions {
  readonly olderThanMs?: number | null
  readonly told?: Set<string>
}

/** Uses the system clock, which file times are based on, not `deps.now`. */
async function putStrayFilesAside({ db, config: { dataDir }, log }: Deps, olderThanMs: number): Promise<void> {
  const nowMs = Date.now()
  removeOldCopy(dataDir, nowMs)
  await removeOldFound(dataDir, nowMs)
  const folder = foundFolder(dataDir, nowMs)
  const options = { olderThanMs, folder }
  const found = (await sweepRawFiles(db, dataDir, options)) + (await sweepMediaFiles(db, dataDir, options))
  if (found > 0) log.warn(`Files that nothing in the library knows: ${found}, kept for ${FOUND_DAYS} days in ${folder}`)
}

async function tellMissing({ db, config, log }: Deps, told: Set<string>): Promise<void> {
  const missing = (await missingFiles(db, config.dataDir)).filter(({ path }) => !told.has(path))
  for (const { path } of missing) told.add(path)
  const [first] = missing
  if (first === undefined) return
  log.error(
    `Files of the library that are missing: ${missing.length}, such as ${first.path}; GET /settings/files lists them`,
  )
}

/** Computes the training data of restored runs, which archives do not contain. */
async function fillAfterRestores(deps: Deps, signal: AbortSignal): Promise<void> {
  let filling = Promise.resolve()
  const unsubscribe = deps.events.subscribe(({ event, data }) => {
    if (event !== 'import.done' || data.kind !== 'restore') return
    filling = filling.then(() => fillTraining(deps, signal))
  })
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  unsubscribe()
  await filling
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
