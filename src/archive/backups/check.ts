import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { count, eq, sql } from 'drizzle-orm'
import type { Config } from '../../base/config.ts'
import type { Log } from '../../base/log.ts'
import { isSound } from '../../db/damage.ts'
import { type Db, openDb, putTemporaryFiles } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { rederive, rewriteRun } from '../../library/rederive.ts'
import { workerLine } from '../../workers/worker-line.ts'
import { DATABASE, isWhole, readManifest, storedPath } from './folder.ts'

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
  readonly problems: readonly string[]
  /** What is as it was stored, and yet not as it should be. */
  readonly others: readonly string[]
  readonly damaged: readonly string[]
  readonly files: number
  readonly runs: number
  /** Runs that were derived again. */
  readonly derived: number
}

/**
 * Reads everything of one backup: hashes of database and files, the structure of the database, its migration by this
 * program; and numbers of some runs, derived again from what was backed up.
 * @throws Error with one sentence when there is no such backup or no room
 */
export async function checkBackup({ folder, stamp, scratch, read = new Map(), ...how }: Checking): Promise<Report> {
  const manifest = readManifest(folder, stamp)
  const problems: string[] = []
  const others: string[] = []
  const damaged: string[] = []
  const path = join(scratch, 'check.sqlite')
  let [runs, derived] = [0, 0]
  try {
    if (await isWhole(storedPath(folder, stamp, DATABASE), manifest.database, path)) {
      if (!isSound(path, 'integrity_check')) problems.push('the database is damaged')
      else ({ runs, derived } = await checkLibrary(path, { ...how, scratch, problems, others }))
    } else problems.push('the database is missing or differs from its hash')
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
  }
  for (const file of manifest.files) {
    const stored = storedPath(folder, stamp, file.path)
    const key = `${stored} ${file.sha256}`
    const whole = read.get(key) ?? (await isWhole(stored, file))
    read.set(key, whole)
    if (whole) continue
    damaged.push(file.path)
    problems.push(`${file.path} is missing or differs from its hash`)
  }
  return { problems, others, damaged, files: manifest.files.length, runs, derived }
}

interface Found {
  readonly problems: string[]
  readonly others: string[]
}

async function checkLibrary(
  path: string,
  { scratch, config, log, derives, problems, others }: Omit<Checking, 'folder' | 'stamp'> & Found,
): Promise<{ runs: number; derived: number }> {
  let db: Db
  try {
    db = openDb(path)
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
    return { runs: 0, derived: 0 }
  }
  const tmp = join(scratch, 'tmp')
  if (!existsSync(tmp)) mkdirSync(tmp)
  putTemporaryFiles(db, tmp)
  const worker = workerLine(log)
  try {
    const runs = db.select({ n: count() }).from(workouts).get()?.n ?? 0
    const isCurrent = eq(workouts.engineVersion, ENGINE_VERSION)
    const asked = derives
      ? db.select({ id: workouts.id }).from(workouts).where(isCurrent).orderBy(sql`random()`).limit(DERIVED_RUNS).all()
      : []
    const differing = new Set<string>()
    const { unreadable } = await rederive(
      { db, config, now: Date.now, log, worker },
      asked.map(({ id }) => id),
      {
        what: 'everything',
        write: (tx, head, numbers) => {
          if (rewriteRun(tx, { config, now: Date.now }, head, numbers) > 0) differing.add(head.id)
        },
      },
    )
    if (differing.size > 0) others.push(`the numbers of ${differing.size} of ${asked.length} runs differ`)
    if (unreadable.length > 0) others.push(`${unreadable.length} of ${asked.length} runs cannot be read`)
    return { runs, derived: asked.length }
  } finally {
    worker.close()
    db.$client.close()
  }
}
