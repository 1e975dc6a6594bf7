import { blob, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Where each run went (docs/algorithms.md 22). Whatever rewrites the route of a run drops its ground, too.

export const grounds = sqliteTable('ground', {
  run: integer('run').primaryKey(),
  workoutId: text('workout_id').notNull(),
  startedAt: integer('started_at').notNull(),
  /** null: the track cannot be read. */
  startLat: real('start_lat'),
  startLon: real('start_lon'),
  lengthM: real('length_m').notNull(),
})

export const groundSquares = sqliteTable('ground_square', {
  /** (x * 2^14 + y) * 2^24 + run */
  id: integer('id').primaryKey(),
  run: integer('run').notNull(),
  enteredS: real('entered_s').notNull(),
  line: blob('line', { mode: 'buffer' }).notNull(),
  /** null: not computed yet. */
  newM: real('new_m'),
})

/** Squares whose new ground is to be computed again, marked by triggers. */
export const groundDirty = sqliteTable('ground_dirty', {
  /** x * 2^14 + y */
  square: integer('square').primaryKey(),
  /** Grows with every change. */
  marks: integer('marks').notNull(),
})

/** Places that the runner named. */
export const places = sqliteTable('place', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  lat: real('lat').notNull(),
  lon: real('lon').notNull(),
  isHome: integer('is_home', { mode: 'boolean' }).notNull(),
  /** Metres about it that nobody else sees; null: it is not hidden. */
  hideM: real('hide_m'),
  createdAt: integer('created_at').notNull(),
})

/** What the file of a photo or video states. */
export const mediaStated = sqliteTable('media_stated', {
  mediaId: text('media_id').primaryKey(),
  /** Unix milliseconds, of a local time as if it were UTC; null: it states none. */
  takenAt: integer('taken_at'),
  isLocal: integer('is_local', { mode: 'boolean' }).notNull(),
  lat: real('lat'),
  lon: real('lon'),
})

/** Where a photo or video of a run with a route is. Whatever rewrites the route drops it. */
export const mediaPlaces = sqliteTable('media_place', {
  mediaId: text('media_id').primaryKey(),
  workoutId: text('workout_id').notNull(),
  lat: real('lat'),
  lon: real('lon'),
  /** null: nowhere. */
  placedBy: text('placed_by', { enum: ['gps', 'time'] }),
})
