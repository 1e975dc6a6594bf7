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
