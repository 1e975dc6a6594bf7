import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Before, Outcome, ReceiptCounts, ReceiptKind, ReceiptOrigin, ReceiptWarning } from './stored-receipts.ts'

// Receipts of changes, the data that undoes them, and the keys of deleted runs. None of it is exported to archives.

export const receipts = sqliteTable(
  'receipt',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<ReceiptKind>().notNull(),
    /** The way in which runs arrived; null: the change imported none. */
    origin: text('origin').$type<ReceiptOrigin>(),
    actor: text('actor').notNull(),
    title: text('title').notNull(),
    madeAt: integer('made_at').notNull(),
    /** null: still in progress. */
    finishedAt: integer('finished_at'),
    /** null: it cannot be undone. */
    undoUntil: integer('undo_until'),
    undoneAt: integer('undone_at'),
    undoneBy: text('undone_by'),
    /** The receipt that this one undid. */
    undoes: text('undoes'),
    /** Set when it concerns a single workout. */
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

/** The outcome for each workout, file, shoe or photo. */
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
    /** The previous values, where these need no capsule. */
    oldValues: text('old_values', { mode: 'json' }).$type<Before>(),
    /** Revision of the workout before the change. */
    beforeRevision: integer('before_revision'),
    afterRevision: integer('after_revision'),
    /** `seq` of the item in the undone receipt that this item reverses. */
    undoesSeq: integer('undoes_seq'),
    /** The receipt that undid this item. */
    undoneBy: text('undone_by'),
  },
  (table) => [
    primaryKey({ columns: [table.receiptId, table.seq] }),
    index('receipt_item_workout').on(table.workoutId).where(sql`workout_id IS NOT NULL`),
  ],
)

/** A packed copy of a workout, or of parts of one, from before a change: library/receipts/capsule.ts. */
export const capsules = sqliteTable(
  'capsule',
  {
    id: text('id').primaryKey(),
    workoutId: text('workout_id').notNull(),
    receiptId: text('receipt_id').notNull(),
    schemaVersion: integer('schema_version').notNull(),
    madeAt: integer('made_at').notNull(),
    /** Whether the workout is in the trash. */
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

/** Keys of deleted runs, which automatic imports do not bring back. */
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
