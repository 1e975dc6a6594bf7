import { blob, customType, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ImplausibleReason } from '../engine/analysis.ts'
import type { Correction } from '../engine/judge/correction.ts'
import type { StoredLap } from '../engine/laps.ts'
import type { Said } from '../engine/numbers.ts'
import type { Channel } from '../engine/run/channels.ts'
import type { Recording } from '../engine/run/statement.ts'
import { decodedRows, encodedRows } from '../engine/varints.ts'
import type { FileType, MediaType, RawView, RecordingOrigin, RecordingWords, RunType, StatedSplits } from './stored.ts'

// Names, types and meanings of columns; keys, references and indexes stand in migrations/*.sql alone, and
// test/db/migrations.test.ts compares both. Times are Unix milliseconds UTC but where they say days or hours, ids are UUIDs.

/** Steps per degree of a preview, as engine/analyze.ts rounds it. */
const PREVIEW_STEPS = 1e5

/** [lon, lat] points of at most five decimals. */
const previewPoints = customType<{ data: number[][]; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (points) => encodedRows(points.map((point) => point.map((degrees) => Math.round(degrees * PREVIEW_STEPS)))),
  fromDriver: (stored) => decodedRows(stored, 2).map((row) => row.map((steps) => steps / PREVIEW_STEPS)),
})

const NO_WORDS: RecordingWords = {
  name: null,
  notes: null,
  runType: null,
  rpe: null,
  source: null,
  device: null,
  gear: null,
}

/** JSON of the texts that are present. */
const recordedWords = customType<{ data: RecordingWords; driverData: string }>({
  dataType: () => 'text',
  toDriver: (words) => JSON.stringify(words, (_, value: unknown) => value ?? undefined),
  fromDriver: (stored) => ({ ...NO_WORDS, ...JSON.parse(stored) }),
})

export const workouts = sqliteTable('workout', {
  id: text('id').primaryKey(),
  startedAt: integer('started_at').notNull(),
  createdAt: integer('created_at').notNull(),
  durationS: integer('duration_s').notNull(),
  movingTimeS: integer('moving_time_s'),
  timerTimeS: integer('timer_time_s'),
  distanceM: real('distance_m').notNull(),
  avgPaceS: real('avg_pace_s').notNull(),
  gapPaceS: real('gap_pace_s'),
  elevGainM: real('elev_gain_m'),
  elevLossM: real('elev_loss_m'),
  minElevM: real('min_elev_m'),
  maxElevM: real('max_elev_m'),
  maxSpeedMps: real('max_speed_mps'),
  avgSpeedMps: real('avg_speed_mps'),
  maxHeartRateBpm: integer('max_heart_rate_bpm'),
  avgHeartRateBpm: integer('avg_heart_rate_bpm'),
  minHeartRateBpm: integer('min_heart_rate_bpm'),
  maxCadenceRpm: integer('max_cadence_rpm'),
  avgCadenceRpm: integer('avg_cadence_rpm'),
  maxCadenceSpm: integer('max_cadence_spm'),
  avgCadenceSpm: integer('avg_cadence_spm'),
  maxPowerWatts: integer('max_power_watts'),
  avgPowerWatts: integer('avg_power_watts'),
  calories: integer('calories'),
  relativeEffort: integer('relative_effort'),
  hrZoneSeconds: text('hr_zone_seconds', { mode: 'json' }).$type<number[]>(),
  rpe: integer('rpe'),
  runType: text('run_type').$type<RunType>(),
  name: text('name'),
  notes: text('notes'),
  source: text('source'),
  device: text('device'),
  /** The shoe that the run's document names, also while that is deleted. */
  shoeId: text('shoe_id'),
  utcOffsetMinutes: integer('utc_offset_minutes'),
  timeZone: text('time_zone'),
  /** NFC in lower case, as is `nameKey`, since SQLite's LIKE and NOCASE fold ASCII alone. */
  searchText: text('search_text').notNull(),
  nameKey: text('name_key').notNull(),
  splitsCount: integer('splits_count').notNull(),
  hasTimeSeriesHr: integer('has_time_series_hr', { mode: 'boolean' }).notNull(),
  hasRawHr: integer('has_raw_hr', { mode: 'boolean' }).notNull().default(false),
  weather: text('weather'),
  weatherTemperatureC: real('weather_temperature_c'),
  weatherHumidity: real('weather_humidity'),
  weatherPrecipitationMm: real('weather_precipitation_mm'),
  weatherWindSpeedMps: real('weather_wind_speed_mps'),
  weatherWindDirection: real('weather_wind_direction'),
  weatherCode: integer('weather_code'),
  engineVersion: integer('engine_version').notNull(),
  leftOut: integer('left_out', { mode: 'boolean' }).notNull().default(false),
  /** The last column, so that queries for the others need not read past it. */
  routePreview: previewPoints('route_preview'),
})

/** What one source states of a run, at one arrival. Stored once; only a newer engine packs it again. */
export const recordings = sqliteTable('recording', {
  id: text('id').primaryKey(),
  origin: text('origin').$type<RecordingOrigin>().notNull(),
  kind: text('kind').$type<Recording['kind']>().notNull(),
  externalId: text('external_id'),
  /** Of the unpacked bytes; with the session in them it finds duplicates. */
  fileSha256: text('file_sha256'),
  fileSession: integer('file_session'),
  fileName: text('file_name'),
  fileType: text('file_type').$type<FileType>(),
  /** Name below files/raw; null: no original is stored. */
  storedAs: text('stored_as'),
  startedAt: integer('started_at').notNull(),
  utcOffsetMinutes: integer('utc_offset_minutes'),
  /** Stated, not looked up: the time zone of an entry or of an archive's row. */
  timeZone: text('time_zone'),
  /** Unrounded, as told. */
  totals: text('totals', { mode: 'json' }).$type<Said>().notNull(),
  words: recordedWords('words').notNull(),
  weather: text('weather'),
  channels: text('channels', { mode: 'json' }).$type<readonly Channel[]>().notNull(),
  /** Splits that an archive states, or the ids of those that are computed; null: it states none. */
  splits: text('splits', { mode: 'json' }).$type<StatedSplits>(),
  /** Whether its raw data is stored in files/raw/<id>.json.zst. */
  hasRaw: integer('has_raw', { mode: 'boolean' }).notNull(),
  /** Whether its raw data has a heart rate. */
  hasRawHr: integer('has_raw_hr', { mode: 'boolean' }).notNull().default(false),
  hasEstimatedTimes: integer('has_estimated_times', { mode: 'boolean' }).notNull(),
  addedAt: integer('added_at').notNull(),
  /** How the raw data can be parsed again from the original; null: there is none, or only its file has it. */
  rawView: text('raw_view', { mode: 'json' }).$type<RawView>(),
  /** Laps of the device. */
  laps: text('laps', { mode: 'json' }).$type<readonly StoredLap[]>().notNull(),
  /** Receipt of the import that added it; null: it left none. */
  receiptId: text('receipt_id'),
  /** What was corrected in its statements, also where the run counts them as stated. */
  corrections: text('corrections', { mode: 'json' }).$type<readonly Correction[]>().notNull(),
})

/** The samples of a recording, without repairs applied. */
export const samples = sqliteTable('samples', {
  recordingId: text('recording_id').primaryKey(),
  sampleCount: integer('sample_count').notNull(),
  /** JSON: distanceSource, elevationSource, indoor, positionUnit, off … */
  meta: text('meta').notNull(),
  /** Columns of workers/columns.ts: time and heart rate; position, distance and elevation; the rest. */
  timeHr: blob('time_hr', { mode: 'buffer' }).notNull(),
  track: blob('track', { mode: 'buffer' }).notNull(),
  rest: blob('rest', { mode: 'buffer' }).notNull(),
  /** Engine that packed them; a newer one measures their distance again. */
  engineVersion: integer('engine_version').notNull(),
})

export const workoutSplits = sqliteTable('workout_split', {
  /** null: the id that library/row-ids.ts derives, which need not be stored. */
  id: text('id'),
  workoutId: text('workout_id').notNull(),
  idx: integer('idx').notNull(),
  distanceM: real('distance_m').notNull(),
  durationS: integer('duration_s').notNull(),
  paceS: real('pace_s').notNull(),
  startElapsedS: real('start_elapsed_s'),
  endElapsedS: real('end_elapsed_s'),
  movingTimeS: integer('moving_time_s'),
  elevGainM: real('elev_gain_m'),
  elevLossM: real('elev_loss_m'),
  avgHeartRateBpm: integer('avg_heart_rate_bpm'),
  avgCadenceRpm: integer('avg_cadence_rpm'),
  gapPaceS: real('gap_pace_s'),
})

export const weatherJobs = sqliteTable('weather_job', {
  workoutId: text('workout_id').primaryKey(),
  dueAt: integer('due_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  state: text('state', { enum: ['first', 'final'] }).notNull(),
})

export const media = sqliteTable('media', {
  id: text('id').primaryKey(),
  /** Of a run that may be in the trash. */
  workoutId: text('workout_id').notNull(),
  filename: text('filename').notNull(),
  /** What the content is, whatever name and sender say. */
  mimeType: text('mime_type').$type<MediaType>().notNull(),
  fileSizeBytes: integer('file_size_bytes').notNull(),
  caption: text('caption'),
  createdAt: integer('created_at').notNull(),
})

/** Data for the searches for similar routes and for passes of a stretch. */
export const routeIndexes = sqliteTable('workout_route', {
  workoutId: text('workout_id').primaryKey(),
  startedAt: integer('started_at').notNull(),
  lengthM: real('length_m').notNull(),
  southDeg: real('south_deg').notNull(),
  northDeg: real('north_deg').notNull(),
  westDeg: real('west_deg').notNull(),
  eastDeg: real('east_deg').notNull(),
  sketch: blob('sketch', { mode: 'buffer' }).notNull(),
  path: blob('path', { mode: 'buffer' }).notNull(),
  trace: blob('trace', { mode: 'buffer' }).notNull(),
})

export const workoutBestEfforts = sqliteTable('workout_best_effort', {
  workoutId: text('workout_id').notNull(),
  distanceIndex: integer('distance_index').notNull(),
  timeMs: integer('time_ms').notNull(),
  startMs: integer('start_ms').notNull(),
  /** As that of a split: null: derived. */
  id: text('id'),
  calculatedAt: integer('calculated_at').notNull(),
  /** Why it cannot be; null: it can. */
  implausibleReason: text('implausible_reason').$type<ImplausibleReason>(),
})

/** Efforts that only an archive has (docs/api.md 12.2). */
export const archivedBestEfforts = sqliteTable('archived_best_effort', {
  id: text('id').primaryKey(),
  workoutId: text('workout_id').notNull(),
  distanceIndex: integer('distance_index').notNull(),
  timeMs: integer('time_ms').notNull(),
  calculatedAt: integer('calculated_at').notNull(),
})

/** The runner's decisions on efforts (record or not), which override what is computed. */
export const effortWords = sqliteTable('effort_word', {
  workoutId: text('workout_id').notNull(),
  distanceIndex: integer('distance_index').notNull(),
  isRecord: integer('is_record', { mode: 'boolean' }).notNull(),
})
