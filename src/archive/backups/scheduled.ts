import { access, constants } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { count } from 'drizzle-orm'
import { codeOf } from '../../base/errors.ts'
import { ITSELF } from '../../base/itself.ts'
import { type LastBackup, lastBackup, noteBackup } from '../../base/last-backup.ts'
import type { Log } from '../../base/log.ts'
import type { Turns } from '../../base/turns.ts'
import { users } from '../../db/schema-account.ts'
import { DAY_MS, HOUR_MS } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'

export interface Backups {
  start(): void
  /** Ends a backup that is being made; the next start makes it. */
  stop(): Promise<void>
}

/** Makes a backup in another process. @returns what it wrote to standard error; null: it was made */
export type Make = (folder: string, signal: AbortSignal) => Promise<string | null>

const MINUTE_MS = 60_000
const TICK_MS = MINUTE_MS
/** How long after the start a backup is made that was missed. */
const MISSED_MS = 10 * MINUTE_MS
const RETRY_MS = HOUR_MS
/** How often a backup in progress looks whether others wait for it. */
const LOOK_MS = 250
/** How long a process may take to end; one that waits for a vanished mount cannot. */
const FAREWELL_MS = 3000
const LOWEST_PRIORITY = 19
const EARLY = 'The backup ended early; the log says why'

/**
 * Makes a backup a day where a folder is configured, one at a time, and never during an import, a restore or an undo: one
 * that comes meanwhile ends the backup, which begins again after it with the files that it stored.
 */
export function createBackups(
  deps: Pick<Deps, 'db' | 'config' | 'log' | 'now' | 'after'>,
  { turns, make = childBackup(deps.log) }: { turns: readonly Turns[]; make?: Make },
): Backups {
  const { db, config, log, now } = deps
  const { dataDir, backupDir: folder } = config
  const ending = new AbortController()
  let cancel = () => {}
  let making: Promise<void> | null = null
  const startedMs = now()

  const isDue = () => {
    const asked = { nowMs: now(), startedMs, atMin: config.backupAtMin, last: lastBackup(dataDir) }
    return dueAt(asked) <= now() && (db.select({ n: count() }).from(users).get()?.n ?? 0) > 0
  }
  const tick = () => {
    if (ending.signal.aborted || folder === null) return
    cancel = deps.after(TICK_MS, tick)
    if (making !== null || !isDue()) return
    const work = inTurn(turns, () => (isDue() ? attempt(folder) : Promise.resolve()), ending.signal)
    making = work
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.error('The backup failed', error)
      })
      .finally(() => {
        making = null
      })
  }
  const attempt = async (into: string) => {
    const before = lastBackup(dataDir)
    const giveWay = new AbortController()
    const signal = AbortSignal.any([ending.signal, giveWay.signal])
    const look = setInterval(() => {
      if (turns.some((one) => one.waiting() > 0)) giveWay.abort()
    }, LOOK_MS)
    const said = await unlessStuck(make(into, signal), signal).finally(() => clearInterval(look))
    if (signal.aborted) return
    const { made, failed } = lastBackup(dataDir)
    if (said === null)
      log.info(`Backup: ${((made?.bytes ?? 0) / 1e6).toFixed(1)} MB, ${made?.isVerified ? 'verified' : 'not verified'}`)
    // a process that was killed has noted nothing
    const isNoted = failed !== null && failed.at !== before.failed?.at
    if (said !== null && !isNoted) noteBackup(dataDir, { ...before, failed: { at: now(), error: EARLY } })
    const failure = isNoted ? failed.error : said === null ? null : EARLY
    if (failure !== null) log.warn(`${failure}. Next attempt in an hour${said ? ` (${said})` : ''}`)
  }
  return {
    start: () => {
      if (folder === null) return
      cancel = deps.after(TICK_MS, tick)
      access(`${folder}/.`, constants.W_OK).catch((error: unknown) => {
        const why = `which is not a folder that can be written (${codeOf(error)})`
        log.warn(`BACKUP_DIR is ${JSON.stringify(folder)}, ${why}; no backup is made until it is`)
      })
    },
    stop: async () => {
      ending.abort()
      cancel()
      await making
    },
  }
}

/** All turns at once, always in this order. */
async function inTurn(turns: readonly Turns[], work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const [first, ...others] = turns
  if (first === undefined) return await work()
  await first.take(() => inTurn(others, work, signal), signal)
}

/** Ends soon after the signal, whatever the work does. */
async function unlessStuck<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const leave = () => void setTimeout(() => resolve(null), FAREWELL_MS)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

interface Asked {
  readonly nowMs: number
  readonly startedMs: number
  /** Local time of day, minutes. */
  readonly atMin: number
  readonly last: LastBackup
}

/** When the next backup begins, Unix milliseconds; in the past: now. */
export function dueAt({ nowMs, startedMs, atMin, last: { made, failed } }: Asked): number {
  const today = localMoment(nowMs, { days: 0, atMin })
  const slot = today <= nowMs ? today : localMoment(nowMs, { days: -1, atMin })
  // one of the future was made when the clock was wrong
  const isMade = made !== null && made.at >= slot && made.at < nowMs + DAY_MS
  if (isMade) return today > nowMs ? today : localMoment(nowMs, { days: 1, atMin })
  const beginAt = slot < startedMs ? startedMs + MISSED_MS : slot
  return failed === null || failed.at > nowMs ? beginAt : Math.max(beginAt, failed.at + RETRY_MS)
}

/** That time of day, so many days later by the local calendar. */
function localMoment(ms: number, { days, atMin }: { days: number; atMin: number }): number {
  const day = new Date(ms)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, 0, atMin).getTime()
}

const childBackup =
  (log: Log): Make =>
  async (folder, signal) => {
    try {
      const child = Bun.spawn([...ITSELF, 'backup', folder], {
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'pipe',
        signal,
      })
      lowerPriority(child.pid, log)
      const said = await new Response(child.stderr).text()
      return (await child.exited) === 0 ? null : said.trim()
    } catch (error) {
      // an upgrade has replaced the program, or no process is left
      return error instanceof Error ? error.message : String(error)
    }
  }

function lowerPriority(pid: number, log: Log): void {
  try {
    setPriority(pid, LOWEST_PRIORITY)
  } catch (error) {
    const why = String(error)
    // one that has ended already needs none
    if (!why.includes('ESRCH')) log.warn(`The backup runs at normal priority (${why})`)
  }
}
