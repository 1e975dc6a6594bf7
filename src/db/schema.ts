import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Correction } from '../engine/judge/correction.ts'
import type { StoredLap } from '../engine/laps.ts'
import type { Said } from '../engine/numbers.ts'
import type { Channel } from '../engine/run/channels.ts'
import type { Recording } from '../engine/run/statement.ts'
import { previewPoints, recordedWords } from './columns.ts'
import type { FileType, MediaType, RawView, RecordingOrigin, RunType, StatedSplits } from './stored.ts'

// The tables as the newest migration leaves them; test/db/migrations.test.ts compares both. Times are Unix milliseconds
// UTC.

export const workouts = sqliteTable(
  'workout',
  {
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
  },
  (table) => [
    index('workout_started').on(
      table.startedAt,
      table.id,
      table.distanceM,
      table.durationS,
      table.movingTimeS,
      table.timerTimeS,
      table.avgPaceS,
      table.elevGainM,
      table.relativeEffort,
      table.avgHeartRateBpm,
      table.maxHeartRateBpm,
      table.runType,
      table.shoeId,
      table.leftOut,
    ),
    index('workout_shoe').on(table.shoeId),
    index('workout_engine').on(table.engineVersion),
    index('workout_figures').on(
      table.startedAt,
      table.utcOffsetMinutes,
      table.distanceM,
      table.avgPaceS,
      table.elevGainM,
      table.relativeEffort,
      table.weatherTemperatureC,
      table.weatherHumidity,
      table.weatherPrecipitationMm,
      table.weatherWindSpeedMps,
      table.weatherCode,
      // a bit mask of the values that insights count
      sql`(weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
        + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL)`,
      table.leftOut,
    ),
  ],
)

/** Column that references a workout; the row is deleted with it. */
export const ofWorkout = () => text('workout_id').references(() => workouts.id, { onDelete: 'cascade' })

/** What one source states of a run, at one arrival. Stored once; only a newer engine packs it again. */
export const recordings = sqliteTable(
  'recording',
  {
    id: text('id').primaryKey(),
    origin: text('origin').$type<RecordingOrigin>().notNull(),
    kind: text('kind').$type<Recording['kind']>().notNull(),
    externalId: text('external_id'),
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
    totals: text('totals', { mode: 'json' }).$type<Said>().notNull(),
    words: recordedWords('words').notNull(),
    weather: text('weather'),
    /** null: not determined yet. */
    channels: text('channels', { mode: 'json' }).$type<readonly Channel[]>(),
    /** Splits that an archive states, or the ids of those that are computed; null: it states none. */
    splits: text('splits', { mode: 'json' }).$type<StatedSplits>(),
    /** Whether its raw data is stored in files/raw/<id>.json.zst. */
    hasRaw: integer('has_raw', { mode: 'boolean' }).notNull(),
    /** Whether its raw data has a heart rate. */
    hasRawHr: integer('has_raw_hr', { mode: 'boolean' }).notNull().default(false),
    hasEstimatedTimes: integer('has_estimated_times', { mode: 'boolean' }).notNull(),
    addedAt: integer('added_at').notNull(),
    /**
     * How the raw data can be parsed again from the original; null: there is no raw data, or it was not determined yet;
     * false: only its file has it.
     */
    rawView: text('raw_view', { mode: 'json' }).$type<RawView | false>(),
    /** Laps of the device; null: not read yet. */
    laps: text('laps', { mode: 'json' }).$type<readonly StoredLap[]>(),
    /** Receipt of the import that added it; null: it is older than receipts. */
    receiptId: text('receipt_id'),
    /** What was corrected in its statements, also where the run counts them as stated; null: they were never judged. */
    corrections: text('corrections', { mode: 'json' }).$type<readonly Correction[]>(),
  },
  (table) => [
    index('recording_file').on(table.fileSha256, table.fileSession).where(sql`file_sha256 IS NOT NULL`),
    index('recording_stored').on(table.storedAs),
    index('recording_external').on(table.origin, table.externalId).where(sql`external_id IS NOT NULL`),
    index('recording_started').on(table.startedAt),
    index('recording_raw_copy').on(table.id).where(sql`has_raw AND raw_view IS NULL`),
  ],
)

/** The samples of a recording, without repairs applied. */
export const samples = sqliteTable('samples', {
  recordingId: text('recording_id')
    .primaryKey()
    .references(() => recordings.id, { onDelete: 'cascade' }),
  sampleCount: integer('sample_count').notNull(),
  meta: text('meta').notNull(),
  timeHr: blob('time_hr', { mode: 'buffer' }).notNull(),
  track: blob('track', { mode: 'buffer' }).notNull(),
  rest: blob('rest', { mode: 'buffer' }).notNull(),
  /** Engine that packed them; a newer one measures their distance again. */
  engineVersion: integer('engine_version').notNull(),
})

export const workoutSplits = sqliteTable(
  'workout_split',
  {
    /** null: the id that library/row-ids.ts derives, which need not be stored. */
    id: text('id'),
    workoutId: ofWorkout().notNull(),
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
  },
  (table) => [
    primaryKey({ columns: [table.workoutId, table.idx] }),
    uniqueIndex('workout_split_id').on(table.id).where(sql`id IS NOT NULL`),
  ],
)

export const weatherJobs = sqliteTable(
  'weather_job',
  {
    workoutId: ofWorkout().primaryKey(),
    dueAt: integer('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    state: text('state', { enum: ['first', 'final'] }).notNull(),
  },
  (table) => [index('weather_job_due').on(table.dueAt)],
)

export const media = sqliteTable(
  'media',
  {
    id: text('id').primaryKey(),
    /** Of a run that may be in the trash. */
    workoutId: text('workout_id').notNull(),
    filename: text('filename').notNull(),
    mimeType: text('mime_type').$type<MediaType>().notNull(),
    fileSizeBytes: integer('file_size_bytes').notNull(),
    caption: text('caption'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('media_workout').on(table.workoutId, table.createdAt, table.id)],
)

/** Data for the searches for similar routes and for passes of a stretch. */
export const routeIndexes = sqliteTable(
  'workout_route',
  {
    workoutId: ofWorkout().primaryKey(),
    startedAt: integer('started_at').notNull(),
    lengthM: real('length_m').notNull(),
    southDeg: real('south_deg').notNull(),
    northDeg: real('north_deg').notNull(),
    westDeg: real('west_deg').notNull(),
    eastDeg: real('east_deg').notNull(),
    sketch: blob('sketch', { mode: 'buffer' }).notNull(),
    path: blob('path', { mode: 'buffer' }).notNull(),
    /** null: of an older version, and not derived since. */
    trace: blob('trace', { mode: 'buffer' }),
  },
  (table) => [
    index('workout_route_search').on(
      table.startedAt,
      table.lengthM,
      table.southDeg,
      table.northDeg,
      table.westDeg,
      table.eastDeg,
      table.workoutId,
    ),
  ],
)
