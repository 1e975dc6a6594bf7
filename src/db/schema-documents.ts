import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Decisions: what the runner decided on each run, and what it was before. Written by library/commit.ts alone.

/**
 * The document of a run (library/documents/run.ts). Photos, shoes, goals and settings are documents too; a row of their
 * own table is their body.
 */
export const documents = sqliteTable('document', {
  id: text('id').primaryKey(),
  /** Grows with every change of body or `asked`. */
  seq: integer('seq').notNull(),
  /** Of the body (library/documents/essence.ts): equal ones are equal decisions; null: the run is in the trash. */
  essence: text('essence'),
  /** JSON; null: the run is in the trash. */
  body: text('body'),
  /** JSON of the parameters that its numbers are computed with. */
  asked: text('asked').notNull(),
  /** JSON of what the trash shows of it; null: it is not there. */
  gone: text('gone'),
})

/** A document before a change, and the essence that the change left; kept until the change can no longer be undone. */
export const earlierVersions = sqliteTable('earlier_version', {
  seq: integer('seq').primaryKey(),
  kind: text('kind').notNull(),
  documentId: text('document_id').notNull(),
  /** JSON; null: there was none. */
  body: text('body'),
  /** Essence after the change; null: it is not there; empty: as before. */
  after: text('after'),
  /** JSON of what stands beside the essence of a run and was changed (library/commit.ts). */
  beside: text('beside'),
  receiptId: text('receipt_id').notNull(),
  itemSeq: integer('item_seq').notNull(),
  /** Unix milliseconds; removed after it. */
  until: integer('until').notNull(),
})

/** The recordings that a run's document names, or one of its earlier documents (then it is not live). */
export const runRecordings = sqliteTable('run_recording', {
  runId: text('run_id').notNull(),
  recordingId: text('recording_id').notNull(),
  /** Order of arrival within the run. */
  place: integer('place').notNull(),
  isLive: integer('live', { mode: 'boolean' }).notNull(),
})

/** Two runs that may be recordings of one, in the order of their ids. */
export const mergeSuggestions = sqliteTable('merge_suggestion', {
  id: text('id').primaryKey(),
  firstId: text('first_id').notNull(),
  secondId: text('second_id').notNull(),
  certainty: text('certainty').notNull(),
  overlap: real('overlap').notNull(),
  distanceDifferenceM: real('distance_difference_m').notNull(),
  shiftS: integer('shift_s').notNull(),
  reason: text('reason').notNull(),
  createdAt: integer('created_at').notNull(),
  /** null: it is suggested; dismissed ones stay, so that they are not suggested again. */
  dismissedAt: integer('dismissed_at'),
})

/** Runs that were not compared with the others since they came or were moved. */
export const pairsDue = sqliteTable('pair_due', { runId: text('run_id').primaryKey() })

/** Weather that was looked up for a run, by the hour of its start. */
export const observations = sqliteTable('observation', {
  runId: text('run_id').notNull(),
  /** Unix hours. */
  hour: integer('hour').notNull(),
  weather: text('weather').notNull(),
})
