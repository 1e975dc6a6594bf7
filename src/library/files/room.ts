import { rmSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../../db/disk-full.ts'
import type { Db, Tx } from '../../db/open.ts'
import type { Deps } from '../deps.ts'
import { dropOldest } from '../purge.ts'

/** Most bytes by which folding the write-ahead log (done every 4 MiB) can enlarge the database. */
export const RESERVE_BYTES = 4_194_304
const PIECE_BYTES = 65_536

type Place = Pick<Deps, 'db' | 'config' | 'now'>

/**
 * Runs work that frees space, such as a deletion, in one transaction. Writing needs space as well: first in the
 * write-ahead log, then in the database, when the log is folded into it. On a full disk the reserve file is deleted,
 * the log is folded so that its space is reused, and the work is tried again; then the oldest entries of the trash are
 * removed until it succeeds.
 * @throws errors of `work`; the failure of the last attempt when all of this was not enough
 */
export function makeRoom<T>(place: Place, work: (tx: Tx) => T): T {
  const { db, config } = place
  try {
    return db.transaction(work)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    rmSync(reservePath(config.dataDir), { force: true })
    foldLog(db)
    for (;;) {
      try {
        return db.transaction(work)
      } catch (still) {
        if (!isDiskFull(still) || !dropOldest(place)) throw still
        foldLog(db)
      }
    }
  }
}

/** Folds the write-ahead log into the database, as far as open readers allow. */
export function foldLog({ $client: client }: Db): void {
  client.run('PRAGMA wal_checkpoint(PASSIVE)')
}

/** Creates the reserve file that `makeRoom` may delete, unless it exists or there is no space. */
export async function keepReserve(dataDir: string): Promise<void> {
  const path = reservePath(dataDir)
  if ((await stat(path).catch(() => null))?.size === RESERVE_BYTES) return
  const file = await open(path, 'w', 0o600)
  try {
    // random bytes, since some file systems store zeros without using space
    for (let at = 0; at < RESERVE_BYTES; at += PIECE_BYTES) {
      await file.writeFile(crypto.getRandomValues(new Uint8Array(PIECE_BYTES)))
    }
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    if (!isDiskFull(error)) throw error
  } finally {
    await file.close()
  }
}

function reservePath(dataDir: string): string {
  return join(dataDir, 'reserve')
}
