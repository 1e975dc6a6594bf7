import { rmSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, Tx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { isDiskFull } from '../../disk-full.ts'
import { dropOldestCapsule } from '../receipts/purge.ts'

/** What the log, which SQLite folds after 4 MiB, can make the database grow by. */
export const RESERVE_BYTES = 4_194_304
const PIECE_BYTES = 65_536

type Place = Pick<Deps, 'db' | 'config'>

/**
 * Work that makes room, such as a deletion, in one transaction. Writing takes space too: first in the write-ahead log,
 * then, when that is folded into the database, there. Where the disk has none left the reserve is given up, the log is
 * folded and begins anew with the space that it has, and the work is done once more; then the trash is emptied, what lies
 * there longest first, until it can be done.
 * @throws what `work` throws; the failure of the last attempt when all that was not enough
 */
export function makeRoom<T>({ db, config }: Place, work: (tx: Tx) => T): T {
  try {
    return db.transaction(work, { behavior: 'immediate' })
  } catch (error) {
    if (!isDiskFull(error)) throw error
    rmSync(reservePath(config.dataDir), { force: true })
    foldLog(db)
    for (;;) {
      try {
        return db.transaction(work, { behavior: 'immediate' })
      } catch (still) {
        if (!isDiskFull(still) || !dropOldestCapsule({ db, config })) throw still
        foldLog(db)
      }
    }
  }
}

/** Folds the write-ahead log into the database, as far as readers let it. */
export function foldLog({ $client: client }: Db): void {
  client.run('PRAGMA wal_checkpoint(PASSIVE)')
}

/** Sets the space aside that `makeRoom` may need, unless it is there already or there is none. */
export async function keepReserve(dataDir: string): Promise<void> {
  const path = reservePath(dataDir)
  if ((await stat(path).catch(() => null))?.size === RESERVE_BYTES) return
  const file = await open(path, 'w', 0o600)
  try {
    // some file systems store zeros in no space at all
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
