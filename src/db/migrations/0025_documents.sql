-- A run is a document of decisions over recordings, which are facts. The tables of before are kept under other names until
-- moves/0025.ts has made documents of them, in the same transaction.
PRAGMA legacy_alter_table = ON;
ALTER TABLE workout RENAME TO old_workout;
ALTER TABLE recording RENAME TO old_recording;
ALTER TABLE media RENAME TO old_media;
ALTER TABLE effort_before RENAME TO old_effort_before;
ALTER TABLE deleted_run RENAME TO forgotten;
PRAGMA legacy_alter_table = OFF;

DROP INDEX workout_started;
DROP INDEX workout_shoe;
DROP INDEX workout_engine;
DROP INDEX workout_figures;
DROP TRIGGER training_workout_added;
DROP TRIGGER training_workout_gone;
DROP TRIGGER training_workout_changed;
DROP INDEX recording_file;
DROP INDEX recording_stored;
DROP INDEX recording_raw_copy;
DROP INDEX recording_started;
DROP INDEX recording_external;
CREATE INDEX old_recording_part ON old_recording (file_sha256, file_session, part_from_ms) WHERE part_from_ms IS NOT NULL;
DROP INDEX media_workout;
DROP INDEX deleted_run_file;
DROP INDEX deleted_run_external;
DROP INDEX deleted_run_workout;

CREATE TABLE document (
  id TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- JSON; null: in the trash
  body TEXT,
  -- JSON of what the numbers are computed with
  asked TEXT NOT NULL,
  -- JSON of what the trash shows
  gone TEXT
) STRICT;
CREATE INDEX document_gone ON document (id) WHERE body IS NULL;

CREATE TABLE former (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  document_id TEXT NOT NULL,
  -- JSON; null: there was none
  body TEXT,
  asked TEXT,
  revision INTEGER,
  receipt_id TEXT NOT NULL,
  item_seq INTEGER NOT NULL,
  until INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX former_document ON former (document_id);
CREATE INDEX former_item ON former (receipt_id, item_seq);
CREATE INDEX former_until ON former (until, bytes);

CREATE TABLE naming (
  run_id TEXT NOT NULL,
  recording_id TEXT NOT NULL,
  -- order of arrival within the run
  place INTEGER NOT NULL,
  live INTEGER NOT NULL CHECK (live IN (0, 1)),
  PRIMARY KEY (run_id, recording_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX naming_recording ON naming (recording_id, live);

CREATE TABLE observation (
  run_id TEXT NOT NULL,
  -- Unix hours
  hour INTEGER NOT NULL,
  weather TEXT NOT NULL,
  PRIMARY KEY (run_id, hour)
) STRICT;

CREATE UNIQUE INDEX forgotten_file ON forgotten (file_sha256, file_session) WHERE file_sha256 IS NOT NULL;
CREATE UNIQUE INDEX forgotten_external ON forgotten (origin, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX forgotten_workout ON forgotten (workout_id);

CREATE TABLE workout (
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
  -- that the document names, there or deleted
  shoe_id TEXT,
  utc_offset_minutes INTEGER,
  time_zone TEXT,
  -- SQLite's LIKE and NOCASE fold ASCII only: both are NFC, lower case, written with the row
  search_text TEXT NOT NULL,
  name_key TEXT NOT NULL,
  splits_count INTEGER NOT NULL,
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
  left_out INTEGER NOT NULL DEFAULT 0 CHECK (left_out IN (0, 1)),
  route_preview ANY
) STRICT;
INSERT INTO workout
SELECT id, started_at, created_at, duration_s, moving_time_s, timer_time_s, distance_m, avg_pace_s, gap_pace_s,
  elev_gain_m, elev_loss_m, min_elev_m, max_elev_m, max_speed_mps, avg_speed_mps, max_heart_rate_bpm,
  avg_heart_rate_bpm, min_heart_rate_bpm, max_cadence_rpm, avg_cadence_rpm, max_cadence_spm, avg_cadence_spm,
  max_power_watts, avg_power_watts, calories, relative_effort, hr_zone_seconds, rpe, run_type, name, notes, source,
  device, shoe_id, utc_offset_minutes, time_zone, search_text, name_key, splits_count, has_time_series_hr, has_raw_hr,
  weather, weather_temperature_c, weather_humidity, weather_precipitation_mm, weather_wind_speed_mps,
  weather_wind_direction, weather_code, engine_version, left_out, route_preview
FROM old_workout ORDER BY rowid;
CREATE INDEX workout_started ON workout (
  started_at, id, distance_m, duration_s, moving_time_s, timer_time_s, avg_pace_s, elev_gain_m, relative_effort,
  avg_heart_rate_bpm, max_heart_rate_bpm, run_type, shoe_id, left_out
);
CREATE INDEX workout_shoe ON workout (shoe_id);
CREATE INDEX workout_engine ON workout (engine_version);
CREATE INDEX workout_figures ON workout (
  started_at, utc_offset_minutes, distance_m, avg_pace_s, elev_gain_m, relative_effort,
  weather_temperature_c, weather_humidity, weather_precipitation_mm, weather_wind_speed_mps, weather_code,
  (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
    + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL),
  left_out
);
CREATE TRIGGER training_workout_added AFTER INSERT ON workout BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_workout_gone AFTER DELETE ON workout BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_workout_changed AFTER UPDATE OF
  started_at, utc_offset_minutes, duration_s, moving_time_s, timer_time_s, distance_m, avg_heart_rate_bpm, rpe, run_type,
  left_out, elev_gain_m
ON workout BEGIN
  UPDATE training_state SET revision = revision + 1;
END;

CREATE TABLE recording (
  id TEXT PRIMARY KEY,
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
  started_at INTEGER NOT NULL,
  utc_offset_minutes INTEGER,
  -- as stated
  time_zone TEXT,
  -- JSON by the names of engine/numbers.ts, unrounded as told
  totals TEXT NOT NULL,
  -- JSON: name, notes, runType, rpe, source, device, gear
  words TEXT NOT NULL,
  weather TEXT,
  -- JSON list; null: not looked at yet
  channels TEXT,
  -- JSON list of splits or of their ids; null: none are stated
  splits TEXT,
  -- files/raw/<id>.json.zst holds what was read out of the original
  has_raw INTEGER NOT NULL CHECK (has_raw IN (0, 1)),
  has_raw_hr INTEGER NOT NULL DEFAULT 0 CHECK (has_raw_hr IN (0, 1)),
  has_estimated_times INTEGER NOT NULL CHECK (has_estimated_times IN (0, 1)),
  added_at INTEGER NOT NULL,
  raw_view TEXT,
  laps TEXT,
  receipt_id TEXT
) STRICT;
INSERT INTO recording
SELECT r.id, origin, kind, external_id, file_sha256, file_session, file_name, file_type, stored_as, r.started_at,
  r.utc_offset_minutes, NULL, totals, words, r.weather, channels, NULL, has_raw, w.has_raw_hr,
  has_estimated_times, added_at, raw_view, laps, receipt_id
FROM old_recording AS r JOIN old_workout AS w ON w.id = r.workout_id ORDER BY r.rowid;
CREATE INDEX recording_file ON recording (file_sha256, file_session) WHERE file_sha256 IS NOT NULL;
CREATE INDEX recording_stored ON recording (stored_as);
CREATE INDEX recording_external ON recording (origin, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX recording_started ON recording (started_at);
CREATE INDEX recording_raw_copy ON recording (id) WHERE has_raw AND raw_view IS NULL;

-- the engine that packed them: that of the workout
ALTER TABLE samples ADD COLUMN engine_version INTEGER NOT NULL DEFAULT 3;
UPDATE samples SET engine_version = w.engine_version
FROM old_recording AS r JOIN old_workout AS w ON w.id = r.workout_id
WHERE r.id = samples.recording_id AND w.engine_version <> 3;

CREATE TABLE media (
  id TEXT PRIMARY KEY,
  -- of a run that may lie in the trash
  workout_id TEXT NOT NULL,
  filename TEXT NOT NULL,
  -- what the content is, whatever name and sender say
  mime_type TEXT NOT NULL CHECK (mime_type IN (
    'image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic',
    'video/mp4', 'video/quicktime', 'video/x-msvideo', 'video/webm', 'video/x-m4v'
  )),
  file_size_bytes INTEGER NOT NULL CHECK (file_size_bytes > 0),
  caption TEXT,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO media SELECT id, workout_id, filename, mime_type, file_size_bytes, caption, created_at FROM old_media;
CREATE INDEX media_workout ON media (workout_id, created_at, id);

-- The relative efforts from before a change of zones that is under way.
CREATE TABLE effort_before (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  -- of the document, when it was scored
  seq INTEGER NOT NULL,
  new_asked TEXT NOT NULL,
  relative_effort INTEGER,
  hr_zone_seconds TEXT,
  asked TEXT NOT NULL
) STRICT, WITHOUT ROWID;
