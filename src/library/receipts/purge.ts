import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { and, asc, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { capsuleFiles, capsules, receiptItems, receipts } from '../../db/schema-receipts.ts'
import type { Deps } from '../../deps.ts'
import { createPace } from '../../pace.ts'
import { mediaFilePath, rawFilePath } from '../files/paths.ts'
import type { NamedFile } from './capsule.ts'
import { DAY_MS, unnamedFiles } from './kept.ts'

// Removes data kept for undoing once its time is over or it takes too much space: rows first, then the files that
// nothing names any more. Files left by a crash in between are found by the sweep.

/** How long the items of a receipt are kept. */
const ITEMS_KEPT_MS = 365 * DAY_MS
/** Receipts and capsules removed per transaction. */
const SLICE = 50

/**
 * Removes capsules in the caller's transaction.
 * @returns the files to remove once it is committed
 */
export function dropCapsules(tx: Tx, ids: readonly string[]): NamedFile[] {
  if (ids.length === 0) return []
  const { folder, name, capsuleId } = capsuleFiles
  const needed = tx
    .select({ folder, name })
    .from(capsuleFiles)
    .where(inArray(capsuleId, [...ids]))
    .all()
  tx.delete(capsules)
    .where(inArray(capsules.id, [...ids]))
    .run()
  return unnamedFiles(tx, needed)
}

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

/** Makes room on a full disk by removing the oldest capsule. @returns false when none is left */
export function dropOldestCapsule({ db, config }: Pick<Deps, 'db' | 'config'>): boolean {
  const files = db.transaction((tx) => {
    const oldest = tx.select({ id: capsules.id }).from(capsules).orderBy(asc(capsules.madeAt)).limit(1).get()
    return oldest === undefined ? null : dropCapsules(tx, [oldest.id])
  })
  for (const file of files ?? []) rmSync(pathOf(config.dataDir, file), { force: true })
  return files !== null
}

/** Removes capsules past their time, and the oldest beyond the limit of bytes; other requests are served in between. */
export async function purgeUndo(deps: Pick<Deps, 'db' | 'config' | 'log' | 'now'>): Promise<void> {
  const { db, config, now } = deps
  const pace = createPace()
  for (;;) {
    const old = oldCapsules(db, now() - config.undoDays * DAY_MS)
    const ids = old.length > 0 ? old : overflowing(db, config.undoMaxBytes)
    if (ids.length === 0) break
    await removeFiles(
      deps,
      db.transaction((tx) => dropCapsules(tx, ids)),
    )
    if (pace.needsRest()) await pace.rest()
  }
  forgetOldItems(db, now() - ITEMS_KEPT_MS)
}

function oldCapsules(db: Db, beforeMs: number): string[] {
  const rows = db.select({ id: capsules.id }).from(capsules).where(lt(capsules.madeAt, beforeMs))
  return rows
    .orderBy(asc(capsules.madeAt))
    .limit(SLICE)
    .all()
    .map(({ id }) => id)
}

/** The oldest capsules that exceed the limit; none as long as all fit. */
function overflowing(db: Db, mostBytes: number): string[] {
  const client = db.$client
  // read from an index that has both columns
  const { bytes } = client.query<{ bytes: number }, []>('SELECT coalesce(sum(bytes), 0) AS bytes FROM capsule').get()!
  let over = bytes - mostBytes
  const ids: string[] = []
  const oldest = client.query<{ id: string; bytes: number }, [number]>(
    'SELECT id, bytes FROM capsule ORDER BY made_at LIMIT ?',
  )
  for (const capsule of over > 0 ? oldest.all(SLICE) : []) {
    if (over <= 0) break
    ids.push(capsule.id)
    over -= capsule.bytes
  }
  return ids
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
