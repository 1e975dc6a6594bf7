import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DAY_MS } from '../engine/units.ts'

/**
 * Copies a database that a server may be using, as at one moment and without unused pages.
 * @param path of a file that does not exist yet
 */
export function copyDatabase(from: string, path: string): void {
  const client = new Database(from, { readonly: true, strict: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.query('VACUUM INTO ?').run(path)
  } finally {
    client.close()
  }
}

// Before a migration that cannot be undone, the database is copied beside itself.

const COPY = 'harrier.before-0025.sqlite'
const KEPT_MS = 7 * DAY_MS
const MB = 1_000_000
/** Samples stay where they are since this schema; everything else is written again, first to the write-ahead log. */
const SAMPLES_STAY = 9

/**
 * Copies a database as it is.
 * @param version of its schema
 * @throws Error with one sentence when there is not enough room for the copy and the migration
 */
export function copyBefore(client: Database, version: number): void {
  const path = join(dirname(client.filename), COPY)
  const unfinished = `${path}.unfinished`
  // a copy of an earlier attempt may be older than the database is now
  for (const old of [path, unfinished]) rmSync(old, { force: true })
  const bytes = numberOf(client, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
  const staying = version < SAMPLES_STAY ? 0 : numberOf(client, SAMPLES)
  const { bavail, bsize } = statfsSync(dirname(path))
  const missing = bytes + 2 * (bytes - staying) - bavail * bsize
  if (missing > 0) throw noRoom(path, missing)
  try {
    client.query('VACUUM INTO ?').run(unfinished)
    synced(unfinished)
    renameSync(unfinished, path)
    synced(dirname(path))
  } catch (cause) {
    rmSync(unfinished, { force: true })
    if ((cause as { code?: unknown }).code === 'SQLITE_FULL') throw noRoom(path, bytes, cause)
    throw cause
  }
}

const SAMPLES = 'SELECT sum(length(time_hr) + length(track) + length(rest)) FROM samples'

function numberOf(client: Database, sql: string): number {
  return Number(client.query(sql).values()[0]?.[0] ?? 0)
}

function noRoom(path: string, bytes: number, cause?: unknown): Error {
  const about = `The database is copied to ${path} before it is changed`
  const text = `${about}, which needs ${Math.ceil(bytes / MB)} MB more of free space; nothing was changed`
  return new Error(text, { cause })
}

function synced(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** Removes the copy once it is a week old. @param nowMs by the clock of the file system */
export function removeOldCopy(dataDir: string, nowMs: number): void {
  const path = join(dataDir, COPY)
  const made = statSync(path, { throwIfNoEntry: false })
  if (made !== undefined && made.mtimeMs < nowMs - KEPT_MS) rmSync(path, { force: true })
}
