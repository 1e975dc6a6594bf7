import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { BackupKeep } from '../../base/config.ts'
import { codeOf } from '../../base/errors.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'

// A folder of backups: `files/` has the originals and photos of all of them under their names in DATA_DIR, which never get
// other content; `<stamp>.harrier.sqlite` and `<stamp>.jwt-secret` are of one backup, `<stamp>.json` is its manifest. It is
// written last: without it a backup does not count.

const Stored = Type.Object({ bytes: Type.Integer(), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
export type Stored = Static<typeof Stored>

/** Its path is below DATA_DIR: one that leads elsewhere would be written there by a restore. */
const StoredFile = Type.Object({
  ...Stored.properties,
  path: Type.String({ pattern: '^(jwt-secret|files/(raw|media)/[\\w-][\\w.-]*)$' }),
})
export type StoredFile = Static<typeof StoredFile>

const Manifest = Type.Object({
  format: Type.Literal(1),
  ...{ madeAt: Type.String(), schema: Type.Integer() },
  harrier: Type.String({ description: 'Version of the program that made it' }),
  library: Type.String({ description: 'Id of the account, which distinguishes libraries' }),
  ...{ database: Stored, files: Type.Array(StoredFile) },
})
export type Manifest = Static<typeof Manifest>

export const DATABASE = 'harrier.sqlite'
export const SECRET = 'jwt-secret'
/** Folders of DATA_DIR whose files all backups share. */
export const SHARED = ['files/raw', 'files/media'] as const
const STAMP = /^\d{4}-\d\d-\d\dT\d{6}Z$/
export const UNFINISHED = '.unfinished'
/** Names that a backup writes; others in the folder are left alone. */
const OWN_NAME = /^\d{4}-\d\d-\d\dT\d{6}Z\.(json|harrier\.sqlite|jwt-secret)(\.unfinished)?$/
const OWN_SHARED_NAME = /^[0-9a-f-]{36}(\.json\.zst)?(\.unfinished)?$/

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
  try {
    return Value.Decode(Manifest, JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new Error(`The manifest ${path} is damaged, or of a newer version`, { cause })
  }
}

/** Reads piece by piece, since a file may be larger than memory. @throws Error of the system, and of `write` */
export async function contentOf(from: Blob, write: (piece: Uint8Array) => void = () => {}): Promise<Stored> {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  for await (const piece of from.stream()) {
    hash.update(piece)
    bytes += piece.length
    write(piece)
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Copies so that under its name a file is complete, and on the disk. A failure leaves nothing. */
export async function copyWhole(from: Blob, path: string): Promise<Stored> {
  const unfinished = path + UNFINISHED
  try {
    const file = openSync(unfinished, 'w', 0o600)
    try {
      const copied = await contentOf(from, (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
      })
      fsyncSync(file)
      renameSync(unfinished, path)
      return copied
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    try {
      rmSync(unfinished, { force: true })
    } catch {
      // the cause says more
    }
    throw cause
  }
}

/**
 * Reads something stored.
 * @param copy where a copy of it is made; absent: none is
 * @returns whether it is what was stored; false, too, when it is missing
 */
export async function isWhole(path: string, { bytes, sha256 }: Stored, copy?: string): Promise<boolean> {
  try {
    const from = Bun.file(path)
    const found = copy === undefined ? await contentOf(from) : await copyWhole(from, copy)
    return found.bytes === bytes && found.sha256 === sha256
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !existsSync(path)) return false
    throw error
  }
}

/** Waits until the names in a folder are on the disk, where the file system can say so: SMB and Windows cannot. */
export function syncNames(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // what was written has been synced; only its name may be lost, and then it does not count
  }
}

/** Of each of the last days, weeks (from Monday) and months that have backups, the latest; local time. */
export function keptStamps(stamps: readonly string[], keep: BackupKeep): Set<string> {
  const newestFirst = stamps.toSorted().toReversed()
  const kept = new Set<string>()
  for (const [count, periodOf] of [
    [keep.days, (time: Date) => time.toDateString()],
    [keep.weeks, (time: Date) => weekStart(time).toDateString()],
    [keep.months, (time: Date) => `${time.getFullYear()}-${time.getMonth()}`],
  ] as const) {
    const periods = new Set<string>()
    for (const stamp of newestFirst) {
      const period = periodOf(new Date(stamp.replace(/(\d\d)(\d\d)(\d\d)Z$/, '$1:$2:$3Z')))
      if (periods.has(period)) continue
      if (periods.size === count) break
      periods.add(period)
      kept.add(stamp)
    }
  }
  return kept
}

function weekStart(time: Date): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - ((time.getDay() + 6) % 7))
}

/** Removes backups that are not kept: manifests first, so that none names what is gone. */
export function rotate(folder: string, keep: BackupKeep): void {
  const stamps = stampsIn(folder)
  const kept = keptStamps(stamps, keep)
  for (const stamp of stamps.filter((one) => !kept.has(one))) rmSync(manifestPath(folder, stamp), { force: true })
  syncNames(folder)
  sweep(folder)
}

/**
 * Removes what no manifest names: of rotated backups and of ones that were not completed. No shared file
 * is removed while a manifest cannot be read, since that names files as well.
 */
export function sweep(folder: string): void {
  const stamps = new Set(stampsIn(folder))
  for (const name of readdirSync(folder).filter((entry) => OWN_NAME.test(entry))) {
    const isNamed = !name.endsWith(UNFINISHED) && stamps.has(name.slice(0, name.indexOf('.')))
    if (!isNamed) rmSync(join(folder, name), { force: true })
  }
  const named = new Set<string>()
  try {
    for (const stamp of stamps) for (const file of readManifest(folder, stamp).files) named.add(file.path)
  } catch {
    return
  }
  for (const shared of SHARED) {
    for (const name of readdirSync(join(folder, shared)).filter((entry) => OWN_SHARED_NAME.test(entry))) {
      if (!named.has(`${shared}/${name}`)) rmSync(join(folder, shared, name), { force: true })
    }
  }
}

/**
 * Makes a DATA_DIR of a backup. Its database gets its name last, so that an interrupted one is no library.
 * @param stamp null: the latest
 * @param dataDir is created, or empty
 * @returns stamp and number of files
 * @throws Error with one sentence
 */
export async function restoreBackup(
  folder: string,
  { stamp: asked, dataDir }: { stamp: string | null; dataDir: string },
): Promise<{ stamp: string; files: number }> {
  const stamp = asked ?? latestStamp(folder)
  const { files, database } = readManifest(folder, stamp)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (readdirSync(dataDir).length > 0) throw new Error(`${dataDir} is not empty: name a new folder`)
  const unfinished = join(dataDir, DATABASE + UNFINISHED)
  const fault = (what: string) =>
    new Error(`${what} is missing in the backup or damaged: ${dataDir} is incomplete, try another stamp`)
  if (!(await isWhole(storedPath(folder, stamp, DATABASE), database, unfinished))) throw fault('The database')
  for (const shared of SHARED) mkdirSync(join(dataDir, shared), { recursive: true, mode: 0o700 })
  for (const file of files) {
    if (!(await isWhole(storedPath(folder, stamp, file.path), file, join(dataDir, file.path)))) throw fault(file.path)
  }
  for (const made of [...SHARED, 'files', '']) syncNames(join(dataDir, made))
  renameSync(unfinished, join(dataDir, DATABASE))
  syncNames(dataDir)
  return { stamp, files: files.length }
}

export function latestStamp(folder: string): string {
  const stamp = stampsIn(folder).at(-1)
  if (stamp === undefined) throw new Error(`There is no backup in ${folder}`)
  return stamp
}
