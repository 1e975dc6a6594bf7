-- Two runs of an hour fit on a page again: peaks as varints, and without columns that nothing read. The rows are copied as
-- they are, so no run is read again.
CREATE TABLE smaller_training (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  training_version INTEGER NOT NULL,
  hr_hist BLOB NOT NULL,
  speed_hist BLOB NOT NULL,
  gain_per_km INTEGER,
  altitude_usable INTEGER NOT NULL,
  indoor INTEGER NOT NULL,
  steady_s REAL,
  steady_mps INTEGER,
  steady_bpm INTEGER,
  speed_cv INTEGER,
  hr_cover INTEGER NOT NULL,
  ef1 INTEGER,
  ef2 INTEGER,
  decoupling_reason TEXT,
  durability TEXT,
  best30_mps INTEGER,
  best30_lthr INTEGER,
  pieces BLOB NOT NULL,
  headings BLOB NOT NULL,
  effort_graded BLOB,
  -- cm/s of the minute before and hundredths of bpm, each as what it is more than the one before; varints
  peaks BLOB NOT NULL,
  hr_locked_s INTEGER NOT NULL,
  reps INTEGER NOT NULL
) STRICT;
INSERT INTO smaller_training
SELECT workout_id, training_version, hr_hist, speed_hist, gain_per_km, altitude_usable, indoor, steady_s, steady_mps,
  steady_bpm, speed_cv, hr_cover, ef1, ef2, decoupling_reason, durability, best30_mps, best30_lthr, pieces, headings,
  effort_graded,
  coalesce((
    WITH number (place, value) AS (
      SELECT 2 * key, CAST(round(100 * (value ->> 0)) AS INTEGER) FROM json_each(peaks)
      UNION ALL SELECT 2 * key + 1, CAST(round(100 * (value ->> 1)) AS INTEGER) FROM json_each(peaks)
    ), step (place, value) AS (
      SELECT place, value - lag(value, 2, 0) OVER (ORDER BY place) FROM number
    ), coded (place, value) AS (SELECT place, CASE WHEN value < 0 THEN -2 * value - 1 ELSE 2 * value END FROM step)
    SELECT unhex(group_concat(CASE
        WHEN value < 128 THEN printf('%02X', value)
        WHEN value < 16384 THEN printf('%02X%02X', value & 127 | 128, value >> 7)
        ELSE printf('%02X%02X%02X', value & 127 | 128, value >> 7 & 127 | 128, value >> 14)
      END, '' ORDER BY place)) FROM coded
  ), x''), hr_locked_s, reps
FROM workout_training ORDER BY rowid;
DROP TABLE workout_training;
ALTER TABLE smaller_training RENAME TO workout_training;
CREATE INDEX workout_training_version ON workout_training (training_version);
CREATE TRIGGER training_added AFTER INSERT ON workout_training BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
CREATE TRIGGER training_changed AFTER UPDATE ON workout_training BEGIN
  UPDATE training_state SET revision = revision + 1;
END;

-- The part of the revision that is changes of the profile: they need no run to be read.
ALTER TABLE training_state ADD COLUMN profiles INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER training_settings_added;
DROP TRIGGER training_settings_changed;
DROP TRIGGER training_zones_added;
DROP TRIGGER training_zones_changed;
CREATE TRIGGER training_settings_added AFTER INSERT ON training_settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
CREATE TRIGGER training_settings_changed AFTER UPDATE ON training_settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
CREATE TRIGGER training_zones_added AFTER INSERT ON settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
CREATE TRIGGER training_zones_changed AFTER UPDATE OF zones_version ON settings BEGIN
  UPDATE training_state SET revision = revision + 1, profiles = profiles + 1;
END;
