import { rm } from 'node:fs/promises'
import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import { createPace } from '../base/pace.ts'
import type { Db } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import { DAY_MS } from '../engine/units.ts'
import { discardFormers, type NamedFile, takeOffShoes } from './commit.ts'
import type { Deps } from './deps.ts'
import { mediaFilePath, rawFilePath } from './files/paths.ts'

// Removes former documents once their time is over, and with the last of a deleted run the run
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

/** Removes former documents past their time; others are served in between. */
export async function purgeUndo(deps: Pick<Deps, 'db' | 'config' | 'log' | 'now'>): Promise<void> {
  const { db, now } = deps
  const pace = createPace()
  const oldest = db.$client.query<{ seq: number }, [number, number]>(
    'SELECT seq FROM former WHERE until < ? ORDER BY until LIMIT ?',
  )
  for (;;) {
    const old = oldest.all(now(), SLICE).map(({ seq }) => seq)
    if (old.length === 0) break
    await removeFiles(
      deps,
      db.transaction((tx) => discardFormers(tx, old, now())),
    )
    if (pace.needsRest()) await pace.rest()
  }
  while (db.transaction(takeOffShoes)) if (pace.needsRest()) await pace.rest()
  forgetOldItems(db, now() - ITEMS_KEPT_MS)
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
