import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isoTime } from '../../engine/calendar/timestamp.ts'

// Files that nothing in the library knows are not removed but put aside, DATA_DIR/found/<day>/<name>: should a database ever
// be older than its files, the originals of what it forgot are there.

/** How long a file stays there. */
export const FOUND_DAYS = 30
const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Of one day, of which files are put aside. */
export function foundFolder(dataDir: string, nowMs: number): string {
  return join(dataDir, 'found', isoTime(nowMs).slice(0, 10))
}

/**
 * Moves a file there at once, before anybody else has a turn.
 * @throws Error of the system
 */
export function putAside(path: string, name: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  let place = join(folder, name)
  for (let count = 2; existsSync(place); count += 1) place = join(folder, `${name}.${count}`)
  renameSync(path, place)
}

/** Removes what has lain there for its time. */
export async function removeOldFound(dataDir: string, nowMs: number): Promise<void> {
  for (const day of await foundDays(dataDir)) {
    // the day itself counts as none
    if (Date.parse(day) + (FOUND_DAYS + 1) * DAY_MS > nowMs) continue
    await rm(join(dataDir, 'found', day), { recursive: true, force: true })
  }
}

/** How many files lie there. */
export async function countFound(dataDir: string): Promise<number> {
  let count = 0
  for (const day of await foundDays(dataDir)) {
    count += (await readdir(join(dataDir, 'found', day)).catch(() => [])).length
  }
  return count
}

async function foundDays(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'found')).catch(() => [])
  return names.filter((name) => DAY.test(name))
}
