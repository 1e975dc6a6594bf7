import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../pace.ts'
import { discardFormers, type NamedFile } from './commit.ts'
import { mediaFilePath, rawFilePath } from './files/paths.ts'
import { DAY_MS } from './receipts/record.ts'

// Removes former documents once their time is over or they take too much space, and with the last of a deleted run the run
// itself: rows first, then the files that nothing names any more. Files left by a crash in between are found by the sweep.

/** How long the items of a receipt are kept. */
const ITEMS_KEPT_MS = 365 * DAY_MS
/** Receipts and former documents removed per transaction. */
const SLICE = 50

/** Removes files that nothing names any more; one that cannot be removed is logged and left to the sweep. */
export async function removeFiles(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  files: readonly NamedFile[],
): Promise<void> {
  for (const file of files) {
    try {
      await rm(pathOf(config.dataDir, file), { force: true })
    } catch (error) {
      log.error(`The deleted file ${file.name} could not be removed`, error)
    }
  }
}

function pathOf(dataDir: string, { folder, name }: NamedFile): string {
  return folder === 'raw' ? rawFilePath(dataDir, name) : mediaFilePath(dataDir, name)
}

/** Makes room on a full disk by removing the oldest former documents. @returns false when none is left */
export function dropOldest({ db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>): boolean {
  const files = db.transaction((tx) => {
    const oldest = oldestFormers(tx, 1)
    return oldest.length === 0 ? null : discardFormers(tx, oldest, now())
  })
  for (const file of files ?? []) rmSync(pathOf(config.dataDir, file), { force: true })
  return files !== null
}

/** Removes former documents past their time, and the oldest beyond the limit of bytes; others are served in between. */
export async function purgeUndo(deps: Pick<Deps, 'db' | 'config' | 'log' | 'now'>): Promise<void> {
  const { db, config, now } = deps
  const pace = createPace()
  for (;;) {
    const old = ids(db, 'SELECT seq FROM former WHERE until < ? ORDER BY until LIMIT ?', now(), SLICE)
    const some = old.length > 0 ? old : overflowing(db, config.undoMaxBytes)
    if (some.length === 0) break
    await removeFiles(
      deps,
      db.transaction((tx) => discardFormers(tx, some, now())),
    )
    if (pace.needsRest()) await pace.rest()
  }
  forgetOldItems(db, now() - ITEMS_KEPT_MS)
}

function ids(tx: Tx, sql: string, ...values: number[]): number[] {
  return (tx.$client.query(sql).values(...values) as [number][]).map(([seq]) => seq)
}

/** The oldest, and with each all of the same join or split, since one without the others brings nothing back. */
function oldestFormers(tx: Tx, most: number): number[] {
  return ids(
    tx,
    `SELECT seq FROM former WHERE seq IN (SELECT seq FROM former ORDER BY until LIMIT ?1)
     UNION SELECT other.seq FROM (SELECT receipt_id FROM former ORDER BY until LIMIT ?1) AS old
       JOIN receipt ON receipt.id = old.receipt_id AND receipt.kind IN ('join', 'split')
       JOIN former AS other ON other.receipt_id = old.receipt_id`,
    most,
  )
}

/** Those that exceed the limit; none as long as all fit. */
function overflowing(db: Db, mostBytes: number): number[] {
  // read from an index that has both columns
  const { bytes } = db.$client
    .query<{ bytes: number }, []>('SELECT coalesce(sum(bytes), 0) AS bytes FROM former')
    .get()!
  if (bytes <= mostBytes) return []
  const oldest = db.$client
    .query<{ bytes: number }, [number]>('SELECT bytes FROM former ORDER BY until LIMIT ?')
    .all(SLICE)
  let kept = bytes
  const count = oldest.findIndex(({ bytes: own }) => {
    kept -= own
    return kept <= mostBytes
  })
  return oldestFormers(db, count === -1 ? SLICE : count + 1)
}

/** Removes the items of old receipts; the receipts stay, with their counts. */
function forgetOldItems(db: Db, beforeMs: number): void {
  const old = db
    .selectDistinct({ id: receipts.id })
    .from(receipts)
    .innerJoin(receiptItems, eq(receiptItems.receiptId, receipts.id))
    .where(and(lt(receipts.madeAt, beforeMs), isNotNull(receipts.finishedAt)))
    .limit(SLICE)
    .all()
    .map(({ id }) => id)
  if (old.length > 0) db.delete(receiptItems).where(inArray(receiptItems.receiptId, old)).run()
}
