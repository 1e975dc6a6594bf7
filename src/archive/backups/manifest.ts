import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../base/json-object.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'

// A folder of backups: `files/` is a pool of the files of all of them, each stored once under the hash of its content;
// `<stamp>.sqlite.zst` is a database, `<stamp>.json` its manifest. It is written last: without it a backup does not count.

/** Something stored, packed with zstd where that makes it smaller. */
export interface Stored {
  /** SHA-256 of the content, hex. */
  readonly sha256: string
  /** Of the content. */
  readonly bytes: number
  /** Bytes that it takes in the folder. */
  readonly storedBytes: number
  readonly isPacked: boolean
}

export interface StoredFile extends Stored {
  /** Below DATA_DIR, with slashes. */
  readonly path: string
  /** Time of change, Unix milliseconds. */
  readonly changedMs: number
}

export interface Manifest {
  readonly format: 1
  readonly madeAt: string
  /** Version of the program that made it. */
  readonly harrier: string
  readonly schema: number
  /** Id of the account, by which libraries are told apart. */
  readonly library: string
  readonly database: Stored
  readonly files: readonly StoredFile[]
}

export interface Backup {
  readonly stamp: string
  readonly manifest: Manifest
}

export const POOL = 'files'
const STAMP = /^\d{4}-\d\d-\d\dT\d{6}Z$/
const HASH = /^[0-9a-f]{64}$/
/** Suffix of what is not complete. */
export const UNFINISHED = '.unfinished'
/** Names that a backup writes; others in the folder are left alone. */
export const OWN_NAME = /^\d{4}-\d\d-\d\dT\d{6}Z\.(json|sqlite\.zst)(\.unfinished)?$/
export const OWN_POOL_NAME = /^([0-9a-f]{64}(\.zst)?|new\.unfinished)$/

/** UTC, so that stamps sort by time on every day of the year, and without colons, which some file systems refuse. */
export function stampOf(ms: number): string {
  return isoTime(ms).slice(0, 19).replace(/:/g, '').concat('Z')
}

export function manifestPath(folder: string, stamp: string): string {
  return join(folder, `${stamp}.json`)
}

export function databasePath(folder: string, stamp: string): string {
  return join(folder, `${stamp}.sqlite.zst`)
}

export function poolName({ sha256, isPacked }: Stored): string {
  return isPacked ? `${sha256}.zst` : sha256
}

export function totalBytes({ database, files }: Manifest): number {
  const pool = new Map(files.map((file) => [file.sha256, file.storedBytes]))
  return database.storedBytes + pool.values().reduce((sum, bytes) => sum + bytes, 0)
}

/** Stamps of all manifests, oldest first. @throws Error of the system */
export function stampsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names
    .map((name) => name.slice(0, -'.json'.length))
    .filter((stamp) => STAMP.test(stamp))
    .toSorted()
}

/** @throws Error with a sentence when there is none, or it cannot be read */
export function readManifest(folder: string, stamp: string): Manifest {
  const path = manifestPath(folder, stamp)
  if (!STAMP.test(stamp) || !existsSync(path)) throw new Error(`There is no backup ${stamp} in ${folder}`)
  const read = manifestOf(readFileSync(path, 'utf8'))
  if (read === null) throw new Error(`The manifest ${path} is damaged, or of a newer version`)
  return read
}

/** null: damaged, or of another format. */
function manifestOf(text: string): Manifest | null {
  try {
    const read: unknown = JSON.parse(text)
    if (!isObject(read) || read.format !== 1 || !isStored(read.database) || !Array.isArray(read.files)) return null
    // a path that leads elsewhere would be written there by a restore
    const isWhole = read.files.every((file) => isStored(file) && isObject(file) && isOwnPath(file.path))
    return isWhole ? (read as unknown as Manifest) : null
  } catch {
    return null
  }
}

function isStored(value: unknown): boolean {
  return isObject(value) && HASH.test(String(value.sha256)) && Number.isInteger(value.bytes)
}

function isOwnPath(path: unknown): boolean {
  return typeof path === 'string' && /^(jwt-secret|files\/(raw|media)\/[\w-][\w.-]*)$/.test(path)
}
