import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { updateRows } from '../../db/prepared.ts'
import { watchFiles } from '../../db/schema-account.ts'
import type { WatchOutcome } from '../../db/stored.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { DAY_MS } from '../../engine/units.ts'
import type { SeenFile } from './folder.ts'

// The table of the files of the watched folders, one row a path, with what became of each. A row with `next_at` is looked
// at again at that time, and is read when its file has not changed since it was seen.

export const WATCH_ACTOR = 'watch_folder'

export type FileRow = typeof watchFiles.$inferSelect

export interface Decision {
  readonly outcome: Exclude<WatchOutcome, 'waiting'>
  readonly reason: string | null
  readonly workoutIds: readonly string[]
  /** Hash of the unpacked bytes; null: they were not read completely. */
  readonly sha256: string | null
  /** Whether a newer version of this program may decide differently. */
  readonly isOpen: boolean
}

/**
 * Notes the files that are new or have changed since they were last seen: they are read once they have been unchanged
 * for long enough; what cannot be opened is an error.
 * @returns how many
 */
export function noteSeen(
  { $client: client }: Db,
  folder: string,
  { files, nowMs, settleMs }: { files: readonly SeenFile[]; nowMs: number; settleMs: number },
): number {
  const seen = files.map(({ name, size, modifiedAt, fault = null }) => {
    const [outcome, nextAt] = fault === null ? ['waiting', nowMs + settleMs] : ['error', null]
    return [Bun.randomUUIDv7(), name, size, modifiedAt, outcome, fault, nextAt]
  })
  const noted = client.query(
    `INSERT INTO watch_file
       (id, folder, name, size, modified_at, outcome, reason, workout_ids, attempts, next_at, looked_at)
     SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, '[]', 0, value ->> 6, ?2
     FROM json_each(?3) WHERE true
     ON CONFLICT (folder, name) DO UPDATE
       SET size = excluded.size, modified_at = excluded.modified_at, attempts = 0, next_at = excluded.next_at
       WHERE size <> excluded.size OR modified_at <> excluded.modified_at`,
  )
  return noted.run(folder, nowMs, JSON.stringify(seen)).changes
}

/** Schedules files again that an older version of this program could not read. */
export function reopen(db: Db, nowMs: number): void {
  const { engineVersion, nextAt } = watchFiles
  const isOpen = and(isNotNull(engineVersion), ne(engineVersion, ENGINE_VERSION), isNull(nextAt))
  db.update(watchFiles).set({ nextAt: nowMs }).where(isOpen).run()
}

/** Longest regular wait; a later time comes from a clock that was wrong. */
const FAR_MS = 2 * DAY_MS

export function dueFiles(
  db: Db,
  { folders, nowMs, most }: { folders: readonly string[]; nowMs: number; most: number },
): FileRow[] {
  const { id, nextAt, modifiedAt, name } = watchFiles
  const isDue = sql`(${nextAt} <= ${nowMs} OR ${nextAt} >= ${nowMs + FAR_MS})`
  // of a hundred thousand that are not due yet only the index is read
  const due = db
    .select({ id })
    .from(watchFiles)
    .where(and(isNotNull(nextAt), isDue, isIn(folders)))
    .orderBy(asc(modifiedAt), asc(name))
    .limit(most)
  return db.select().from(watchFiles).where(inArray(id, due)).orderBy(asc(modifiedAt), asc(name)).all()
}

/** Without an index, since a folder may have most of the files, and another column tells few apart. */
export function isIn(folders: readonly string[]): SQL {
  return sql`+${watchFiles.folder} IN (SELECT value FROM json_each(${JSON.stringify(folders)}))`
}

/** When the next file is due; null: none is waiting. */
export function nextDue(db: Db, nowMs: number): number | null {
  const { nextAt } = watchFiles
  const at = sql<number | null>`min(${nextAt})`
  return db.select({ at }).from(watchFiles).where(sql`${nextAt} > ${nowMs}`).get()?.at ?? null
}

export function fileById(db: Db, id: string): FileRow | null {
  return db.select().from(watchFiles).where(eq(watchFiles.id, id)).get() ?? null
}

export function isKnownFolder(db: Db, folder: string): boolean {
  const { id } = watchFiles
  return db.select({ id }).from(watchFiles).where(eq(watchFiles.folder, folder)).limit(1).get() !== undefined
}

/** The decision on a file with the same bytes; the path itself takes precedence. */
export function decidedBefore(db: Db, sha256: string, id: string): FileRow | null {
  const { lookedAt, outcome } = watchFiles
  const isKnown = and(eq(watchFiles.sha256, sha256), ne(outcome, 'waiting'))
  const found = db.select().from(watchFiles).where(isKnown)
  return (
    found
      .orderBy(desc(eq(watchFiles.id, id)), asc(lookedAt))
      .limit(1)
      .get() ?? null
  )
}

export function noteDecision(
  db: Db,
  id: string,
  { decision, nowMs, receiptId }: { decision: Decision; nowMs: number; receiptId: string | null },
): void {
  const { isOpen, ...decided } = decision
  const engineVersion = isOpen ? ENGINE_VERSION : null
  setFile(db, id, { ...SETTLED, ...decided, receiptId, lookedAt: nowMs, engineVersion })
}

/** What was seen last is decided. */
export const SETTLED = { attempts: 0, nextAt: null, failingSince: null } as const

export function setFile(db: Tx, id: string, set: Partial<FileRow>): void {
  updateRows(db, watchFiles, { set, where: { id } })
}

/** Minutes until a failed file is tried again; after the last one every day. */
const PAUSES_MIN = [1, 5, 30, 120] as const
const A_DAY_MIN = 1440

/** Notes that a file could not be read; it is tried again at growing intervals. */
export function noteFailure(db: Db, file: FileRow, { reason, nowMs }: { reason: string; nowMs: number }): void {
  const attempts = file.attempts + 1
  const nextAt = nowMs + (PAUSES_MIN[file.attempts] ?? A_DAY_MIN) * 60_000
  const failingSince = file.failingSince ?? nowMs
  setFile(db, file.id, { outcome: 'waiting', reason, attempts, nextAt, failingSince, lookedAt: nowMs })
}

/** Files of a folder that could not be read: one that is gone would be told of forever. */
export function failedFiles(db: Db, folder: string): Pick<FileRow, 'id' | 'name'>[] {
  return db.$client
    .query<Pick<FileRow, 'id' | 'name'>, [string]>(
      `SELECT id, name FROM watch_file WHERE id IN (SELECT id FROM watch_file
         WHERE outcome IN ('error', 'waiting') AND +folder = ? AND (outcome = 'error' OR failing_since IS NOT NULL))`,
    )
    .all(folder)
}

export function forgetFile(db: Db, id: string): void {
  db.delete(watchFiles).where(eq(watchFiles.id, id)).run()
}
