import { open } from 'node:fs/promises'
import { gently, isRestDue } from '../base/pace.ts'
import type { Db, Tx } from './open.ts'

/**
 * Runs a part of a transaction in a savepoint and rolls back that part alone when it fails.
 * @throws errors that end the whole transaction, such as a full disk
 */
export function apart<T>(tx: Tx, work: (tx: Tx) => T): { readonly value: T } | { readonly error: unknown } {
  const client = tx.$client
  client.query('SAVEPOINT apart').run()
  try {
    const value = work(tx)
    client.query('RELEASE apart').run()
    return { value }
  } catch (error) {
    if (!client.inTransaction) throw error
    client.query('ROLLBACK TO apart').run()
    client.query('RELEASE apart').run()
    return { error }
  }
}

/** What a part of the work gives that writes first; nothing of it stays. */
export function pretended<T>(tx: Tx, work: (tx: Tx) => T): T {
  const client = tx.$client
  client.query('SAVEPOINT pretended').run()
  try {
    return work(tx)
  } finally {
    client.query('ROLLBACK TO pretended').run()
    client.query('RELEASE pretended').run()
  }
}

/** Works on each of many in transactions of a few milliseconds, so that others are served in between. */
export async function inSlices<T>(db: Db, items: readonly T[], work: (tx: Tx, item: T) => void): Promise<void> {
  for (let at = 0; at < items.length; await gently()) {
    db.transaction((tx) => {
      do {
        work(tx, items[at]!)
        at += 1
      } while (at < items.length && !isRestDue())
    })
  }
}

// An ordinary commit blocks the main thread until the disk has written it. Where several commits follow each other, they
// are written unsynced first, and one sync on another thread follows, while requests are answered.

/**
 * Runs work whose commits are written to the write-ahead log, but not synced: a power cut may lose them until `syncLog`
 * has returned or a later commit was synced. A commit survives only if all commits before it do.
 * @param work begins and ends its transactions before it returns
 */
export function commitUnsynced<T>({ $client: client }: Db, work: () => T): T {
  client.run('PRAGMA synchronous = NORMAL')
  try {
    return work()
  } finally {
    client.run('PRAGMA synchronous = FULL')
  }
}

/**
 * Waits until all commits are on the disk; other requests are served meanwhile.
 * @throws Error when the disk fails: commits may be lost with the next power cut
 */
export async function syncLog({ $client: client }: Db): Promise<void> {
  if (client.filename === ':memory:' || client.filename === '') return
  const log = await open(`${client.filename}-wal`, 'r+')
  try {
    await log.datasync()
  } finally {
    await log.close()
  }
}
