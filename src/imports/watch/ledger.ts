import type { Static } from '@sinclair/typebox'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, max, ne, type SQL, sql } from 'drizzle-orm'
import { createPace } from '../../base/pace.ts'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { watchFiles } from '../../db/schema-account.ts'
import { receipts } from '../../db/schema-receipts.ts'
import type { WatchOutcome } from '../../db/stored.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { DAY_MS } from '../../engine/units.ts'
import { pageOf } from '../../features/workouts/list.ts'
import type { FilesQuery } from './schemas.ts'

// Table of the files of the watched folders with their last outcome. A row with `next_at` is examined again at that
// time, and is read when its file has not changed since it was seen.

export const WATCH_ACTOR = 'watch_folder'

export type LedgerRow = typeof watchFiles.$inferSelect

export interface Decision {
  readonly outcome: Exclude<WatchOutcome, 'waiting'>
  readonly reason: string | null
  readonly workoutIds: readonly string[]
  /** Hash of the unpacked bytes; null: they were not read completely. */
  readonly sha256: string | null
  /** Whether a newer version of this program may decide differently. */
  readonly isOpen: boolean
}

/** Schedules files again that an older version of this program could not read. @returns their number */
export function reopen(db: Db, nowMs: number): number {
  const { engineVersion, nextAt } = watchFiles
  return db
    .update(watchFiles)
    .set({ nextAt: nowMs })
    .where(and(isNotNull(engineVersion), ne(engineVersion, ENGINE_VERSION), isNull(nextAt)))
    .returning({ id: watchFiles.id })
    .all().length
}

/** Longest regular wait; a later time comes from a clock that was wrong. */
const FAR_MS = 2 * DAY_MS

export function dueFiles(
  db: Db,
  { folders, nowMs, most }: { readonly folders: readonly string[]; readonly nowMs: number; readonly most: number },
): LedgerRow[] {
  const { nextAt, modifiedAt, name } = watchFiles
  // the plus keeps SQLite from an index: by time a hundred thousand due ones would be sorted, by age as many passed over
  const [at, age] = isMany(db, nowMs, most) ? [sql`+${nextAt}`, modifiedAt] : [nextAt, sql`+${modifiedAt}`]
  const isDue = sql`(${at} <= ${nowMs} OR ${at} >= ${nowMs + FAR_MS})`
  return db
    .select()
    .from(watchFiles)
    .where(and(isNotNull(nextAt), isDue, isIn(folders)))
    .orderBy(asc(age), asc(name))
    .limit(most)
    .all()
}

function isMany(db: Db, nowMs: number, most: number): boolean {
  const due = db.$client.query('SELECT 1 FROM watch_file WHERE next_at <= ? LIMIT 1 OFFSET ?')
  return due.get(nowMs, most) !== null
}

/** Without the index of folders, since a folder may have ten thousand files and another index is faster. */
function isIn(folders: readonly string[]): SQL {
  return sql`+${watchFiles.folder} IN (SELECT value FROM json_each(${JSON.stringify(folders)}))`
}

/** When the next file is due; null: none is waiting. */
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

/** The decision on a file with the same bytes; the path itself takes precedence. */
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

export function noteReceipt(db: Db, ids: readonly string[], receiptId: string): void {
  db.update(watchFiles)
    .set({ receiptId })
    .where(sql`${watchFiles.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .run()
}

/** Notes that a changed file has the same bytes as before. */
export function noteUnchanged(db: Db, id: string): void {
  db.update(watchFiles).set({ nextAt: null, attempts: 0, failingSince: null }).where(eq(watchFiles.id, id)).run()
}

/** Minutes until a failed file is tried again; after the last one every day. */
const PAUSES_MIN = [1, 5, 30, 120] as const
const A_DAY_MIN = 1440

/** Notes that a file could not be read; it is tried again at growing intervals. */
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

/** A vanished file: a decided one is kept, an undecided one is forgotten; if it comes back, it counts as new. */
export function noteGone(db: Db, { id, outcome }: LedgerRow): void {
  const row = eq(watchFiles.id, id)
  if (outcome === 'waiting') db.delete(watchFiles).where(row).run()
  else db.update(watchFiles).set({ nextAt: null, size: -1 }).where(row).run()
}

/** Failed files, which are checked for existence, since one that is gone would be reported forever. */
export async function* failedFiles(db: Db, folder: string): AsyncGenerator<Pick<LedgerRow, 'id' | 'name'>> {
  const some = db.$client.query<FailedRow, [string, string, number, string]>(
    `SELECT id, name, looked_at AS lookedAt, failing_since AS failingSince FROM watch_file
     WHERE folder = ? AND outcome = ? AND (looked_at, id) > (?, ?) ORDER BY looked_at, id LIMIT 500`,
  )
  const pace = createPace()
  for (const outcome of ['error', 'waiting'] satisfies WatchOutcome[]) {
    let last: Pick<FailedRow, 'lookedAt' | 'id'> | undefined = { lookedAt: Number.MIN_SAFE_INTEGER, id: '' }
    while (last !== undefined) {
      const rows = some.all(folder, outcome, last.lookedAt, last.id)
      // a waiting file that never failed is forgotten when it is due
      yield* rows.filter(({ failingSince }) => outcome === 'error' || failingSince !== null)
      if (pace.needsRest()) await pace.rest()
      last = rows.at(-1)
    }
  }
}

type FailedRow = Pick<LedgerRow, 'id' | 'name' | 'lookedAt' | 'failingSince'>

export function forgetFile(db: Db, id: string): void {
  db.delete(watchFiles).where(eq(watchFiles.id, id)).run()
}

/** Whether files of a folder were ever seen. */
export function isKnownFolder(db: Db, folder: string): boolean {
  const row = db.select({ id: watchFiles.id }).from(watchFiles).where(eq(watchFiles.folder, folder)).limit(1).get()
  return row !== undefined
}

/** Counts of files by outcome in the folders watched now, and the time of the last failure. */
export function outcomeCounts(
  db: Db,
  folders: readonly string[],
): { counts: Readonly<Record<WatchOutcome, number>>; lastErrorAt: number | null } {
  const { outcome, lookedAt } = watchFiles
  const rows = db
    .select({ outcome, files: count(), last: max(lookedAt) })
    .from(watchFiles)
    .where(inArray(watchFiles.folder, [...folders]))
    .groupBy(outcome)
    .all()
  const counts = { created: 0, updated: 0, merged: 0, skipped: 0, ignored: 0, error: 0, waiting: 0 }
  for (const row of rows) counts[row.outcome] = row.files
  return { counts, lastErrorAt: rows.find((row) => row.outcome === 'error')?.last ?? null }
}

/** One page of the files, the last decided first. @throws AppError 404 past the end of a list that is not empty */
export function filesPage(db: Db, folders: readonly string[], { outcome, ...asked }: Static<typeof FilesQuery>) {
  const { folder } = watchFiles
  const where =
    outcome === undefined ? isIn(folders) : and(inArray(folder, [...folders]), eq(watchFiles.outcome, outcome))
  const totalCount = db.select({ n: count() }).from(watchFiles).where(where).get()?.n ?? 0
  const page = pageOf(totalCount, asked)
  const rows = db
    .select()
    .from(watchFiles)
    .where(where)
    .orderBy(desc(watchFiles.lookedAt), asc(watchFiles.id))
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .all()
  return { rows, ...page }
}

/** Receipt of the last round or archive that stored something or failed. */
export function lastReceiptId(db: Db): string | null {
  const { id, actor, madeAt } = receipts
  const isOurs = eq(actor, WATCH_ACTOR)
  return db.select({ id }).from(receipts).where(isOurs).orderBy(desc(madeAt), desc(id)).limit(1).get()?.id ?? null
}

export function storedIds(db: Db, ids: readonly string[]): ReadonlySet<string> {
  if (ids.length === 0) return new Set()
  const found = db
    .select({ id: workouts.id })
    .from(workouts)
    .where(sql`${workouts.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
  return new Set(found.all().map(({ id }) => id))
}
