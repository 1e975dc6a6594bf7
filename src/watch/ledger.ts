import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, lte, max, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { watchFiles } from '../db/schema-watch.ts'
import type { WatchOutcome } from '../db/stored.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { notFound } from '../errors.ts'
import type { SeenFile } from './files.ts'

// What is known of the files of the watch folder. A row says what was decided last; with `next_at` it is to be looked at
// again then, and read when it is as it was seen.

export type LedgerRow = typeof watchFiles.$inferSelect

/** What became of a file. */
export interface Decision {
  readonly outcome: Exclude<WatchOutcome, 'waiting'>
  readonly reason: string | null
  readonly workoutIds: readonly string[]
  /** Of the unpacked bytes; null: they were not read to their end. */
  readonly sha256: string | null
  /** A newer version of this program may decide otherwise. */
  readonly isOpen: boolean
}

/** Of those, the ones that are new or other than they were when they were last seen. */
export function changedFiles(db: Db, folder: string, files: readonly SeenFile[]): SeenFile[] {
  const sent = JSON.stringify(files.map(({ name, size, modifiedAt }) => [name, size, modifiedAt]))
  const rows = db.$client
    .query<{ place: number }, [string, string]>(
      `SELECT j.key AS place FROM json_each(?1) AS j
       LEFT JOIN watch_file AS w ON w.folder = ?2 AND w.name = j.value ->> 0
       WHERE w.id IS NULL OR w.size <> j.value ->> 1 OR w.modified_at <> j.value ->> 2`,
    )
    .all(sent, folder)
  return rows.map(({ place }) => files[place]!)
}

/** They are to be looked at again when they have stood still. */
export function noteSeen(
  db: Db,
  folder: string,
  {
    files,
    nowMs,
    settleMs,
  }: { readonly files: readonly SeenFile[]; readonly nowMs: number; readonly settleMs: number },
): void {
  if (files.length === 0) return
  const sent = JSON.stringify(
    files.map(({ name, size, modifiedAt }) => [Bun.randomUUIDv7(), name, size, modifiedAt] as const),
  )
  db.run(sql`INSERT INTO watch_file
      (id, folder, name, size, modified_at, outcome, workout_ids, attempts, next_at, looked_at)
    SELECT j.value ->> 0, ${folder}, j.value ->> 1, j.value ->> 2, j.value ->> 3, 'waiting', '[]', 0,
      ${nowMs + settleMs}, ${nowMs}
    FROM json_each(${sent}) AS j WHERE true
    ON CONFLICT (folder, name) DO UPDATE SET size = excluded.size, modified_at = excluded.modified_at, attempts = 0,
      next_at = excluded.next_at`)
}

/** What an older version of this program could not read. @returns how many */
export function reopen(db: Db, nowMs: number): number {
  const { engineVersion, nextAt } = watchFiles
  return db
    .update(watchFiles)
    .set({ nextAt: nowMs })
    .where(and(isNotNull(engineVersion), ne(engineVersion, ENGINE_VERSION), isNull(nextAt)))
    .returning({ id: watchFiles.id })
    .all().length
}

/** Nothing waits for so long but by a clock that was ahead then. */
const FAR_MS = 2 * 86_400_000

/** Files that may be read now, the oldest first. */
export function dueFiles(
  db: Db,
  { folders, nowMs, most }: { readonly folders: readonly string[]; readonly nowMs: number; readonly most: number },
): LedgerRow[] {
  const { folder, nextAt, modifiedAt, name } = watchFiles
  return db
    .select()
    .from(watchFiles)
    .where(and(or(lte(nextAt, nowMs), gte(nextAt, nowMs + FAR_MS)), inArray(folder, [...folders])))
    .orderBy(asc(modifiedAt), asc(name))
    .limit(most)
    .all()
}

/** When the next file may be read; null: none waits for later. */
export function nextDue(db: Db, nowMs: number): number | null {
  const found = db
    .select({ at: sql<number | null>`min(${watchFiles.nextAt})` })
    .from(watchFiles)
    .where(sql`${watchFiles.nextAt} > ${nowMs}`)
    .get()
  return found?.at ?? null
}

export function fileById(db: Db, id: string): LedgerRow | null {
  return db.select().from(watchFiles).where(eq(watchFiles.id, id)).get() ?? null
}

/** What was decided of the same bytes; of the path itself first. */
export function decidedBefore(db: Db, sha256: string, id: string): LedgerRow | null {
  const row = db
    .select()
    .from(watchFiles)
    .where(and(eq(watchFiles.sha256, sha256), ne(watchFiles.outcome, 'waiting')))
    .orderBy(desc(eq(watchFiles.id, id)), asc(watchFiles.lookedAt))
    .limit(1)
    .get()
  return row ?? null
}

export function noteDecision(
  db: Db,
  id: string,
  { decision, nowMs, receiptId = null }: { decision: Decision; nowMs: number; receiptId?: string | null },
): void {
  const { isOpen, ...decided } = decision
  db.update(watchFiles)
    .set({
      ...decided,
      receiptId,
      attempts: 0,
      nextAt: null,
      failingSince: null,
      lookedAt: nowMs,
      engineVersion: isOpen ? ENGINE_VERSION : null,
    })
    .where(eq(watchFiles.id, id))
    .run()
}

/** Where it stands what became of the runs of these files. */
export function noteReceipt(db: Db, ids: readonly string[], receiptId: string): void {
  db.update(watchFiles)
    .set({ receiptId })
    .where(sql`${watchFiles.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .run()
}

/** The bytes are those that were decided on. */
export function noteUnchanged(db: Db, id: string): void {
  db.update(watchFiles).set({ nextAt: null, attempts: 0, failingSince: null }).where(eq(watchFiles.id, id)).run()
}

/** After which it is tried again, minutes; then every day. */
const PAUSES_MIN = [1, 5, 30, 120] as const
const A_DAY_MIN = 1440

/** It could not be read, and is tried again later and later. */
export function noteFailure(
  db: Db,
  { id, attempts, failingSince }: LedgerRow,
  { reason, nowMs }: { readonly reason: string; readonly nowMs: number },
): void {
  const pauseMin = PAUSES_MIN[attempts] ?? A_DAY_MIN
  db.update(watchFiles)
    .set({
      outcome: 'waiting',
      reason,
      attempts: attempts + 1,
      nextAt: nowMs + pauseMin * 60_000,
      failingSince: failingSince ?? nowMs,
      lookedAt: nowMs,
    })
    .where(eq(watchFiles.id, id))
    .run()
}

/** It vanished: what was decided stays known, what was not is forgotten; when it comes back it is seen as another one. */
export function noteGone(db: Db, { id, outcome }: LedgerRow): void {
  const row = eq(watchFiles.id, id)
  if (outcome === 'waiting') db.delete(watchFiles).where(row).run()
  else db.update(watchFiles).set({ nextAt: null, size: -1 }).where(row).run()
}

/** What the runner is told of, and would be told for ever of a file that is gone. */
export function toldFiles(db: Db, folder: string): LedgerRow[] {
  const isTold = inArray(watchFiles.outcome, ['error', 'waiting'])
  return db
    .select()
    .from(watchFiles)
    .where(and(isTold, eq(watchFiles.folder, folder)))
    .all()
}

export function forgetFile(db: Db, id: string): void {
  db.delete(watchFiles).where(eq(watchFiles.id, id)).run()
}

/** Whether files of a folder were ever seen. */
export function isKnownFolder(db: Db, folder: string): boolean {
  const row = db.select({ id: watchFiles.id }).from(watchFiles).where(eq(watchFiles.folder, folder)).limit(1).get()
  return row !== undefined
}

/** How many files met which end, and when the last one could not be read. */
export function outcomeCounts(db: Db): { counts: Readonly<Record<WatchOutcome, number>>; lastErrorAt: number | null } {
  const { outcome, lookedAt } = watchFiles
  const rows = db
    .select({ outcome, files: count(), last: max(lookedAt) })
    .from(watchFiles)
    .groupBy(outcome)
    .all()
  const counts = { created: 0, updated: 0, merged: 0, skipped: 0, ignored: 0, error: 0, waiting: 0 }
  for (const row of rows) counts[row.outcome] = row.files
  return { counts, lastErrorAt: rows.find((row) => row.outcome === 'error')?.last ?? null }
}

interface Asked {
  readonly outcome: WatchOutcome | undefined
  readonly page: number
  readonly pageSize: number
}

/**
 * One page of the files, those that were decided on last first.
 * @throws AppError 404 for a page past the end of a list that is not empty
 */
export function filesPage(db: Db, { outcome, page, pageSize }: Asked) {
  const where = outcome === undefined ? undefined : eq(watchFiles.outcome, outcome)
  const totalCount = db.select({ n: count() }).from(watchFiles).where(where).get()?.n ?? 0
  const totalPages = Math.ceil(totalCount / pageSize)
  if (totalPages > 0 && page > totalPages) throw notFound('Page')
  const rows = db
    .select()
    .from(watchFiles)
    .where(where)
    .orderBy(desc(watchFiles.lookedAt), asc(watchFiles.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .all()
  return { rows, totalCount, page, pageSize, totalPages }
}

/** Of the files that were decided on last. */
export function lastReceiptId(db: Db): string | null {
  const { receiptId, lookedAt } = watchFiles
  const query = db.select({ receiptId }).from(watchFiles).where(isNotNull(receiptId)).orderBy(desc(lookedAt)).limit(1)
  return query.get()?.receiptId ?? null
}

/** Those of the ids that are stored. */
export function storedIds(db: Db, ids: readonly string[]): ReadonlySet<string> {
  if (ids.length === 0) return new Set()
  const found = db
    .select({ id: workouts.id })
    .from(workouts)
    .where(sql`${workouts.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
  return new Set(found.all().map(({ id }) => id))
}
