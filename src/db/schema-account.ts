import { blob, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

import type { PageSettings, SecondRecording, SharedParts, WatchOutcome } from './stored.ts'

// The account, its settings and shoes, and what is imported automatically; the tables of runs are in schema.ts.

export const users = sqliteTable('user', {
  id: text('id').primaryKey(),
  username: text('username').notNull(),
  passwordHash: text('password_hash').notNull(),
  sessionVersion: integer('session_version').notNull().default(1),
  createdAt: integer('created_at').notNull(),
  lastLoginAt: integer('last_login_at'),
  onlyOne: integer('only_one').notNull().default(1),
  /** When files were last shared with the installed page, and why they were refused; null: they were not refused. */
  lastShareAt: integer('last_share_at'),
  lastShareError: text('last_share_error'),
  /** SHA-256 of the token of the calendar feed, and when that was made; null: there is none. */
  calendarHash: text('calendar_hash'),
  calendarMadeAt: integer('calendar_made_at'),
})

/** The connection to a service that runs come from by themselves. */
export const syncAccounts = sqliteTable('sync_account', {
  name: text('name').primaryKey(),
  /** The key, encrypted. */
  secret: blob('secret', { mode: 'buffer' }).notNull(),
  athlete: text('athlete').notNull(),
  athleteName: text('athlete_name'),
  keyEnding: text('key_ending').notNull(),
  /** `yyyy-MM-dd` of the first runs; null: all. */
  since: text('since'),
  everyMinutes: integer('every_minutes').notNull(),
  /** Day of the newest run seen; null: no round was completed. */
  cursor: text('cursor'),
  state: text('state', { enum: ['ok', 'waiting', 'refused'] }).notNull(),
  message: text('message'),
  lastRunAt: integer('last_run_at'),
  lastReceiptId: text('last_receipt_id'),
  /** Runs that the service has from Strava, which may not be passed on. */
  stravaOnly: integer('strava_only').notNull(),
})

export const apiKeys = sqliteTable('api_key', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  label: text('label'),
  keyHash: text('key_hash').notNull(),
  keyPrefix: text('key_prefix').notNull(),
  createdAt: integer('created_at').notNull(),
  revokedAt: integer('revoked_at'),
  scope: text('scope', { enum: ['full', 'read', 'upload'] })
    .notNull()
    .default('full'),
  /** When a file last arrived with this key, and why it was refused; null: it was not refused. */
  lastUploadAt: integer('last_upload_at'),
  lastUploadError: text('last_upload_error'),
  /** From then on it is refused; null: never. */
  expiresAt: integer('expires_at'),
  /** Days since 1970, UTC; null: it was never used. */
  lastUsedDay: integer('last_used_day'),
})

/** Pages of single runs for others, at most one a run. */
export const shares = sqliteTable('share', {
  token: text('token').primaryKey(),
  /** Of a run that may be in the trash. */
  workoutId: text('workout_id').notNull(),
  show: text('show', { mode: 'json' }).$type<SharedParts>().notNull(),
  createdAt: integer('created_at').notNull(),
  /** null: it works until it is withdrawn. */
  expiresAt: integer('expires_at'),
})

export const loginFailures = sqliteTable('login_failure', {
  id: integer('id').primaryKey(),
  pairHash: text('pair_hash').notNull(),
  failedAt: integer('failed_at').notNull(),
})

export const shoes = sqliteTable('shoe', {
  id: text('id').primaryKey(),
  brand: text('brand').notNull(),
  model: text('model').notNull(),
  initialMileageM: real('initial_mileage_m'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  /** null: it is offered for new runs. */
  retiredAt: integer('retired_at'),
  /** The distance at which the runner wants to retire it; null: none was set. */
  retireAtM: real('retire_at_m'),
})

export const settings = sqliteTable('settings', {
  id: integer('id').primaryKey(),
  archiveId: text('archive_id').notNull(),
  zoneMethod: text('zone_method', { enum: ['AgeBased', 'Karvonen', 'Custom'] }),
  zoneAge: integer('zone_age'),
  zoneRestingBpm: integer('zone_resting_bpm'),
  zoneMaxBpm: integer('zone_max_bpm'),
  /** Five of [min, max]; null: never stored, those of the age of 30 are shown. */
  zoneBounds: text('zone_bounds', { mode: 'json' }).$type<[number, number][]>(),
  zonesVersion: integer('zones_version').notNull().default(0),
  unitPreference: text('unit_preference', { enum: ['metric', 'imperial'] }),
  defaultShoeId: text('default_shoe_id'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  mapTiles: integer('map_tiles', { mode: 'boolean' }).notNull().default(false),
  weatherLookups: integer('weather_lookups', { mode: 'boolean' }).notNull().default(true),
  page: text('page', { mode: 'json' }).$type<PageSettings>(),
  /** null: suggest. */
  secondRecording: text('second_recording').$type<SecondRecording>(),
  /** Metres that are cut from either end of a run before others see it; null: 0. */
  trimEndsM: real('trim_ends_m'),
})

/** Files seen in the watch folder, one row per path, with their outcome. */
export const watchFiles = sqliteTable('watch_file', {
  id: text('id').primaryKey(),
  /** As configured. */
  folder: text('folder').notNull(),
  /** Below the folder, with slashes. */
  name: text('name').notNull(),
  /** As last seen. */
  size: integer('size').notNull(),
  modifiedAt: integer('modified_at').notNull(),
  /** Of the unpacked bytes that were last decided on. */
  sha256: text('sha256'),
  outcome: text('outcome').$type<WatchOutcome>().notNull(),
  reason: text('reason'),
  workoutIds: text('workout_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
  receiptId: text('receipt_id'),
  /** How often it could not be read in a row. */
  attempts: integer('attempts').notNull(),
  /** When it is looked at and read next; null: what was seen last is decided. */
  nextAt: integer('next_at'),
  /** Since when it cannot be read. */
  failingSince: integer('failing_since'),
  /** When it was last decided on or could not be read. */
  lookedAt: integer('looked_at').notNull(),
  /** A newer one tries once more; null: what was decided is final. */
  engineVersion: integer('engine_version'),
})
