// rebuild: derives the numbers of all runs again, from recordings and documents, and writes what differs.
import { join } from 'node:path'
import { isNotNull } from 'drizzle-orm'
import { configFromEnvironment } from '../base/config.ts'
import { consoleLog } from '../base/log.ts'
import { lockFolder } from '../db/lock.ts'
import { openDb } from '../db/open.ts'
import { documents } from '../db/schema-documents.ts'
import { type RederiveDeps, rederive, rewriteRun } from '../library/rederive.ts'
import { workerLine } from '../workers/worker-line.ts'

export interface Rebuilt {
  readonly runs: number
  /** Rows that differed. */
  readonly rows: number
  /** Runs that cannot be read, which keep their numbers. */
  readonly unreadable: readonly { readonly id: string; readonly error: unknown }[]
}

/** @throws errors of the database itself, such as a full disk; what was written until then stays */
export async function rebuild(deps: RederiveDeps): Promise<Rebuilt> {
  const live = deps.db.select({ id: documents.id }).from(documents).where(isNotNull(documents.body)).all()
  let rows = 0
  const { total, unreadable } = await rederive(
    deps,
    live.map(({ id }) => id),
    {
      what: 'everything',
      write: (tx, head, derived) => {
        rows += rewriteRun(tx, deps, head, derived)
      },
    },
  )
  return { runs: total, rows, unreadable }
}

export async function rebuildCommand(): Promise<0 | 1> {
  const config = configFromEnvironment()
  const database = join(config.dataDir, 'harrier.sqlite')
  if (!(await Bun.file(database).exists())) throw new Error(`There is no database in ${config.dataDir}`)
  // a server keeps answers in memory that would no longer hold
  const lock = lockFolder(config.dataDir)
  const log = consoleLog('error')
  const deps = { db: openDb(database), config, now: Date.now, log, worker: workerLine(log) }
  try {
    const { runs, rows, unreadable } = await rebuild(deps)
    for (const { id, error } of unreadable) log.error(`The run ${id} cannot be read and keeps its numbers`, error)
    process.stdout.write(`Derived ${runs} runs again, rows written: ${rows}\n`)
    return unreadable.length === 0 ? 0 : 1
  } finally {
    deps.worker.close()
    deps.db.$client.close()
    lock.release()
  }
}
