import { sql } from 'drizzle-orm'
import { blob, index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { media, routeIndexes } from './schema.ts'

// Where each run went (docs/algorithms.md 22). Whatever rewrites the route of a run drops its ground, too.

export const grounds = sqliteTable(
  'ground',
  {
    run: integer('run').primaryKey(),
    workoutId: text('workout_id')
      .notNull()
      .unique()
      .references(() => routeIndexes.workoutId, { onDelete: 'cascade' }),
    startedAt: integer('started_at').notNull(),
    groundVersion: integer('ground_version').notNull(),
    /** null: the track cannot be read. */
    startLat: real('start_lat'),
    startLon: real('start_lon'),
    lengthM: real('length_m').notNull(),
  },
  (table) => [index('ground_of_version').on(table.groundVersion)],
)

export const groundSquares = sqliteTable(
  'ground_square',
  {
    /** (x * 2^14 + y) * 2^24 + run */
    id: integer('id').primaryKey(),
    run: integer('run')
      .notNull()
      .references(() => grounds.run, { onDelete: 'cascade' }),
    enteredS: real('entered_s').notNull(),
    line: blob('line', { mode: 'buffer' }).notNull(),
    /** null: not computed yet. */
    newM: real('new_m'),
  },
  (table) => [index('ground_square_run').on(table.run)],
)

/** Squares whose new ground is to be computed again, marked by triggers. */
export const groundDirty = sqliteTable('ground_dirty', {
  /** x * 2^14 + y */
  square: integer('square').primaryKey(),
  /** Grows with every change. */
  marks: integer('marks').notNull(),
})

/** Places that the runner named. */
export const places = sqliteTable(
  'place',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    lat: real('lat').notNull(),
    lon: real('lon').notNull(),
    isHome: integer('is_home', { mode: 'boolean' }).notNull(),
    /** Metres about it that nobody else sees; null: it is not hidden. */
    hideM: real('hide_m'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [uniqueIndex('place_home').on(table.isHome).where(sql`is_home = 1`)],
)

/** What the file of a photo or video states. */
export const mediaStated = sqliteTable('media_stated', {
  mediaId: text('media_id')
    .primaryKey()
    .references(() => media.id, { onDelete: 'cascade' }),
  /** STATED_VERSION of library/files/taken.ts. */
  version: integer('version').notNull(),
  /** Unix milliseconds, of a local time as if it were UTC; null: it states none. */
  takenAt: integer('taken_at'),
  isLocal: integer('is_local', { mode: 'boolean' }).notNull(),
  lat: real('lat'),
  lon: real('lon'),
})

/** Where a photo or video of a run with a route is. Whatever rewrites the route drops it. */
export const mediaPlaces = sqliteTable(
  'media_place',
  {
    mediaId: text('media_id')
      .primaryKey()
      .references(() => mediaStated.mediaId, { onDelete: 'cascade' }),
    workoutId: text('workout_id')
      .notNull()
      .references(() => routeIndexes.workoutId, { onDelete: 'cascade' }),
    lat: real('lat'),
    lon: real('lon'),
    /** null: nowhere. */
    placedBy: text('placed_by', { enum: ['gps', 'time'] }),
  },
  (table) => [index('media_place_workout').on(table.workoutId)],
)
