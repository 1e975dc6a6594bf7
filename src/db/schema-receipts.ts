import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Outcome, ReceiptCounts, ReceiptKind, ReceiptOrigin, ReceiptWarning } from './stored-receipts.ts'

// Receipts of changes, and the keys of deleted runs. None of it is exported to archives.

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

/** Keys of deleted runs, which automatic imports do not bring back. */
export const forgottenRuns = sqliteTable(
  'forgotten',
  {
    workoutId: text('workout_id').notNull(),
    fileSha256: text('file_sha256'),
    fileSession: integer('file_session'),
    origin: text('origin').$type<ReceiptOrigin>(),
    externalId: text('external_id'),
    deletedAt: integer('deleted_at').notNull(),
  },
  (table) => [
    uniqueIndex('forgotten_file').on(table.fileSha256, table.fileSession).where(sql`file_sha256 IS NOT NULL`),
    uniqueIndex('forgotten_external').on(table.origin, table.externalId).where(sql`external_id IS NOT NULL`),
    index('forgotten_workout').on(table.workoutId),
  ],
)
