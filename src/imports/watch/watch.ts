import { paced } from '../../base/pace.ts'
import type { Turns } from '../../base/turns.ts'
import type { Deps } from '../../library/deps.ts'
import { fileAt, type WatchedFolder, watchedFolder } from './folder.ts'
import { type RoundFile, watchRound } from './round.ts'
import { dueFiles, failedFiles, forgetFile, isKnownFolder, nextDue, noteSeen, reopen } from './table.ts'

export type Watch = ReturnType<typeof createWatch>

/** Interval of full scans, since network folders may not show changes by their time. */
const FULL_MS = 10 * 60_000
const SOONEST_MS = 1000
/** How long the end of the process waits for a file. */
const FAREWELL_MS = 5000

/** Without configured folders it does nothing. @param turns of imports of archives: while one runs, no file is begun */
export function createWatch(deps: Deps, turns: Turns) {
  const { db, config, events, log, now } = deps
  const folders = config.watchDirs.map((path) => watchedFolder(deps, path))
  const ending = new AbortController()
  let looking: { readonly isFull: boolean; readonly work: Promise<void> } | null = null
  let reading: Promise<void> | null = null
  let lastLookAt: number | null = null
  let lastFullAt = Number.NEGATIVE_INFINITY
  let nextLookAt: number | null = null
  let isStarted = false
  let cancel = () => {}

  const walk = async (isFull: boolean) => {
    const before = JSON.stringify(folders.map((folder) => folder.state()))
    let changes = 0
    for (const folder of folders) changes += await lookThrough(folder, isFull)
    lastLookAt = now()
    if (isFull) lastFullAt = now()
    const isOther = before !== JSON.stringify(folders.map((folder) => folder.state()))
    if (changes > 0 || isOther) announce()
  }
  const announce = () => events.emit({ event: 'watch_folder.updated', data: {} })
  const lookThrough = async (folder: WatchedFolder, isFull: boolean): Promise<number> => {
    const { path } = folder
    const settleMs = config.watchSettleS * 1000
    const seen = new Set<string>()
    let changes = 0
    for await (const files of paced(folder.walk(isFull, isKnownFolder(db, path)))) {
      if (ending.signal.aborted) return changes
      changes += noteSeen(db, path, { files, nowMs: now(), settleMs })
      for (const { name } of files) seen.add(name)
    }
    if (!isFull || !folder.isThere()) return changes
    for await (const { id, name } of paced(failedFiles(db, path))) {
      if (seen.has(name) || (await fileAt(path, name).catch(() => undefined)) !== null) continue
      forgetFile(db, id)
      changes += 1
    }
    return changes
  }
  const look = (isFull: boolean): Promise<void> => {
    if (deps.damage.isFound) return Promise.resolve()
    if (looking !== null && (looking.isFull || !isFull)) return looking.work
    // a failure is handled where the scan is awaited; until then it must not count as unhandled
    const before = looking?.work.catch(() => {}) ?? Promise.resolve()
    const work = before
      .then(() => walk(isFull))
      .finally(() => {
        if (looking?.work === work) looking = null
        reading ??= readDue().finally(() => {
          reading = null
        })
        if (isStarted) schedule()
      })
    looking = { isFull, work }
    return work
  }
  const readDue = async () => {
    try {
      // without a due file no turn is taken, since a backup gives way to whoever waits
      const there = () => folders.filter((folder) => folder.isThere()).map(({ path }) => path)
      const isDue = () => dueFiles(db, { folders: there(), nowMs: now(), most: 1 }).length > 0
      for (let isMore = isDue(); isMore && !ending.signal.aborted && !deps.damage.isFound; ) {
        isMore = await turns.take(async () => {
          const read = await watchRound(deps, { folders: there(), signal: ending.signal })
          if (read !== null) {
            if (read.some(({ isNews }) => isNews)) log.info(`Watch folder: ${summary(read)}`)
            announce()
          }
          return read !== null
        }, ending.signal)
      }
    } catch (error) {
      if (!ending.signal.aborted) log.error('A round of the watch folder failed', error)
    }
  }

  const schedule = () => {
    if (ending.signal.aborted) return
    const nowMs = now()
    const due = nextDue(db, nowMs)
    const intervalMs = config.watchIntervalS * 1000
    const pauseMs = Math.min(intervalMs, Math.max(SOONEST_MS, (due ?? Number.POSITIVE_INFINITY) - nowMs))
    nextLookAt = nowMs + pauseMs
    cancel()
    cancel = deps.after(pauseMs, () => lookByItself(now() - lastFullAt >= FULL_MS))
  }
  const lookByItself = (isFull: boolean) => {
    look(isFull).catch((error: unknown) => log.error('A check of the watch folder failed', error))
  }

  return {
    isOn: folders.length > 0,
    start: () => {
      if (folders.length === 0) return
      isStarted = true
      reopen(db, now())
      lookByItself(true)
    },
    /** Scans all folders, or the changed ones; due files are read afterwards. Concurrent callers share one scan. */
    look,
    rest: async () => {
      while (looking !== null || reading !== null) await Promise.allSettled([looking?.work, reading])
    },
    status: () => ({ folders: folders.map((folder) => folder.state()), lastLookAt, nextLookAt }),
    /** Waits for the file in progress; no further one begins. */
    stop: async () => {
      ending.abort()
      cancel()
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const forget = deps.after(FAREWELL_MS, resolve)
      // an archive in progress continues at the next start
      await Promise.race([Promise.allSettled([looking?.work, reading]), late]).finally(forget)
    },
  }
}

function summary(read: readonly RoundFile[]): string {
  const count = (outcome: RoundFile['decision']['outcome']) =>
    read.filter(({ decision }) => decision.outcome === outcome).length
  return `${count('created')} files added, ${count('updated')} updated, ${count('skipped')} duplicates, ${count('error')} could not be read`
}
