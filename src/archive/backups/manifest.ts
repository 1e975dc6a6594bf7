import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../base/json-object.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'

// A folder of backups: `files/` has the originals and photos of all of them under their names in DATA_DIR, which never get
// other content; `<stamp>.harrier.sqlite` and `<stamp>.jwt-secret` are of one backup, `<stamp>.json` is its manifest. It is
// written last: without it a backup does not count.

export interface Stored {
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

export interface StoredFile extends Stored {
  /** Below DATA_DIR, with slashes. */
  readonly path: string
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

export const DATABASE = 'harrier.sqlite'
export const SECRET = 'jwt-secret'
/** Folders of DATA_DIR whose files all backups share. */
export const SHARED = ['files/raw', 'files/media'] as const
const STAMP = /^\d{4}-\d\d-\d\dT\d{6}Z$/
/** Suffix of what is not complete. */
export const UNFINISHED = '.unfinished'
/** Names that a backup writes; others in the folder are left alone. */
export const OWN_NAME = /^\d{4}-\d\d-\d\dT\d{6}Z\.(json|harrier\.sqlite|jwt-secret)(\.unfinished)?$/
export const OWN_SHARED_NAME = /^[0-9a-f-]{36}(\.json\.zst)?(\.unfinished)?$/

/** UTC, so that stamps sort by time on every day of the year, and without colons, which some file systems refuse. */
export function stampOf(ms: number): string {
  return isoTime(ms).slice(0, 19).replace(/:/g, '').concat('Z')
}

export function manifestPath(folder: string, stamp: string): string {
  return join(folder, `${stamp}.json`)
}

/** Where a backup has a file. @param path below DATA_DIR */
export function storedPath(folder: string, stamp: string, path: string): string {
  return join(folder, path.includes('/') ? path : `${stamp}.${path}`)
}

export function totalBytes({ database, files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, database.bytes)
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
  return isObject(value) && /^[0-9a-f]{64}$/.test(String(value.sha256)) && Number.isInteger(value.bytes)
}

function isOwnPath(path: unknown): boolean {
  return typeof path === 'string' && /^(jwt-secret|files\/(raw|media)\/[\w-][\w.-]*)$/.test(path)
}
