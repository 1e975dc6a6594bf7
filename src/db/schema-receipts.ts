import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TakeoutOrigin } from '../engine/limits.ts'
import { DAY_MS } from '../engine/units.ts'

// Receipts of changes, the keys of deleted runs, kept answers, and the log of changes. None of it is exported to archives.

export const RECEIPT_KINDS = [
  'import',
  'edit',
  'bulk_edit',
  'delete',
  'crop',
  'repair',
  'merge',
  'unmerge',
  'join',
  'split',
  'manual',
  'undo',
  'recalculate',
] as const

export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

/** The way in which runs arrived. */
export type ReceiptOrigin =
  | 'upload'
  | 'watch_folder'
  | 'dav'
  | 'share_target'
  | 'strava_archive'
  | TakeoutOrigin
  | 'archive'
  | 'intervals_icu'
  | 'manual'

/** The outcome for a workout, a file, a shoe or a photo. */
export const OUTCOMES = ['created', 'updated', 'merged', 'skipped', 'ignored', 'error', 'changed', 'deleted'] as const

export type Outcome = (typeof OUTCOMES)[number]

export type ReceiptCounts = Readonly<Record<Outcome, number>>

export interface ReceiptWarning {
  readonly filename: string
  readonly message: string
}

export const receipts = sqliteTable('receipt', {
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
})

/** The outcome for each workout, file, shoe or photo. */
export const receiptItems = sqliteTable('receipt_item', {
  receiptId: text('receipt_id').notNull(),
  seq: integer('seq').notNull(),
  /** `seq` of the first item that was written together with this one: they are undone together or not at all. */
  unit: integer('unit').notNull(),
  workoutId: text('workout_id'),
  filename: text('filename'),
  outcome: text('outcome').$type<Outcome>().notNull(),
  reason: text('reason'),
  /** `seq` of the item in the undone receipt that this item reverses. */
  undoesSeq: integer('undoes_seq'),
  /** The receipt that undid this item. */
  undoneBy: text('undone_by'),
})

/** Keys of deleted runs, which automatic imports do not bring back. */
export const forgottenRuns = sqliteTable('forgotten', {
  workoutId: text('workout_id').notNull(),
  fileSha256: text('file_sha256'),
  fileSession: integer('file_session'),
  origin: text('origin').$type<ReceiptOrigin>(),
  externalId: text('external_id'),
  deletedAt: integer('deleted_at').notNull(),
})

/** How long the answer to a request with an Idempotency-Key is kept. */
export const ANSWERS_KEPT_MS = DAY_MS

/** Answers to requests with an Idempotency-Key. */
export const keptAnswers = sqliteTable(
  'kept_answer',
  {
    /** Id of the API key, or of the user of a session. */
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    /** Method, path and query. */
    call: text('call').notNull(),
    bodyHash: text('body_hash').notNull(),
    /** When it was answered, or began. */
    at: integer('at').notNull(),
    /** null: it is under way, or its answer is not known. */
    status: integer('status'),
    location: text('location'),
    receiptId: text('receipt_id'),
    answer: text('answer'),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
)

export type ChangeKind = 'workout' | 'shoe' | 'goal' | 'race' | 'place' | 'settings' | 'media'
export type ChangeWord = 'created' | 'updated' | 'deleted'

/** The log that other programs follow: what each commit changed, one row for each thing. */
export const changes = sqliteTable('change', {
  seq: integer('seq').primaryKey(),
  at: integer('at').notNull(),
  kind: text('kind').$type<ChangeKind>().notNull(),
  /** null: of the settings. */
  id: text('id'),
  change: text('change').$type<ChangeWord>().notNull(),
})

/** The last change of each thing; triggers write it (migrations/0004_changes.sql). */
export const lastChanges = sqliteTable('changed', {
  row: integer('row').primaryKey(),
  kind: text('kind').$type<ChangeKind>().notNull(),
  /** Empty: of the settings. */
  id: text('id').notNull(),
  at: integer('at').notNull(),
  change: text('change').$type<ChangeWord>().notNull(),
  /** In the log; null: it was before that began. */
  seq: integer('seq'),
  /** 2: the log has yet to get it; 1: only what is derived changed since; null: neither. */
  due: integer('due'),
})
