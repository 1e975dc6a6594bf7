import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Before, Outcome, ReceiptCounts, ReceiptKind, ReceiptOrigin, ReceiptWarning } from './stored-receipts.ts'

// What was changed by whom, what brings it back, and the memory of what was deleted. None of it belongs to an archive.

export const receipts = sqliteTable(
  'receipt',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<ReceiptKind>().notNull(),
    /** How runs came; null: none did. */
    origin: text('origin').$type<ReceiptOrigin>(),
    actor: text('actor').notNull(),
    title: text('title').notNull(),
    madeAt: integer('made_at').notNull(),
    /** null: it is under way. */
    finishedAt: integer('finished_at'),
    /** null: it cannot be undone. */
    undoUntil: integer('undo_until'),
    undoneAt: integer('undone_at'),
    undoneBy: text('undone_by'),
    /** The receipt that it undid. */
    undoes: text('undoes'),
    /** When it is about one workout. */
    workoutId: text('workout_id'),
    counts: text('counts', { mode: 'json' }).$type<ReceiptCounts>().notNull(),
    warnings: text('warnings', { mode: 'json' }).$type<readonly ReceiptWarning[]>().notNull(),
  },
  (table) => [
    index('receipt_made').on(table.madeAt, table.id),
    index('receipt_workout').on(table.workoutId, table.madeAt),
    index('receipt_under_way').on(table.id).where(sql`finished_at IS NULL`),
  ],
)

/** What became of each workout, file, shoe or photo. */
export const receiptItems = sqliteTable(
  'receipt_item',
  {
    receiptId: text('receipt_id').notNull(),
    seq: integer('seq').notNull(),
    workoutId: text('workout_id'),
    filename: text('filename'),
    outcome: text('outcome').$type<Outcome>().notNull(),
    reason: text('reason'),
    capsuleId: text('capsule_id'),
    /** What was before, where it takes no capsule. */
    oldValues: text('old_values', { mode: 'json' }).$type<Before>(),
    /** Of the workout. */
    beforeRevision: integer('before_revision'),
    afterRevision: integer('after_revision'),
    /** Place in the receipt that this one undid. */
    undoesSeq: integer('undoes_seq'),
    /** The receipt that took it back. */
    undoneBy: text('undone_by'),
  },
  (table) => [
    primaryKey({ columns: [table.receiptId, table.seq] }),
    index('receipt_item_workout').on(table.workoutId).where(sql`workout_id IS NOT NULL`),
  ],
)

/** A workout, or a part of one, as it was: library/receipts/capsule.ts. */
export const capsules = sqliteTable(
  'capsule',
  {
    id: text('id').primaryKey(),
    workoutId: text('workout_id').notNull(),
    receiptId: text('receipt_id').notNull(),
    schemaVersion: integer('schema_version').notNull(),
    madeAt: integer('made_at').notNull(),
    /** It lies in the trash. */
    isDeleted: integer('is_deleted', { mode: 'boolean' }).notNull(),
    name: text('name'),
    startedAt: integer('started_at').notNull(),
    distanceM: real('distance_m').notNull(),
    durationS: integer('duration_s').notNull(),
    bytes: integer('bytes').notNull(),
    body: blob('body', { mode: 'buffer' }).notNull(),
  },
  (table) => [
    index('capsule_workout').on(table.workoutId),
    index('capsule_made').on(table.madeAt, table.bytes),
    index('capsule_trash').on(table.madeAt, table.id).where(sql`is_deleted = 1`),
  ],
)

/** The stored files that a capsule needs. */
export const capsuleFiles = sqliteTable(
  'capsule_file',
  {
    folder: text('folder', { enum: ['raw', 'media'] }).notNull(),
    name: text('name').notNull(),
    capsuleId: text('capsule_id')
      .notNull()
      .references(() => capsules.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.folder, table.name, table.capsuleId] }),
    index('capsule_file_capsule').on(table.capsuleId),
  ],
)

/** What was deleted and does not come back by itself. */
export const deletedRuns = sqliteTable(
  'deleted_run',
  {
    workoutId: text('workout_id').notNull(),
    fileSha256: text('file_sha256'),
    fileSession: integer('file_session'),
    origin: text('origin').$type<ReceiptOrigin>(),
    externalId: text('external_id'),
    deletedAt: integer('deleted_at').notNull(),
  },
  (table) => [
    uniqueIndex('deleted_run_file').on(table.fileSha256, table.fileSession).where(sql`file_sha256 IS NOT NULL`),
    uniqueIndex('deleted_run_external').on(table.origin, table.externalId).where(sql`external_id IS NOT NULL`),
    index('deleted_run_workout').on(table.workoutId),
  ],
)
