import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { WatchOutcome } from './stored.ts'

/** Files seen in the watch folder, one row per path, with their outcome. */
export const watchFiles = sqliteTable(
  'watch_file',
  {
    id: text('id').primaryKey(),
    folder: text('folder').notNull(),
    name: text('name').notNull(),
    size: integer('size').notNull(),
    modifiedAt: integer('modified_at').notNull(),
    sha256: text('sha256'),
    outcome: text('outcome').$type<WatchOutcome>().notNull(),
    reason: text('reason'),
    workoutIds: text('workout_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    receiptId: text('receipt_id'),
    attempts: integer('attempts').notNull(),
    nextAt: integer('next_at'),
    failingSince: integer('failing_since'),
    lookedAt: integer('looked_at').notNull(),
    engineVersion: integer('engine_version'),
  },
  ({ folder, name, modifiedAt, sha256, outcome, lookedAt, nextAt }) => [
    uniqueIndex('watch_file_name').on(folder, name),
    index('watch_file_sha256').on(sha256).where(sql`sha256 IS NOT NULL`),
    index('watch_file_outcome').on(folder, outcome, lookedAt),
    index('watch_file_looked').on(lookedAt),
    index('watch_file_due').on(modifiedAt, name).where(sql`next_at IS NOT NULL`),
    index('watch_file_next').on(nextAt).where(sql`next_at IS NOT NULL`),
  ],
)
