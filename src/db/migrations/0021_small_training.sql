-- What the training sight keeps of a run, in half the bytes: a table with row ids, of which two rows fit one page, numbers
-- as whole ones. It is made anew of the samples; until then training is told by summaries and says so.
DROP TABLE workout_training;
CREATE TABLE workout_training (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  training_version INTEGER NOT NULL,
  -- tenths of seconds at each bpm (twice the seconds where they are whole, else twice the tenths and one), whole seconds at
  -- each cm/s: first bin, then counts, as varints
  hr_hist BLOB NOT NULL,
  speed_hist BLOB NOT NULL,
  moving_s REAL,
  -- hundredths of metres
  graded_m INTEGER,
  -- thousandths
  gain_per_km INTEGER,
  altitude_usable INTEGER NOT NULL,
  indoor INTEGER NOT NULL,
  steady_s REAL,
  -- of shares and speeds millionths, of heart rates ten thousandths
  steady_mps INTEGER,
  steady_bpm INTEGER,
  speed_cv INTEGER,
  hr_cover INTEGER NOT NULL,
  ef1 INTEGER,
  ef2 INTEGER,
  decoupling_reason TEXT,
  durability TEXT,
  peak_hr_15s INTEGER,
  best30_mps INTEGER,
  best30_lthr INTEGER,
  best30_start_s REAL,
  race_bpm INTEGER,
  -- tenths of bpm and mm/s of each full minute, each as what it is more than the minute before; varints
  pieces BLOB NOT NULL,
  -- sector, seconds and cm/s of each direction; varints
  headings BLOB NOT NULL,
  -- distance index and decimetres on the flat of the best efforts from a mile on; varints; null: altitude is of no use
  effort_graded BLOB
) STRICT;

CREATE TRIGGER training_added AFTER INSERT ON workout_training BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_changed AFTER UPDATE ON workout_training BEGIN
  UPDATE training_state SET revision = revision + 1;
END;

-- Loads in tenths, coverage in millionths; computed anew as well.
DROP TABLE workout_load;
CREATE TABLE workout_load (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  load INTEGER,
  source TEXT,
  heart_rate INTEGER,
  pace INTEGER,
  rpe INTEGER,
  duration INTEGER,
  coverage INTEGER NOT NULL,
  suspect INTEGER NOT NULL,
  factor REAL,
  factor_n INTEGER,
  spread REAL
) STRICT, WITHOUT ROWID;

-- 1: samples of some runs have not been read for the training sight yet
ALTER TABLE training_state ADD COLUMN filling INTEGER NOT NULL DEFAULT 0;
UPDATE training_state SET revision = revision + 1, filling = EXISTS (SELECT 1 FROM recording);
