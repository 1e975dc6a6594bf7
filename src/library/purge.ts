import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import { createPace } from '../base/pace.ts'
import type { Db, Tx } from '../db/open.ts'
import { receiptItems, receipts } from '../db/schema-receipts.ts'
import { DAY_MS } from '../engine/units.ts'
import { discardFormers, type NamedFile, takeOffShoes } from './commit.ts'
import type { Deps } from './deps.ts'
import { mediaFilePath, rawFilePath } from './files/paths.ts'
import { isTogether } from './receipts/record.ts'

// Removes former documents once their time is over or they take too much space, and with the last of a deleted run the run
// itself: rows first, then the files that nothing names any more. Files left by a crash in between are found by the sweep.

/** A look this long after the last one shows that the clock leapt, or that the service was off for as long. */
const LEAP_MS = 2 * DAY_MS
/** Uptime after which a clock that stays ahead is believed. */
const DOUBT_MS = DAY_MS
/** When a leap was seen, by the monotonic clock. */
const leaps = new WeakMap<Db, number>()
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

/**
 * Looks at the clock, whose last time in order is kept in a file.
 * @returns whether it may have leapt ahead, so that nothing is to be removed for its age
 */
export async function isClockAhead({ db, config, log, now }: Pick<Deps, 'db' | 'config' | 'log' | 'now'>) {
  const path = join(config.dataDir, 'last-purge')
  const file = Bun.file(path)
  const lastMs = (await file.exists()) ? Number(await file.text()) : 0
  if (lastMs > 0 && now() - lastMs > LEAP_MS) {
    const seenMs = leaps.get(db) ?? performance.now()
    leaps.set(db, seenMs)
    if (performance.now() - seenMs < DOUBT_MS) return true
  }
  leaps.delete(db)
  // on a full disk the purge must continue, since it makes room
  await Bun.write(path, String(now()), { mode: 0o600 }).catch((error: unknown) =>
    log.error('The time of the purge could not be stored', error),
  )
  return false
}

/** Removes former documents past their time, and the oldest beyond the limit of bytes; others are served in between. */
export async function purgeUndo(deps: Pick<Deps, 'db' | 'config' | 'log' | 'now'>): Promise<void> {
  const { db, config, now } = deps
  const pace = createPace()
  const isAhead = await isClockAhead(deps)
  for (;;) {
    const old = isAhead ? [] : ids(db, 'SELECT seq FROM former WHERE until < ? ORDER BY until LIMIT ?', now(), SLICE)
    const some = old.length > 0 ? old : overflowing(db, config.undoMaxBytes)
    if (some.length === 0) break
    await removeFiles(
      deps,
      db.transaction((tx) => discardFormers(tx, some, now())),
    )
    if (pace.needsRest()) await pace.rest()
  }
  while (db.transaction(takeOffShoes)) if (pace.needsRest()) await pace.rest()
  if (!isAhead) forgetOldItems(db, now() - ITEMS_KEPT_MS)
}

function ids(tx: Tx, sql: string, ...values: number[]): number[] {
  return (tx.$client.query(sql).values(...values) as [number][]).map(([seq]) => seq)
}

/** The oldest, and with each all of the same join, split or merge, since one without the others brings nothing back. */
function oldestFormers(tx: Tx, most: number): number[] {
  return ids(
    tx,
    `SELECT seq FROM former WHERE seq IN (SELECT seq FROM former ORDER BY until LIMIT ?1)
     UNION SELECT other.seq FROM (SELECT receipt_id FROM former ORDER BY until LIMIT ?1) AS old
       JOIN former AS other ON other.receipt_id = old.receipt_id WHERE ${isTogether('old.receipt_id')}`,
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
