import { open } from 'node:fs/promises'
import type { Db } from './open.ts'

// A normal commit waits for the disk on the thread that answers requests. With several commits in a row, or with other
// requests waiting, the commits are written first, and the disk is awaited on another thread.

/**
 * Runs work whose commits are written to the write-ahead log but not yet synced: a power cut may undo them until
 * `syncLog` has returned or another commit was synced. Their order is kept: no commit survives without the ones before
 * it.
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
