import { open } from 'node:fs/promises'
import type { Db } from './open.ts'

// A commit of its own waits for the disk on the thread that answers requests. Where several commits follow each other, or
// others can be answered meanwhile, they are written first and the disk is waited for on another thread.

/**
 * Runs work whose commits are written to the write-ahead log, but not yet on the disk: a power cut may take them away until
 * `syncLog` has returned or another commit has waited for the disk. Order is kept: no commit survives that one before it
 * does not.
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
 * Waits until everything that is committed is on the disk; other requests are answered meanwhile.
 * @throws Error when the disk fails: what was committed may be lost with the next power cut
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
