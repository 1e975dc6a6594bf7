import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { ImplausibleReason } from '../engine/analysis.ts'
import { ofWorkout } from './schema.ts'

// Best efforts, the runner's decisions on them, and relative efforts during a change of zones.

export const workoutBestEfforts = sqliteTable(
  'workout_best_effort',
  {
    workoutId: ofWorkout().notNull(),
    distanceIndex: integer('distance_index').notNull(),
    timeMs: integer('time_ms').notNull(),
    startMs: integer('start_ms').notNull(),
    /** As that of a split: null: derived. */
    id: text('id'),
    calculatedAt: integer('calculated_at').notNull(),
    implausibleReason: text('implausible_reason').$type<ImplausibleReason>(),
  },
  (table) => [
    primaryKey({ columns: [table.workoutId, table.distanceIndex] }),
    index('workout_best_effort_rank').on(table.distanceIndex, table.timeMs),
  ],
)

/** Efforts that only an archive has (docs/api.md 12.2). */
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

/** The runner's decisions on efforts (record or not), which override what is computed. */
export const effortWords = sqliteTable(
  'effort_word',
  {
    workoutId: ofWorkout().notNull(),
    distanceIndex: integer('distance_index').notNull(),
    isRecord: integer('is_record', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.workoutId, table.distanceIndex] })],
)

/** The relative efforts from before a change of zones that is under way (library/score-change.ts). */
export const effortsBefore = sqliteTable('effort_before', {
  workoutId: ofWorkout().primaryKey(),
  /** `seq` of the document with the new score. */
  seq: integer('seq').notNull(),
  newAsked: text('new_asked').notNull(),
  relativeEffort: integer('relative_effort'),
  hrZoneSeconds: text('hr_zone_seconds'),
  asked: text('asked').notNull(),
})
