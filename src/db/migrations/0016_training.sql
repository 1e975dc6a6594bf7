-- The training sight: what it keeps of each run, what the runner set, and what is made of both.

-- Of the samples alone, each row with the version of the formulas; a run without samples has a row that says nothing.
CREATE TABLE workout_training (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  training_version INTEGER NOT NULL,
  -- tenths of seconds at each bpm, whole seconds at each cm/s: first bin, then counts, as varints
  hr_hist BLOB NOT NULL,
  speed_hist BLOB NOT NULL,
  moving_s REAL,
  graded_m REAL,
  gain_per_km REAL,
  altitude_usable INTEGER NOT NULL,
  indoor INTEGER NOT NULL,
  steady_s REAL,
  steady_mps REAL,
  steady_bpm REAL,
  speed_cv REAL,
  hr_cover REAL NOT NULL,
  ef REAL,
  ef1 REAL,
  ef2 REAL,
  decoupling_reason TEXT,
  durability TEXT,
  peak_hr_15s REAL,
  best30_mps REAL,
  best30_lthr INTEGER,
  best30_start_s REAL,
  race_bpm REAL,
  -- tenths of bpm and mm/s of each full minute; degrees, seconds and cm/s of each direction; varints
  pieces BLOB NOT NULL,
  headings BLOB NOT NULL,
  -- JSON list of [distance index, metres on the flat]; null: altitude is of no use
  effort_graded TEXT
) STRICT, WITHOUT ROWID;

-- What the runner says of a run's load.
CREATE TABLE training_choice (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  load_source TEXT NOT NULL,
  load_manual REAL,
  exclude_from_estimates INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Loads, made of the histograms, the profile, the choices and the runs around; all of it can be made again.
CREATE TABLE workout_load (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  load REAL,
  source TEXT,
  heart_rate REAL,
  pace REAL,
  rpe REAL,
  duration REAL,
  coverage REAL NOT NULL,
  suspect INTEGER NOT NULL,
  factor REAL,
  factor_n INTEGER,
  spread REAL
) STRICT, WITHOUT ROWID;

-- The runner's profile and options as PUT /settings/training has them; no row: never set.
CREATE TABLE training_settings (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  data TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE training_goal (
  id TEXT NOT NULL PRIMARY KEY,
  metric TEXT NOT NULL,
  period TEXT NOT NULL,
  target REAL NOT NULL,
  from_day INTEGER,
  to_day INTEGER,
  active_from INTEGER,
  active_to INTEGER,
  name TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Proposals that were turned down, with the value of then.
CREATE TABLE training_refusal (
  kind TEXT NOT NULL PRIMARY KEY,
  value REAL NOT NULL,
  made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Loads are up to date when both are the same; whatever they are made of raises the first.
CREATE TABLE training_state (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  computed INTEGER NOT NULL
) STRICT;
INSERT INTO training_state VALUES (1, 1, 0);

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
CREATE TRIGGER training_added AFTER INSERT ON workout_training BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_changed AFTER UPDATE ON workout_training BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_choice_added AFTER INSERT ON training_choice BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_choice_changed AFTER UPDATE ON training_choice BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_choice_gone AFTER DELETE ON training_choice BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_settings_added AFTER INSERT ON training_settings BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_settings_changed AFTER UPDATE ON training_settings BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_zones_added AFTER INSERT ON settings BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_zones_changed AFTER UPDATE OF zones_version ON settings BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_effort_added AFTER INSERT ON workout_best_effort BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_effort_changed AFTER UPDATE ON workout_best_effort BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_effort_gone AFTER DELETE ON workout_best_effort BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_word_added AFTER INSERT ON effort_word BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_word_changed AFTER UPDATE ON effort_word BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_word_gone AFTER DELETE ON effort_word BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
