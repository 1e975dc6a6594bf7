-- The library of 1.0. What columns mean stands in ../schema*.ts. Later changes are files beside this one.

-- The account

CREATE TABLE user (
  id TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL, session_version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL, last_login_at INTEGER,
  -- one runner: the second insert breaks here whatever the code before it believed
  only_one INTEGER NOT NULL DEFAULT 1 UNIQUE CHECK (only_one = 1), last_share_at INTEGER, last_share_error TEXT
) STRICT;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE, label TEXT, key_hash TEXT NOT NULL UNIQUE,
  key_prefix TEXT NOT NULL, created_at INTEGER NOT NULL, revoked_at INTEGER,
  scope TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('full', 'read', 'upload')), last_upload_at INTEGER, last_upload_error TEXT
) STRICT;

CREATE TABLE login_failure (id INTEGER PRIMARY KEY, pair_hash TEXT NOT NULL, failed_at INTEGER NOT NULL) STRICT;
CREATE INDEX login_failure_pair ON login_failure (pair_hash, failed_at);

-- What the runner set

CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1), archive_id TEXT NOT NULL, zone_method TEXT CHECK (zone_method IN ('AgeBased', 'Karvonen', 'Custom')),
  zone_age INTEGER, zone_resting_bpm INTEGER, zone_max_bpm INTEGER,
  zone_bounds TEXT, zones_version INTEGER NOT NULL DEFAULT 0, unit_preference TEXT CHECK (unit_preference IN ('metric', 'imperial')),
  default_shoe_id TEXT REFERENCES shoe (id) ON DELETE SET NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  map_tiles INTEGER NOT NULL DEFAULT 0 CHECK (map_tiles IN (0, 1)), weather_lookups INTEGER NOT NULL DEFAULT 1 CHECK (weather_lookups IN (0, 1)),
  page TEXT, second_recording TEXT, trim_ends_m REAL, CHECK ((zone_method IS NULL) = (zone_bounds IS NULL))
) STRICT;

CREATE TABLE shoe (
  id TEXT PRIMARY KEY, brand TEXT NOT NULL, model TEXT NOT NULL, initial_mileage_m REAL CHECK (initial_mileage_m >= 0), created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, retired_at INTEGER, retire_at_m REAL
) STRICT;

CREATE TABLE place (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, is_home INTEGER NOT NULL CHECK (is_home IN (0, 1)), hide_m REAL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX place_home ON place (is_home) WHERE is_home = 1;

-- What came in: never changed

CREATE TABLE recording (
  id TEXT PRIMARY KEY, origin TEXT NOT NULL, kind TEXT NOT NULL, external_id TEXT, file_sha256 TEXT, file_session INTEGER, file_name TEXT,
  file_type TEXT, stored_as TEXT, started_at INTEGER NOT NULL, utc_offset_minutes INTEGER, time_zone TEXT, totals TEXT NOT NULL, words TEXT NOT NULL,
  weather TEXT, channels TEXT NOT NULL, splits TEXT, has_raw INTEGER NOT NULL CHECK (has_raw IN (0, 1)),
  has_raw_hr INTEGER NOT NULL DEFAULT 0 CHECK (has_raw_hr IN (0, 1)), has_estimated_times INTEGER NOT NULL CHECK (has_estimated_times IN (0, 1)),
  added_at INTEGER NOT NULL, raw_view TEXT, laps TEXT NOT NULL, receipt_id TEXT, corrections TEXT NOT NULL
) STRICT;
CREATE INDEX recording_file ON recording (file_sha256, file_session) WHERE file_sha256 IS NOT NULL;
CREATE INDEX recording_stored ON recording (stored_as);
CREATE INDEX recording_external ON recording (origin, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX recording_started ON recording (started_at);

CREATE TABLE samples (
  recording_id TEXT PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE, sample_count INTEGER NOT NULL, meta TEXT NOT NULL, time_hr BLOB NOT NULL,
  track BLOB NOT NULL, rest BLOB NOT NULL, engine_version INTEGER NOT NULL
) STRICT;

-- What was decided, what was decided before, and which recordings a run names

CREATE TABLE document (
  id TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, essence TEXT, body TEXT, asked TEXT NOT NULL, gone TEXT
) STRICT;
CREATE INDEX document_gone ON document (id) WHERE body IS NULL;

CREATE TABLE former (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, document_id TEXT NOT NULL, body TEXT, after TEXT, beside TEXT, receipt_id TEXT NOT NULL,
  item_seq INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT;
CREATE INDEX former_document ON former (document_id);
CREATE INDEX former_item ON former (receipt_id, item_seq);
CREATE INDEX former_until ON former (until);

CREATE TABLE naming (
  run_id TEXT NOT NULL, recording_id TEXT NOT NULL, place INTEGER NOT NULL, live INTEGER NOT NULL CHECK (live IN (0, 1)),
  PRIMARY KEY (run_id, recording_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX naming_recording ON naming (recording_id, live);

CREATE TABLE observation (run_id TEXT NOT NULL, hour INTEGER NOT NULL, weather TEXT NOT NULL, PRIMARY KEY (run_id, hour)) STRICT;

-- What was done

CREATE TABLE receipt (
  id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, origin TEXT, actor TEXT NOT NULL, title TEXT NOT NULL, made_at INTEGER NOT NULL,
  finished_at INTEGER, undo_until INTEGER, undone_at INTEGER, undone_by TEXT, undoes TEXT, workout_id TEXT, counts TEXT NOT NULL,
  warnings TEXT NOT NULL
) STRICT;
CREATE INDEX receipt_made ON receipt (made_at, id);
CREATE INDEX receipt_workout ON receipt (workout_id, made_at);
CREATE INDEX receipt_under_way ON receipt (id) WHERE finished_at IS NULL;

CREATE TABLE receipt_item (
  receipt_id TEXT NOT NULL, seq INTEGER NOT NULL, unit INTEGER NOT NULL, workout_id TEXT, filename TEXT, outcome TEXT NOT NULL, reason TEXT,
  undoes_seq INTEGER, undone_by TEXT, PRIMARY KEY (receipt_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_item_workout ON receipt_item (workout_id) WHERE workout_id IS NOT NULL;

CREATE TABLE forgotten (
  workout_id TEXT NOT NULL, file_sha256 TEXT, file_session INTEGER, origin TEXT, external_id TEXT, deleted_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX forgotten_file ON forgotten (file_sha256, file_session) WHERE file_sha256 IS NOT NULL;
CREATE UNIQUE INDEX forgotten_external ON forgotten (origin, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX forgotten_workout ON forgotten (workout_id);

-- What follows for each run: written by library/derive.ts alone

CREATE TABLE workout (
  id TEXT PRIMARY KEY, started_at INTEGER NOT NULL, created_at INTEGER NOT NULL, duration_s INTEGER NOT NULL CHECK (duration_s >= 0),
  moving_time_s INTEGER, timer_time_s INTEGER, distance_m REAL NOT NULL CHECK (distance_m >= 0), avg_pace_s REAL NOT NULL, gap_pace_s REAL,
  elev_gain_m REAL, elev_loss_m REAL, min_elev_m REAL, max_elev_m REAL, max_speed_mps REAL, avg_speed_mps REAL, max_heart_rate_bpm INTEGER,
  avg_heart_rate_bpm INTEGER, min_heart_rate_bpm INTEGER, max_cadence_rpm INTEGER, avg_cadence_rpm INTEGER, max_cadence_spm INTEGER,
  avg_cadence_spm INTEGER, max_power_watts INTEGER, avg_power_watts INTEGER, calories INTEGER, relative_effort INTEGER, hr_zone_seconds TEXT,
  rpe INTEGER CHECK (rpe BETWEEN 1 AND 10), run_type TEXT, name TEXT, notes TEXT, source TEXT, device TEXT, shoe_id TEXT, utc_offset_minutes INTEGER,
  time_zone TEXT, search_text TEXT NOT NULL, name_key TEXT NOT NULL, splits_count INTEGER NOT NULL,
  has_time_series_hr INTEGER NOT NULL CHECK (has_time_series_hr IN (0, 1)), has_raw_hr INTEGER NOT NULL DEFAULT 0 CHECK (has_raw_hr IN (0, 1)),
  weather TEXT, weather_temperature_c REAL, weather_humidity REAL, weather_precipitation_mm REAL, weather_wind_speed_mps REAL,
  weather_wind_direction REAL, weather_code INTEGER, engine_version INTEGER NOT NULL, left_out INTEGER NOT NULL DEFAULT 0 CHECK (left_out IN (0, 1)),
  route_preview BLOB
) STRICT;
CREATE INDEX workout_started ON workout (
  started_at, id, distance_m, duration_s, moving_time_s, timer_time_s, avg_pace_s, elev_gain_m, relative_effort, avg_heart_rate_bpm,
  max_heart_rate_bpm, run_type, shoe_id, left_out
);
CREATE INDEX workout_shoe ON workout (shoe_id);
CREATE INDEX workout_engine ON workout (engine_version);
CREATE INDEX workout_figures ON workout (
  started_at, utc_offset_minutes, distance_m, avg_pace_s, elev_gain_m, relative_effort, weather_temperature_c, weather_humidity,
  weather_precipitation_mm, weather_wind_speed_mps, weather_code,
  -- a bit mask of the values that insights count
  (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL) + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL), left_out
);

CREATE TABLE workout_split (
  id TEXT, workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE, idx INTEGER NOT NULL, distance_m REAL NOT NULL,
  duration_s INTEGER NOT NULL, pace_s REAL NOT NULL, start_elapsed_s REAL, end_elapsed_s REAL, moving_time_s INTEGER, elev_gain_m REAL,
  elev_loss_m REAL, avg_heart_rate_bpm INTEGER, avg_cadence_rpm INTEGER, gap_pace_s REAL, PRIMARY KEY (workout_id, idx)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX workout_split_id ON workout_split (id) WHERE id IS NOT NULL;

CREATE TABLE workout_best_effort (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE, distance_index INTEGER NOT NULL, time_ms INTEGER NOT NULL CHECK (time_ms > 0),
  start_ms INTEGER NOT NULL, id TEXT, calculated_at INTEGER NOT NULL, implausible_reason TEXT, PRIMARY KEY (workout_id, distance_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX workout_best_effort_rank ON workout_best_effort (distance_index, time_ms);

CREATE TABLE archived_best_effort (
  id TEXT PRIMARY KEY, workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE, distance_index INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms > 0), calculated_at INTEGER NOT NULL, UNIQUE (workout_id, distance_index)
) STRICT;
CREATE INDEX archived_best_effort_rank ON archived_best_effort (distance_index, time_ms);

CREATE TABLE effort_word (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE, distance_index INTEGER NOT NULL,
  is_record INTEGER NOT NULL CHECK (is_record IN (0, 1)), PRIMARY KEY (workout_id, distance_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE effort_before (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE, seq INTEGER NOT NULL, new_asked TEXT NOT NULL,
  relative_effort INTEGER, hr_zone_seconds TEXT, asked TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workout_route (
  workout_id TEXT PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  -- that of the workout, so that the first sieve is one index
  started_at INTEGER NOT NULL, length_m REAL NOT NULL CHECK (length_m >= 0), south_deg REAL NOT NULL, north_deg REAL NOT NULL, west_deg REAL NOT NULL,
  east_deg REAL NOT NULL,
  -- before the path, so that the second sieve reads no overflow page
  sketch BLOB NOT NULL CHECK (length(sketch) = 512), path BLOB NOT NULL, trace BLOB NOT NULL
) STRICT;
CREATE INDEX workout_route_search ON workout_route (started_at, length_m, south_deg, north_deg, west_deg, east_deg, workout_id);

CREATE TABLE weather_job (
  workout_id TEXT PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  -- 'first': no lookup yet; 'final': replaces the preliminary one once the archive has the day
  state TEXT NOT NULL CHECK (state IN ('first', 'final'))
) STRICT, WITHOUT ROWID;
CREATE INDEX weather_job_due ON weather_job (due_at);

-- Photos and videos

CREATE TABLE media (
  id TEXT PRIMARY KEY, workout_id TEXT NOT NULL, filename TEXT NOT NULL,
  mime_type TEXT NOT NULL CHECK (mime_type IN (
    'image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic',
    'video/mp4', 'video/quicktime', 'video/x-msvideo', 'video/webm', 'video/x-m4v'
  )),
  file_size_bytes INTEGER NOT NULL CHECK (file_size_bytes > 0), caption TEXT, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX media_workout ON media (workout_id, created_at, id);

CREATE TABLE media_stated (
  media_id TEXT PRIMARY KEY NOT NULL REFERENCES media(id) ON DELETE CASCADE, version INTEGER NOT NULL, taken_at INTEGER, is_local INTEGER NOT NULL,
  lat REAL, lon REAL
) STRICT;

CREATE TABLE media_place (
  media_id TEXT PRIMARY KEY NOT NULL REFERENCES media_stated(media_id) ON DELETE CASCADE,
  workout_id TEXT NOT NULL REFERENCES workout_route(workout_id) ON DELETE CASCADE, lat REAL, lon REAL, placed_by TEXT
) STRICT;
CREATE INDEX media_place_workout ON media_place (workout_id);

-- Training

CREATE TABLE workout_training (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE, training_version INTEGER NOT NULL, hr_hist BLOB NOT NULL,
  speed_hist BLOB NOT NULL, gain_per_km INTEGER, altitude_usable INTEGER NOT NULL, indoor INTEGER NOT NULL, steady_s REAL, steady_mps INTEGER,
  steady_bpm INTEGER, speed_cv INTEGER, hr_cover INTEGER NOT NULL, ef1 INTEGER, ef2 INTEGER, decoupling_reason TEXT, durability TEXT,
  best30_mps INTEGER, best30_lthr INTEGER, pieces BLOB NOT NULL, headings BLOB NOT NULL, effort_graded BLOB, peaks BLOB NOT NULL,
  hr_locked_s INTEGER NOT NULL, reps INTEGER NOT NULL
) STRICT;
CREATE INDEX workout_training_version ON workout_training (training_version);

CREATE TABLE workout_load (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE, load INTEGER, source TEXT, heart_rate INTEGER, pace INTEGER,
  rpe INTEGER, duration INTEGER, coverage INTEGER NOT NULL, suspect INTEGER NOT NULL, factor REAL, factor_n INTEGER, spread REAL
) STRICT, WITHOUT ROWID;

CREATE TABLE training_choice (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE, load_source TEXT NOT NULL, load_manual REAL,
  exclude_from_estimates INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE training_settings (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), data TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;

CREATE TABLE training_goal (
  id TEXT NOT NULL PRIMARY KEY, metric TEXT NOT NULL, period TEXT NOT NULL, target REAL NOT NULL, from_day INTEGER, to_day INTEGER,
  active_from INTEGER, active_to INTEGER, name TEXT, created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE training_refusal (kind TEXT NOT NULL PRIMARY KEY, value REAL NOT NULL, made_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE training_state (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, computed INTEGER NOT NULL, filling INTEGER NOT NULL DEFAULT 0,
  conditions INTEGER NOT NULL DEFAULT 0, profiles INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE race (
  id TEXT NOT NULL PRIMARY KEY, day INTEGER NOT NULL, name TEXT NOT NULL, distance_m REAL NOT NULL, goal_time_s INTEGER, note TEXT,
  linked INTEGER NOT NULL, workout_id TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE truth_mark (id TEXT NOT NULL PRIMARY KEY, day INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Where runs went

CREATE TABLE ground (
  run INTEGER PRIMARY KEY CHECK (run BETWEEN 1 AND 16777215), workout_id TEXT NOT NULL UNIQUE REFERENCES workout_route (workout_id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL, ground_version INTEGER NOT NULL, start_lat REAL, start_lon REAL, length_m REAL NOT NULL
) STRICT;
CREATE INDEX ground_of_version ON ground (ground_version);

CREATE TABLE ground_square (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES ground (run) ON DELETE CASCADE, entered_s REAL NOT NULL, line BLOB NOT NULL, new_m REAL
) STRICT;
CREATE INDEX ground_square_run ON ground_square (run);

CREATE TABLE ground_dirty (square INTEGER PRIMARY KEY, marks INTEGER NOT NULL) STRICT;

-- Runs that may be recordings of one

CREATE TABLE merge_suggestion (
  id TEXT NOT NULL PRIMARY KEY, first_id TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  second_id TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE, certainty TEXT NOT NULL, overlap REAL NOT NULL,
  distance_difference_m REAL NOT NULL, shift_s INTEGER NOT NULL, reason TEXT NOT NULL, created_at INTEGER NOT NULL, dismissed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX merge_suggestion_pair ON merge_suggestion (first_id, second_id);
CREATE INDEX merge_suggestion_second ON merge_suggestion (second_id);

CREATE TABLE pair_due (run_id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

-- What is imported automatically

CREATE TABLE watch_file (
  id TEXT NOT NULL PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, modified_at INTEGER NOT NULL, sha256 TEXT,
  outcome TEXT NOT NULL, reason TEXT, workout_ids TEXT NOT NULL, receipt_id TEXT, attempts INTEGER NOT NULL, next_at INTEGER, failing_since INTEGER,
  looked_at INTEGER NOT NULL, engine_version INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX watch_file_name ON watch_file (folder, name);
CREATE INDEX watch_file_outcome ON watch_file (outcome, looked_at DESC, id, folder, failing_since);
CREATE INDEX watch_file_looked ON watch_file (looked_at DESC);
CREATE INDEX watch_file_due ON watch_file (modified_at, name, next_at, folder) WHERE next_at IS NOT NULL;
CREATE INDEX watch_file_sha256 ON watch_file (sha256) WHERE sha256 IS NOT NULL;

CREATE TABLE sync_account (
  name TEXT NOT NULL PRIMARY KEY, secret BLOB NOT NULL, athlete TEXT NOT NULL, athlete_name TEXT, key_ending TEXT NOT NULL, since TEXT,
  every_minutes INTEGER NOT NULL, cursor TEXT, state TEXT NOT NULL, message TEXT, last_run_at INTEGER, last_receipt_id TEXT,
  strava_only INTEGER NOT NULL
) STRICT;

INSERT INTO training_state VALUES (1, 1, 0, 0, 0, 0);

-- Notes what changed, so that what follows is computed again

CREATE TRIGGER training_zones_added AFTER INSERT ON settings BEGIN UPDATE training_state SET revision = revision + 1, profiles = profiles + 1; END;
CREATE TRIGGER training_zones_changed AFTER UPDATE OF zones_version ON settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
CREATE TRIGGER training_workout_added AFTER INSERT ON workout BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_workout_gone AFTER DELETE ON workout BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER truth_conditions_changed AFTER UPDATE OF weather_temperature_c, weather_humidity, weather_wind_speed_mps, weather_wind_direction, device
ON workout BEGIN
  UPDATE training_state SET conditions = conditions + 1;
END;
CREATE TRIGGER ground_left_out AFTER UPDATE OF left_out ON workout WHEN OLD.left_out <> NEW.left_out BEGIN
  INSERT INTO ground_dirty SELECT id >> 24, 1 FROM ground_square WHERE run = (SELECT run FROM ground WHERE workout_id = NEW.id)
    ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
END;
CREATE TRIGGER pair_due_added AFTER INSERT ON workout BEGIN INSERT OR IGNORE INTO pair_due VALUES (NEW.id); END;
CREATE TRIGGER pair_due_moved AFTER UPDATE OF started_at, duration_s ON workout
WHEN NEW.started_at <> OLD.started_at OR NEW.duration_s <> OLD.duration_s BEGIN
  INSERT OR IGNORE INTO pair_due VALUES (NEW.id);
END;
CREATE TRIGGER training_workout_changed AFTER UPDATE OF started_at, utc_offset_minutes, duration_s, moving_time_s, timer_time_s, distance_m,
  avg_heart_rate_bpm, rpe, run_type, left_out, elev_gain_m, weather_temperature_c, weather_humidity ON workout BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_effort_added AFTER INSERT ON workout_best_effort BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_effort_changed AFTER UPDATE ON workout_best_effort BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_effort_gone AFTER DELETE ON workout_best_effort BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_word_added AFTER INSERT ON effort_word BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_word_changed AFTER UPDATE ON effort_word BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_word_gone AFTER DELETE ON effort_word BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_added AFTER INSERT ON workout_training BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_changed AFTER UPDATE ON workout_training BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_choice_added AFTER INSERT ON training_choice BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_choice_changed AFTER UPDATE ON training_choice BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_choice_gone AFTER DELETE ON training_choice BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_settings_added AFTER INSERT ON training_settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
CREATE TRIGGER training_settings_changed AFTER UPDATE ON training_settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
CREATE TRIGGER truth_mark_added AFTER INSERT ON truth_mark BEGIN UPDATE training_state SET conditions = conditions + 1; END;
CREATE TRIGGER truth_mark_changed AFTER UPDATE ON truth_mark BEGIN UPDATE training_state SET conditions = conditions + 1; END;
CREATE TRIGGER truth_mark_gone AFTER DELETE ON truth_mark BEGIN UPDATE training_state SET conditions = conditions + 1; END;
CREATE TRIGGER ground_goes BEFORE DELETE ON ground BEGIN
  INSERT INTO ground_dirty SELECT id >> 24, 1 FROM ground_square WHERE run = OLD.run ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
END;
CREATE TRIGGER ground_square_comes AFTER INSERT ON ground_square BEGIN
  INSERT INTO ground_dirty VALUES (NEW.id >> 24, 1) ON CONFLICT (square) DO UPDATE SET marks = marks + 1;
END;
