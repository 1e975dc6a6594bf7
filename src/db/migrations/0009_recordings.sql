-- What a workout comes from stands beside it: recordings as they were told, repairs of the runner. The workout keeps the
-- numbers that these give, the words, and what else they are made with.

-- How each old row came to its numbers. An archive of another program says them itself (its totals are the columns); a
-- table's row has no samples; everything else is a file.
CREATE TEMP TABLE old_kind AS
SELECT w.id AS id,
  s.workout_id IS NOT NULL AS has_samples,
  CASE
    WHEN w.source = 'strava_import' AND s.workout_id IS NULL AND w.splits_count = 0 THEN 'row'
    WHEN EXISTS (SELECT 1 FROM workout_split p WHERE p.workout_id = w.id AND p.start_elapsed_s IS NULL) THEN 'archive'
    WHEN w.device_totals IS NOT NULL
      AND json_extract(w.device_totals, '$.distanceM') IS w.distance_m
      AND json_extract(w.device_totals, '$.elapsedS') IS w.duration_s
      AND json_extract(w.device_totals, '$.timerS') IS w.timer_time_s
      AND json_extract(w.device_totals, '$.movingS') IS w.moving_time_s
      AND json_extract(w.device_totals, '$.avgHeartRateBpm') IS w.avg_heart_rate_bpm
      AND json_extract(w.device_totals, '$.maxHeartRateBpm') IS w.max_heart_rate_bpm
      AND json_extract(w.device_totals, '$.minHeartRateBpm') IS w.min_heart_rate_bpm
      AND json_extract(w.device_totals, '$.avgCadenceRpm') IS w.avg_cadence_rpm
      AND json_extract(w.device_totals, '$.maxCadenceRpm') IS w.max_cadence_rpm
      AND json_extract(w.device_totals, '$.avgPowerW') IS w.avg_power_watts
      AND json_extract(w.device_totals, '$.maxPowerW') IS w.max_power_watts
      AND json_extract(w.device_totals, '$.caloriesKcal') IS w.calories
      AND json_extract(w.device_totals, '$.elevGainM') IS w.elev_gain_m
      AND json_extract(w.device_totals, '$.elevLossM') IS w.elev_loss_m
      AND json_extract(w.device_totals, '$.minElevM') IS w.min_elev_m
      AND json_extract(w.device_totals, '$.maxElevM') IS w.max_elev_m
      AND json_extract(w.device_totals, '$.avgSpeedMps') IS NULL
      AND json_extract(w.device_totals, '$.maxSpeedMps') IS w.max_speed_mps
      THEN 'archive'
    ELSE 'file'
  END AS kind,
  -- totals under the names of the numbers; json_patch leaves the nulls out
  json_patch('{}', json_object(
    'durationS', w.device_totals -> '$.elapsedS', 'movingTimeS', w.device_totals -> '$.movingS',
    'timerTimeS', w.device_totals -> '$.timerS', 'distanceM', w.device_totals -> '$.distanceM',
    'elevGainM', w.device_totals -> '$.elevGainM', 'elevLossM', w.device_totals -> '$.elevLossM',
    'minElevM', w.device_totals -> '$.minElevM', 'maxElevM', w.device_totals -> '$.maxElevM',
    'maxSpeedMps', w.device_totals -> '$.maxSpeedMps', 'avgSpeedMps', w.device_totals -> '$.avgSpeedMps',
    'maxHeartRateBpm', w.device_totals -> '$.maxHeartRateBpm', 'avgHeartRateBpm', w.device_totals -> '$.avgHeartRateBpm',
    'minHeartRateBpm', w.device_totals -> '$.minHeartRateBpm', 'maxCadenceRpm', w.device_totals -> '$.maxCadenceRpm',
    'avgCadenceRpm', w.device_totals -> '$.avgCadenceRpm', 'maxPowerWatts', w.device_totals -> '$.maxPowerW',
    'avgPowerWatts', w.device_totals -> '$.avgPowerW', 'calories', w.device_totals -> '$.caloriesKcal'
  )) AS totals
FROM workout w LEFT JOIN workout_samples s ON s.workout_id = w.id;

CREATE TABLE recording (
  id TEXT PRIMARY KEY,
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  -- order of arrival within the workout
  seq INTEGER NOT NULL,
  -- 0: its samples count
  position INTEGER NOT NULL,
  origin TEXT NOT NULL,
  kind TEXT NOT NULL,
  external_id TEXT,
  -- duplicate key: the unpacked bytes and the session in them; null without file
  file_sha256 TEXT,
  file_session INTEGER,
  file_name TEXT,
  file_type TEXT,
  -- name below files/raw; null: no original is kept
  stored_as TEXT,
  part_from_ms INTEGER,
  part_to_ms INTEGER,
  started_at INTEGER NOT NULL,
  utc_offset_minutes INTEGER,
  -- JSON by the names of engine/numbers.ts, unrounded as told
  totals TEXT NOT NULL,
  -- JSON: name, notes, runType, rpe, source, device, gear
  words TEXT NOT NULL,
  weather TEXT,
  -- JSON list; null: not looked at yet
  channels TEXT,
  -- files/raw/<id>.json.zst holds what was read out of the original
  has_raw INTEGER NOT NULL CHECK (has_raw IN (0, 1)),
  has_estimated_times INTEGER NOT NULL CHECK (has_estimated_times IN (0, 1)),
  added_at INTEGER NOT NULL,
  UNIQUE (workout_id, position)
) STRICT;

-- A total of the climb is never a file's: it came from a table's row, which a file completed.
INSERT INTO recording (
  id, workout_id, seq, position, origin, kind, started_at, totals, words, has_raw, has_estimated_times, added_at
)
SELECT lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
    substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
  ), w.id, 0, 1, 'strava_archive', 'row', w.started_at, k.totals, '{}', 0, 0, w.created_at
FROM workout w JOIN old_kind k ON k.id = w.id
WHERE k.kind = 'file' AND k.has_samples
  AND (json_extract(k.totals, '$.elevGainM') IS NOT NULL OR json_extract(k.totals, '$.elevLossM') IS NOT NULL);

INSERT INTO recording (
  id, workout_id, seq, position, origin, kind, file_sha256, file_session, file_name, file_type, stored_as, started_at,
  utc_offset_minutes, totals, words, has_raw, has_estimated_times, added_at
)
SELECT w.id, w.id, (SELECT count(*) FROM recording r WHERE r.workout_id = w.id), 0,
  CASE WHEN k.kind = 'archive' THEN 'archive' WHEN w.source = 'strava_import' THEN 'strava_archive' ELSE 'upload' END,
  k.kind, w.file_sha256, w.file_session, w.raw_file_name, w.raw_file_type,
  CASE WHEN w.raw_file_name IS NULL THEN NULL ELSE w.id END,
  w.started_at, w.utc_offset_minutes,
  CASE
    WHEN k.kind = 'archive' THEN json_patch('{}', json_object(
      'durationS', w.duration_s, 'movingTimeS', w.moving_time_s, 'timerTimeS', w.timer_time_s, 'distanceM', w.distance_m,
      'gapPaceS', w.gap_pace_s, 'elevGainM', w.elev_gain_m, 'elevLossM', w.elev_loss_m, 'minElevM', w.min_elev_m,
      'maxElevM', w.max_elev_m, 'maxSpeedMps', w.max_speed_mps, 'avgSpeedMps', w.avg_speed_mps,
      'maxHeartRateBpm', w.max_heart_rate_bpm, 'avgHeartRateBpm', w.avg_heart_rate_bpm,
      'minHeartRateBpm', w.min_heart_rate_bpm, 'maxCadenceRpm', w.max_cadence_rpm, 'avgCadenceRpm', w.avg_cadence_rpm,
      'maxCadenceSpm', w.max_cadence_spm, 'avgCadenceSpm', w.avg_cadence_spm, 'maxPowerWatts', w.max_power_watts,
      'avgPowerWatts', w.avg_power_watts, 'calories', w.calories, 'relativeEffort', w.relative_effort,
      'hrZoneSeconds', json(w.hr_zone_seconds)
    ))
    WHEN EXISTS (SELECT 1 FROM recording r WHERE r.workout_id = w.id) THEN '{}'
    ELSE k.totals
  END,
  json_object('name', w.name, 'notes', w.notes, 'runType', w.run_type, 'rpe', w.rpe, 'source', w.source,
    'device', w.device, 'gear', NULL),
  w.has_raw_data, coalesce((SELECT json_extract(s.meta, '$.hasEstimatedTimes') FROM workout_samples s
    WHERE s.workout_id = w.id), 0), w.created_at
FROM workout w JOIN old_kind k ON k.id = w.id;

CREATE UNIQUE INDEX recording_file ON recording (file_sha256, file_session) WHERE part_from_ms IS NULL;
CREATE INDEX recording_stored ON recording (stored_as);

CREATE TABLE repair (
  id TEXT PRIMARY KEY,
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  -- null: of the whole run
  recording_id TEXT,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- null: it is active
  undone_at INTEGER
) STRICT;
CREATE INDEX repair_workout ON repair (workout_id, seq);

CREATE TABLE samples (
  recording_id TEXT PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
  sample_count INTEGER NOT NULL,
  -- JSON: distanceSource, elevationSource, indoor, positionUnit, off …
  meta TEXT NOT NULL,
  -- engine/codec.ts columns, zstd: time and heart rate; position, distance, elevation; the rest
  time_hr BLOB NOT NULL,
  track BLOB NOT NULL,
  rest BLOB NOT NULL
) STRICT;
INSERT INTO samples SELECT workout_id, sample_count, meta, time_hr, track, rest FROM workout_samples;
DROP TABLE workout_samples;

CREATE TABLE workout_new (
  id TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  duration_s INTEGER NOT NULL CHECK (duration_s >= 0),
  moving_time_s INTEGER,
  timer_time_s INTEGER,
  distance_m REAL NOT NULL CHECK (distance_m >= 0),
  avg_pace_s REAL NOT NULL,
  gap_pace_s REAL,
  elev_gain_m REAL,
  elev_loss_m REAL,
  min_elev_m REAL,
  max_elev_m REAL,
  max_speed_mps REAL,
  avg_speed_mps REAL,
  max_heart_rate_bpm INTEGER,
  avg_heart_rate_bpm INTEGER,
  min_heart_rate_bpm INTEGER,
  max_cadence_rpm INTEGER,
  avg_cadence_rpm INTEGER,
  max_cadence_spm INTEGER,
  avg_cadence_spm INTEGER,
  max_power_watts INTEGER,
  avg_power_watts INTEGER,
  calories INTEGER,
  relative_effort INTEGER,
  hr_zone_seconds TEXT,
  rpe INTEGER CHECK (rpe BETWEEN 1 AND 10),
  run_type TEXT,
  name TEXT,
  notes TEXT,
  source TEXT,
  device TEXT,
  shoe_id TEXT REFERENCES shoe (id) ON DELETE SET NULL,
  utc_offset_minutes INTEGER,
  time_zone TEXT,
  -- SQLite's LIKE and NOCASE fold ASCII only: both are NFC, lower case, written with the row
  search_text TEXT NOT NULL,
  name_key TEXT NOT NULL,
  splits_count INTEGER NOT NULL,
  -- JSON [[lon, lat], ...] of at most 100 points; null: no route
  route_preview TEXT,
  has_time_series_hr INTEGER NOT NULL CHECK (has_time_series_hr IN (0, 1)),
  has_raw_hr INTEGER NOT NULL DEFAULT 0 CHECK (has_raw_hr IN (0, 1)),
  weather TEXT,
  weather_temperature_c REAL,
  weather_humidity REAL,
  weather_precipitation_mm REAL,
  weather_wind_speed_mps REAL,
  weather_wind_direction REAL,
  weather_code INTEGER,
  engine_version INTEGER NOT NULL,
  -- grows with every change of what the numbers are made of
  inputs_revision INTEGER NOT NULL DEFAULT 0,
  split_unit_m REAL NOT NULL,
  -- JSON [[min, max] x 5] of the last scoring; null: of before they were kept
  effort_zones TEXT,
  -- JSON {thresholdM, minDistanceM} of the last analysis; null: of before they were kept
  elevation_settings TEXT,
  route_id TEXT,
  -- JSON list: which of an archive's splits and effort a recalculation took over
  ours TEXT NOT NULL DEFAULT '[]',
  -- JSON list: which words the runner set
  runner_set TEXT NOT NULL DEFAULT '[]'
) STRICT;
INSERT INTO workout_new
SELECT w.id, started_at, created_at, duration_s, moving_time_s, timer_time_s, distance_m, avg_pace_s, gap_pace_s,
  elev_gain_m, elev_loss_m, min_elev_m, max_elev_m, max_speed_mps, avg_speed_mps, max_heart_rate_bpm,
  avg_heart_rate_bpm, min_heart_rate_bpm, max_cadence_rpm, avg_cadence_rpm, max_cadence_spm, avg_cadence_spm,
  max_power_watts, avg_power_watts, calories, relative_effort, hr_zone_seconds, rpe, run_type, name, notes, source,
  device, shoe_id, utc_offset_minutes, time_zone, search_text, name_key, splits_count, route_preview,
  has_time_series_hr, has_raw_hr, weather, weather_temperature_c, weather_humidity, weather_precipitation_mm,
  weather_wind_speed_mps, weather_wind_direction, weather_code, engine_version, 0, split_unit_m, NULL, NULL, route_id,
  CASE WHEN k.kind <> 'archive' THEN '[]' ELSE (
    SELECT json_group_array(part) FROM (
      SELECT 'effort' AS part WHERE w.hr_zone_seconds IS NOT NULL
      UNION ALL SELECT 'splits' WHERE w.splits_count > 0 AND NOT EXISTS (
        SELECT 1 FROM workout_split p WHERE p.workout_id = w.id AND p.start_elapsed_s IS NULL)
    )
  ) END, '[]'
FROM workout w JOIN old_kind k ON k.id = w.id ORDER BY w.rowid;
DROP TABLE workout;
ALTER TABLE workout_new RENAME TO workout;
CREATE INDEX workout_started ON workout (started_at, id);
CREATE INDEX workout_shoe ON workout (shoe_id);
CREATE INDEX workout_engine ON workout (engine_version);
CREATE INDEX workout_figures ON workout (
  started_at, utc_offset_minutes, distance_m, avg_pace_s, elev_gain_m, relative_effort,
  weather_temperature_c, weather_humidity, weather_precipitation_mm, weather_wind_speed_mps, weather_code,
  (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
    + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL)
);

CREATE TABLE workout_best_effort_new (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  distance_index INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms > 0),
  start_ms INTEGER NOT NULL,
  id TEXT NOT NULL,
  calculated_at INTEGER NOT NULL,
  PRIMARY KEY (workout_id, distance_index)
) STRICT, WITHOUT ROWID;
INSERT INTO workout_best_effort_new
  SELECT workout_id, distance_index, time_ms, start_ms, id, calculated_at FROM workout_best_effort;
DROP TABLE workout_best_effort;
ALTER TABLE workout_best_effort_new RENAME TO workout_best_effort;
-- a plain index, so that a rebuild of all efforts can drop it and make it again
CREATE INDEX workout_best_effort_rank ON workout_best_effort (distance_index, time_ms);

DROP TABLE old_kind;
