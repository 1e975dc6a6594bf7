import { lt } from 'drizzle-orm'
import { loginFailures } from './db/schema.ts'
import type { Deps } from './deps.ts'
import { sweepMediaFiles } from './media/sweep.ts'
import { backfillWeather, createWeatherQueue } from './weather/queue.ts'
import { sweepRawFiles } from './workouts/raw-files.ts'
import { backfillRoutes } from './workouts/route-backfill.ts'
import { workoutExists } from './workouts/store.ts'

/** What happens by itself while the process lives. */
export interface Jobs {
  /** Waits for the job at work; none begins afterwards. */
  stop(): Promise<void>
}

const HOUR_MS = 3_600_000
/** How long a new run waits at most until its weather is asked for. */
const WEATHER_PAUSE_MS = 5_000
/** Files as young as this may belong to an import that has not written its rows yet. */
const YOUNG_FILE_MS = 10 * 60_000
/** Twice the window in which wrong passwords count. */
const LOGIN_FAILURES_KEPT_MS = 30 * 60_000

/** The weather queue, and every hour the sweep, the forgotten logins and a checkpoint. */
export function startJobs(deps: Deps): Jobs {
  const abort = new AbortController()
  const weather = createWeatherQueue(deps)
  if (deps.config.weatherEnabled) backfillWeather(deps.db, deps.now())
  const loops = [
    backfillRoutes(deps, abort.signal),
    loop(abort.signal, async () => {
      const nextMs = await weather.step(abort.signal)
      return Math.min(WEATHER_PAUSE_MS, nextMs === null ? WEATHER_PAUSE_MS : Math.max(0, nextMs - deps.now()))
    }),
    loop(abort.signal, async () => {
      await cleanUp(deps).catch((error: unknown) => deps.log.error('The hourly clean-up failed', error))
      return HOUR_MS
    }),
  ]
  return {
    stop: async () => {
      abort.abort()
      await Promise.all(loops)
    },
  }
}

/** Removes what no row knows and no rule needs any more, and folds the write-ahead log into the database. */
export async function cleanUp({ db, config, now, log }: Deps): Promise<void> {
  const youngMs = Date.now() - YOUNG_FILE_MS
  const removed =
    (await sweepRawFiles(config.dataDir, (id) => workoutExists(db, id), youngMs)) +
    (await sweepMediaFiles(db, config.dataDir, youngMs))
  if (removed > 0) log.info(`Removed ${removed} files that belong to nothing`)
  db.delete(loginFailures)
    .where(lt(loginFailures.failedAt, now() - LOGIN_FAILURES_KEPT_MS))
    .run()
  db.$client.run('PRAGMA wal_checkpoint(PASSIVE)')
  // what loading and sweeping left would otherwise stay for as long as nobody asks anything
  Bun.gc(true)
}

/** Runs a job again and again, each time after the pause it asks for. */
async function loop(signal: AbortSignal, job: () => Promise<number>): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await job()
    if (signal.aborted) return
    await pause(pauseMs, signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}
