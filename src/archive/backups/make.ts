import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { count, eq, sql } from 'drizzle-orm'
import type { Config } from '../../base/config.ts'
import { codeOf } from '../../base/errors.ts'
import { backupFolder, lastBackup, noteBackup } from '../../base/last-backup.ts'
import type { Log } from '../../base/log.ts'
import { DAMAGED, isDiskFull, isSound } from '../../db/disk-full.ts'
import { lockFolder } from '../../db/lock.ts'
import { SCHEMA_VERSION } from '../../db/migrate.ts'
import { closeSnapshot, copyDatabase, type Db, openDb, openSnapshot, putTemporaryFiles } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { users } from '../../db/schema-account.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { rederive, rewriteRun } from '../../library/rederive.ts'
import { workerLine } from '../../workers/worker-line.ts'
import {
  contentOf,
  copyWhole,
  DATABASE,
  isWhole,
  type Manifest,
  manifestPath,
  readManifest,
  rotate,
  SECRET,
  SHARED,
  type StoredFile,
  stampOf,
  stampsIn,
  storedPath,
  sweep,
  syncNames,
  totalBytes,
} from './folder.ts'

interface Making {
  readonly config: Config
  readonly log: Log
  /** An existing folder: one that is created in place of a mount that is missing would fill the wrong disk. */
  readonly folder: string
  readonly nowMs: number
  readonly version: string
}

/** Backups whose numbers are derived again: every seventh. */
const DERIVED_EACH = 7

export interface Made {
  readonly stamp: string
  readonly bytes: number
  readonly files: number
  readonly others: readonly string[]
}

/**
 * Makes one backup, reads it again, and removes older ones that are not kept. A failure leaves all that are there, and
 * this one does not count. The result is noted in DATA_DIR.
 * @throws Error with one sentence
 */
export async function makeBackup(making: Making): Promise<Made> {
  const { config, nowMs } = making
  const { dataDir } = config
  if (!existsSync(join(dataDir, DATABASE))) throw new Error(`There is no database in ${dataDir}`)
  const scratch = backupFolder(dataDir)
  mkdirSync(scratch, { recursive: true, mode: 0o700 })
  const lock = lockFolder(scratch)
  const before = lastBackup(dataDir)
  const derives = (before.count + 1) % DERIVED_EACH === 0
  try {
    clearScratch(scratch)
    const made = await madeBackup(making, { scratch, derives })
    const { stamp, bytes, others } = made
    const isVerified = others.length === 0
    const failed = isVerified ? null : { at: nowMs, error: `Of the backup, ${others.join('; ')}` }
    noteBackup(dataDir, { count: before.count + 1, made: { stamp, at: nowMs, bytes, isVerified }, failed })
    return made
  } catch (error) {
    noteBackup(dataDir, { ...before, failed: { at: nowMs, error: failureOf(error) } })
    throw error
  } finally {
    clearScratch(scratch)
    lock.release()
  }
}

/** Removes what a killed backup left. */
function clearScratch(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    if (name !== 'lock' && name !== 'last.json') rmSync(join(scratch, name), { recursive: true, force: true })
  }
}

async function madeBackup(
  { config, log, folder, nowMs, version }: Making,
  { scratch, derives }: { scratch: string; derives: boolean },
): Promise<Made> {
  const { dataDir, backupKeep } = config
  const stamps = stampsIn(folder)
  const copy = join(scratch, 'copy.sqlite')
  if (!isSound(join(dataDir, DATABASE))) throw new Error(DAMAGED)
  copyDatabase(join(dataDir, DATABASE), copy)
  const library = libraryOf(copy)
  const newest = newestManifest(folder, stamps)
  if (newest !== null && newest.library !== library) throw new Error(OTHER_LIBRARY)
  for (const shared of SHARED) mkdirSync(join(folder, shared), { recursive: true, mode: 0o700 })
  const stamp = freeStamp(stamps, nowMs)
  try {
    const database = await inFolder(() => copyWhole(Bun.file(copy), storedPath(folder, stamp, DATABASE)))
    rmSync(copy)
    const files = await inFolder(() => storeFiles(dataDir, { folder, stamp, newest }))
    for (const shared of SHARED) syncNames(join(folder, shared))
    const madeAt = isoTime(nowMs)
    const manifest: Manifest = { format: 1, madeAt, harrier: version, schema: SCHEMA_VERSION, library, database, files }
    await inFolder(() => copyWhole(new Blob([JSON.stringify(manifest)]), manifestPath(folder, stamp)))
    syncNames(folder)
    const check = () => checkBackup({ folder, stamp, scratch, config, log, derives })
    let checked = await check()
    if (checked.damaged.length > 0) {
      // a disk damaged them since they were written
      for (const path of checked.damaged)
        await inFolder(() => copyWhole(Bun.file(join(dataDir, path)), storedPath(folder, stamp, path)))
      checked = await check()
    }
    const { problems, others } = checked
    if (problems.length > 0) {
      rmSync(manifestPath(folder, stamp))
      throw new Error(`${NOT_WHOLE}: ${problems.slice(0, 5).join('; ')}`)
    }
    rotate(folder, backupKeep)
    return { stamp, bytes: totalBytes(manifest), files: files.length, others }
  } catch (error) {
    // what was stored of it would keep a full disk full
    if (isDiskFull(error)) sweep(folder)
    throw error
  }
}

/** Which of two disks is full has to be told. */
async function inFolder<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (cause) {
    throw isDiskFull(cause) ? Object.assign(new Error(FOLDER_FULL, { cause }), { code: 'ENOSPC' }) : cause
  }
}

/** The account is the library's: it stays the same over restores of the folder and changes with a new beginning. */
function libraryOf(copy: string): string {
  const snapshot = openSnapshot(copy)
  const id = snapshot.select({ id: users.id }).from(users).get()?.id
  closeSnapshot(snapshot)
  if (id === undefined) throw new Error(NO_ACCOUNT)
  return id
}

/** null: there is none, or it cannot be read, and then all files are read again. */
function newestManifest(folder: string, stamps: readonly string[]): Manifest | null {
  const stamp = stamps.at(-1)
  try {
    return stamp === undefined ? null : readManifest(folder, stamp)
  } catch {
    return null
  }
}

function freeStamp(stamps: readonly string[], nowMs: number): string {
  let ms = nowMs
  while (stamps.includes(stampOf(ms))) ms += 1000
  return stampOf(ms)
}

/**
 * Stores originals, photos and the secret of sessions. The database was copied before, so that every file that it names
 * is there, unless its run was deleted since. Files do not change under their names: what the last backup has is not read
 * again, what an interrupted one left is not copied again.
 */
async function storeFiles(
  dataDir: string,
  { folder, stamp, newest }: { folder: string; stamp: string; newest: Manifest | null },
): Promise<StoredFile[]> {
  const before = new Map(newest?.files.map((file) => [file.path, file]))
  const stored: StoredFile[] = []
  for (const path of filePaths(dataDir)) {
    const [source, target] = [join(dataDir, path), storedPath(folder, stamp, path)]
    const found = statSync(source, { throwIfNoEntry: false })
    const file = Bun.file(source)
    if (!found?.isFile()) continue
    const isThere = statSync(target, { throwIfNoEntry: false })?.size === found.size
    const known = isThere ? before.get(path) : undefined
    try {
      stored.push(known ?? { path, ...(await (isThere ? contentOf(file) : copyWhole(file, target))) })
    } catch (error) {
      // it was deleted meanwhile
      if (codeOf(error) !== 'ENOENT' || existsSync(source)) throw error
    }
  }
  return stored
}

function filePaths(dataDir: string): string[] {
  const below = (path: string) =>
    existsSync(join(dataDir, path)) ? readdirSync(join(dataDir, path)).map((name) => `${path}/${name}`) : []
  return [SECRET, ...SHARED.flatMap(below)]
}

const FOLDER_FULL = 'The disk of the backup folder is full'
const OTHER_LIBRARY = 'The backup folder has backups of another library: use an empty one'
const NO_ACCOUNT = 'There is no account yet, so there is nothing to back up'
const NOT_WHOLE = 'The backup was damaged when it was read again'
const SENTENCES: readonly string[] = [FOLDER_FULL, OTHER_LIBRARY, NO_ACCOUNT, DAMAGED]

/** A sentence without paths, for whoever uses the page. */
function failureOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (SENTENCES.includes(text)) return text
  if (text.startsWith(NOT_WHOLE)) return NOT_WHOLE
  if (isDiskFull(error)) return 'The disk of DATA_DIR is full'
  const code = codeOf(error)
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return 'The backup folder cannot be written'
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EIO' || code === 'ESTALE' || code === 'ENOTCONN')
    return 'The backup folder cannot be reached'
  return 'The backup failed; the log says why'
}

const DERIVED_RUNS = 50

interface Checking {
  readonly folder: string
  readonly stamp: string
  /** An existing folder on a disk with room for the database. */
  readonly scratch: string
  readonly config: Config
  readonly log: Log
  readonly derives: boolean
  /** Shared files that were read for another backup, by path and hash, and whether they were whole. */
  readonly read?: Map<string, boolean>
}

interface Report {
  /** What is missing or differs from what was stored. */
  readonly problems: string[]
  /** What is as it was stored, and yet not as it should be. */
  readonly others: string[]
  readonly damaged: string[]
  readonly files: number
  runs: number
  /** Runs that were derived again. */
  derived: number
}

/**
 * Reads everything of one backup: hashes of database and files, the structure of the database, its migration by this
 * program; and numbers of some runs, derived again from what was backed up.
 * @throws Error with one sentence when there is no such backup or no room
 */
export async function checkBackup(checking: Checking): Promise<Report> {
  const { folder, stamp, scratch, read = new Map<string, boolean>() } = checking
  const manifest = readManifest(folder, stamp)
  const report: Report = { problems: [], others: [], damaged: [], files: manifest.files.length, runs: 0, derived: 0 }
  const path = join(scratch, 'check.sqlite')
  try {
    if (!(await isWhole(storedPath(folder, stamp, DATABASE), manifest.database, path)))
      report.problems.push('the database is missing or differs from its hash')
    else if (isSound(path, 'integrity_check')) await checkLibrary(path, checking, report)
    else report.problems.push('the database is damaged')
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
  }
  for (const file of manifest.files) {
    const stored = storedPath(folder, stamp, file.path)
    const key = `${stored} ${file.sha256}`
    const whole = read.get(key) ?? (await isWhole(stored, file))
    read.set(key, whole)
    if (whole) continue
    report.damaged.push(file.path)
    report.problems.push(`${file.path} is missing or differs from its hash`)
  }
  return report
}

async function checkLibrary(path: string, { scratch, config, log, derives }: Checking, report: Report): Promise<void> {
  let db: Db
  try {
    db = openDb(path)
  } catch (error) {
    report.problems.push(error instanceof Error ? error.message : String(error))
    return
  }
  const tmp = join(scratch, 'tmp')
  if (!existsSync(tmp)) mkdirSync(tmp)
  putTemporaryFiles(db, tmp)
  const worker = workerLine(log)
  try {
    report.runs = db.select({ n: count() }).from(workouts).get()?.n ?? 0
    const isCurrent = eq(workouts.engineVersion, ENGINE_VERSION)
    const some = db
      .select({ id: workouts.id })
      .from(workouts)
      .where(isCurrent)
      .orderBy(sql`random()`)
      .limit(DERIVED_RUNS)
    const asked = derives ? some.all().map(({ id }) => id) : []
    const differing = new Set<string>()
    const needs = { config, now: Date.now }
    const { unreadable } = await rederive({ db, ...needs, log, worker }, asked, {
      what: 'everything',
      write: (tx, head, numbers) => {
        if (rewriteRun(tx, needs, head, numbers) > 0) differing.add(head.id)
      },
    })
    report.derived = asked.length
    if (differing.size > 0) report.others.push(`the numbers of ${differing.size} of ${asked.length} runs differ`)
    if (unreadable.length > 0) report.others.push(`${unreadable.length} of ${asked.length} runs cannot be read`)
  } finally {
    worker.close()
    db.$client.close()
  }
}
