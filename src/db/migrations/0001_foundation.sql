CREATE TABLE user (
  id TEXT PRIMARY KEY,
  username TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  session_version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER,
  -- one runner: the second insert breaks here whatever the code before it believed
  only_one INTEGER NOT NULL DEFAULT 1 UNIQUE CHECK (only_one = 1)
) STRICT;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  label TEXT,
  key_hash TEXT NOT NULL UNIQUE,
  key_prefix TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE login_failure (
  id INTEGER PRIMARY KEY,
  pair_hash TEXT NOT NULL,
  failed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX login_failure_pair ON login_failure (pair_hash, failed_at);

CREATE TABLE shoe (
  id TEXT PRIMARY KEY,
  brand TEXT NOT NULL,
  model TEXT NOT NULL,
  initial_mileage_m REAL CHECK (initial_mileage_m >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  archive_id TEXT NOT NULL,
  zone_method TEXT CHECK (zone_method IN ('AgeBased', 'Karvonen', 'Custom')),
  zone_age INTEGER,
  zone_resting_bpm INTEGER,
  zone_max_bpm INTEGER,
  -- JSON [[min, max] x 5]; null: never stored, the age-30 defaults are shown
  zone_bounds TEXT,
  zones_version INTEGER NOT NULL DEFAULT 0,
  unit_preference TEXT CHECK (unit_preference IN ('metric', 'imperial')),
  default_shoe_id TEXT REFERENCES shoe (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((zone_method IS NULL) = (zone_bounds IS NULL))
) STRICT;

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
  run_type TEXT CHECK (run_type IN ('Race', 'Workout', 'Long Run', 'Easy Run')),
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
  split_unit_m REAL NOT NULL,
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
  -- what the device says of the whole run; inputs of every recomputation, null after a crop
  device_totals TEXT,
  engine_version INTEGER NOT NULL,
  -- duplicate key: the unpacked bytes and the session in them; null without file
  file_sha256 TEXT,
  file_session INTEGER,
  raw_file_name TEXT,
  raw_file_type TEXT CHECK (raw_file_type IN ('gpx', 'fit', 'tcx', 'csv')),
  has_raw_data INTEGER NOT NULL DEFAULT 0 CHECK (has_raw_data IN (0, 1)),
  UNIQUE (file_sha256, file_session)
) STRICT;
CREATE INDEX workout_started ON workout (started_at, id);
CREATE INDEX workout_shoe ON workout (shoe_id);

CREATE TABLE workout_samples (
  workout_id TEXT PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  sample_count INTEGER NOT NULL,
  -- JSON: distanceSource, elevationSource, indoor, positionUnit, off
  meta TEXT NOT NULL,
  -- engine/codec.ts columns, zstd: time and heart rate; position, distance, elevation; the rest
  time_hr BLOB NOT NULL,
  track BLOB NOT NULL,
  rest BLOB NOT NULL
) STRICT;

CREATE TABLE workout_split (
  id TEXT NOT NULL UNIQUE,
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  distance_m REAL NOT NULL,
  duration_s INTEGER NOT NULL,
  pace_s REAL NOT NULL,
  start_elapsed_s REAL,
  end_elapsed_s REAL,
  moving_time_s INTEGER,
  elev_gain_m REAL,
  elev_loss_m REAL,
  avg_heart_rate_bpm INTEGER,
  avg_cadence_rpm INTEGER,
  gap_pace_s REAL,
  PRIMARY KEY (workout_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE workout_best_effort (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  distance_index INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms > 0),
  start_ms INTEGER NOT NULL,
  PRIMARY KEY (workout_id, distance_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX workout_best_effort_rank ON workout_best_effort (distance_index, time_ms);

CREATE TABLE weather_job (
  workout_id TEXT PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- 'first': no lookup yet; 'final': replaces the preliminary one once the archive has the day
  state TEXT NOT NULL CHECK (state IN ('first', 'final'))
) STRICT, WITHOUT ROWID;
CREATE INDEX weather_job_due ON weather_job (due_at);
