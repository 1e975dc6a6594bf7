import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lt } from 'drizzle-orm'
import { loginFailures } from './db/schema-account.ts'
import type { Deps } from './deps.ts'
import { upgradeWorkouts } from './library/engine-upgrade.ts'
import { dropRawCopies } from './library/files/raw-copies.ts'
import { foldLog, keepReserve } from './library/files/room.ts'
import { sweepRawFiles } from './library/files/sweep.ts'
import { sweepMediaFiles } from './media/sweep.ts'
import { backfillWeather } from './weather/backfill.ts'
import { createWeatherQueue } from './weather/queue.ts'

/** What happens by itself while the process lives. */
export interface Jobs {
  /** Waits for the job at work; none begins afterwards. */
  stop(): Promise<void>
}

const HOUR_MS = 3_600_000
/** How long a new run waits at most until its weather is asked for. */
const WEATHER_PAUSE_MS = 5_000
/** Files as young as this may belong to an import that has not written its rows yet; at the start there is none. */
const YOUNG_FILE_MS = 10 * 60_000
/** Twice the window in which wrong passwords count. */
const LOGIN_FAILURES_KEPT_MS = 30 * 60_000

/** The weather queue, and every hour the sweep, the forgotten logins and a checkpoint. */
export function startJobs(deps: Deps): Jobs {
  const abort = new AbortController()
  const weather = createWeatherQueue(deps)
  let olderThanMs: number | null = startedMs(deps)
  const loops = [
    ...(deps.config.weatherEnabled ? [backfillWeather(deps, abort.signal)] : []),
    upgradeWorkouts(deps, abort.signal).then(() => dropRawCopies(deps, abort.signal)),
    loop(abort.signal, async () => {
      const nextMs = await weather.step(abort.signal)
      return Math.min(WEATHER_PAUSE_MS, nextMs === null ? WEATHER_PAUSE_MS : Math.max(0, nextMs - deps.now()))
    }),
    loop(abort.signal, async () => {
      await cleanUp(deps, olderThanMs).catch((error: unknown) => deps.log.error('The hourly clean-up failed', error))
      olderThanMs = null
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

/**
 * Whatever file is older belongs to no import of this process. The folder of temporary files was emptied and made anew at
 * its start, by the clock of the file system; removing an upload's temporary file touched the original that a crash left
 * under its second name.
 */
function startedMs({ config }: Deps): number | null {
  const folder = statSync(join(config.dataDir, 'tmp'), { throwIfNoEntry: false })
  return folder === undefined ? null : folder.ctimeMs + 1
}

/**
 * Removes what no row knows and no rule needs any more, and folds the write-ahead log into the database.
 * @param olderThanMs files that came since then stay; null: only young ones stay
 */
export async function cleanUp({ db, config, now, log }: Deps, olderThanMs: number | null = null): Promise<void> {
  const youngMs = olderThanMs ?? Date.now() - YOUNG_FILE_MS
  const removed =
    (await sweepRawFiles(db, config.dataDir, youngMs)) + (await sweepMediaFiles(db, config.dataDir, youngMs))
  if (removed > 0) log.info(`Removed ${removed} files that belong to nothing`)
  // first: on a full disk it makes the room that writing needs
  foldLog(db)
  db.delete(loginFailures)
    .where(lt(loginFailures.failedAt, now() - LOGIN_FAILURES_KEPT_MS))
    .run()
  await keepReserve(config.dataDir)
  // what loading and sweeping left would otherwise stay for as long as nobody asks anything
  Bun.gc(true)
}

/** Runs a job again and again, each time after the pause it asks for. */
async function loop(signal: AbortSignal, job: () => Promise<number>): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await job()
    if (signal.aborted) return
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
  }
}
