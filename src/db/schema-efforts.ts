import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { ImplausibleReason } from '../engine/analysis.ts'
import { ofWorkout } from './schema.ts'

// Best efforts, what is said of them, and relative efforts while they change.

export const workoutBestEfforts = sqliteTable(
  'workout_best_effort',
  {
    workoutId: ofWorkout().notNull(),
    distanceIndex: integer('distance_index').notNull(),
    timeMs: integer('time_ms').notNull(),
    startMs: integer('start_ms').notNull(),
    /** As that of a split. */
    id: text('id'),
    calculatedAt: integer('calculated_at').notNull(),
    implausibleReason: text('implausible_reason').$type<ImplausibleReason>(),
  },
  (table) => [
    primaryKey({ columns: [table.workoutId, table.distanceIndex] }),
    index('workout_best_effort_rank').on(table.distanceIndex, table.timeMs),
  ],
)

/** Efforts that only an archive knows (docs/api.md 12.2). */
export const archivedBestEfforts = sqliteTable(
  'archived_best_effort',
  {
    id: text('id').primaryKey(),
    workoutId: ofWorkout().notNull(),
    distanceIndex: integer('distance_index').notNull(),
    timeMs: integer('time_ms').notNull(),
    calculatedAt: integer('calculated_at').notNull(),
  },
  (table) => [
    unique().on(table.workoutId, table.distanceIndex),
    index('archived_best_effort_rank').on(table.distanceIndex, table.timeMs),
  ],
)

/** What the runner says of an effort, whatever it is computed to be. */
export const effortWords = sqliteTable(
  'effort_word',
  {
    workoutId: ofWorkout().notNull(),
    distanceIndex: integer('distance_index').notNull(),
    isRecord: integer('is_record', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.workoutId, table.distanceIndex] })],
)

/** What the efforts were before new zones were begun to be scored with (library/score-change.ts). */
export const effortsBefore = sqliteTable('effort_before', {
  workoutId: ofWorkout().primaryKey(),
  inputsRevision: integer('inputs_revision').notNull(),
  newZones: text('new_zones').notNull(),
  relativeEffort: integer('relative_effort'),
  hrZoneSeconds: text('hr_zone_seconds'),
  effortZones: text('effort_zones'),
  ours: text('ours').notNull(),
})
