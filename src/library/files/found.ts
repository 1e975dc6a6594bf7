import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, isNotNull } from 'drizzle-orm'
import { paced } from '../../base/pace.ts'
import type { Tx } from '../../db/open.ts'
import { recordings } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { DAY_MS } from '../../engine/units.ts'
import { rawFolder } from './paths.ts'

// Files that no row names are not deleted but moved to DATA_DIR/found/<day>/<name>, so that the originals can still be
// found if the database was replaced by an older one.

/** Days for which such a file is kept. */
export const FOUND_DAYS = 30
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Which files a sweep moves, and where. */
export interface StrayFiles {
  /** Files changed since then may belong to a request in progress and stay. */
  readonly olderThanMs: number
  readonly folder: string
}

/** The folder for files moved on one day. */
export function foundFolder(dataDir: string, nowMs: number): string {
  return join(dataDir, 'found', isoTime(nowMs).slice(0, 10))
}

/** Moves a file there synchronously, so that no other request can run in between. @throws Error of the system */
function putAside(path: string, name: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  let place = join(folder, name)
  for (let count = 2; existsSync(place); count += 1) place = join(folder, `${name}.${count}`)
  renameSync(path, place)
}

/**
 * Moves files of a folder there that nothing names, as a crash or a failed removal leaves them.
 * @param names of the files that may be moved
 * @param isNamed asked last before a file is moved, since a request may have named it meanwhile
 * @returns number of moved files
 */
export async function putStraysAside(
  from: string,
  names: readonly string[],
  isNamed: (name: string) => boolean,
  { olderThanMs, folder }: StrayFiles,
): Promise<number> {
  // All times are read first: moving one of several hard links renews the time of the others.
  const old: string[] = []
  for (const name of names) {
    const { ctimeMs } = await stat(join(from, name)).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    if (ctimeMs < olderThanMs) old.push(name)
  }
  let count = 0
  for await (const name of paced(old)) {
    if (isNamed(name)) continue
    putAside(join(from, name), name, folder)
    count += 1
  }
  return count
}

/** Deletes folders whose time is over. */
export async function removeOldFound(dataDir: string, nowMs: number): Promise<void> {
  for (const day of await foundDays(dataDir)) {
    // the day of moving is not counted
    if (Date.parse(day) + (FOUND_DAYS + 1) * DAY_MS > nowMs) continue
    await rm(join(dataDir, 'found', day), { recursive: true, force: true })
  }
}

/** Number of files kept there. */
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

/** Id of a recording, followed by nothing or by the suffix of its raw data file. */
const NAME = /^(.{36})(\.json\.zst)?$/

/** Moves files that no recording names to the folder for found files. @returns number of moved files */
export async function sweepRawFiles(db: Tx, dataDir: string, strays: StrayFiles): Promise<number> {
  const from = rawFolder(dataDir)
  const known = namedFiles(db)
  const names = (await readdir(from).catch(() => [])).filter((name) => !known.has(name))
  return await putStraysAside(from, names, (name) => isNamed(db, name), strays)
}

/** All names in one query: a query per file would delay other requests for as long as there are files. */
function namedFiles(db: Tx): ReadonlySet<string> {
  const originals = db
    .select({ name: recordings.storedAs })
    .from(recordings)
    .where(isNotNull(recordings.storedAs))
    .all()
  const rawData = db.select({ id: recordings.id }).from(recordings).where(eq(recordings.hasRaw, true)).all()
  return new Set([...originals.map(({ name }) => name!), ...rawData.map(({ id }) => `${id}.json.zst`)])
}

function isNamed(db: Tx, name: string): boolean {
  const [, id, isRawData] = NAME.exec(name) ?? []
  if (id === undefined) return false
  if (isRawData === undefined) {
    return db.select({ id: recordings.id }).from(recordings).where(eq(recordings.storedAs, id)).get() !== undefined
  }
  return db.select({ hasRaw: recordings.hasRaw }).from(recordings).where(eq(recordings.id, id)).get()?.hasRaw === true
}
