import { open } from 'node:fs/promises'
import type { Db } from './open.ts'

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
