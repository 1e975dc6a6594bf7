-- Runs that may be two recordings of one run.
CREATE TABLE merge_suggestion (
  id TEXT NOT NULL PRIMARY KEY,
  first_id TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  second_id TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  certainty TEXT NOT NULL,
  overlap REAL NOT NULL,
  distance_difference_m REAL NOT NULL,
  shift_s INTEGER NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- dismissed ones stay, so that they are not suggested again
  dismissed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX merge_suggestion_pair ON merge_suggestion (first_id, second_id);
CREATE INDEX merge_suggestion_second ON merge_suggestion (second_id);

-- Runs that were not compared with the others since they came or were moved.
CREATE TABLE pair_due (
  run_id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pair_due_added AFTER INSERT ON workout BEGIN
  INSERT OR IGNORE INTO pair_due VALUES (NEW.id);
END;
CREATE TRIGGER pair_due_moved AFTER UPDATE OF started_at, duration_s ON workout
WHEN NEW.started_at <> OLD.started_at OR NEW.duration_s <> OLD.duration_s BEGIN
  INSERT OR IGNORE INTO pair_due VALUES (NEW.id);
END;
INSERT INTO pair_due SELECT id FROM workout;

-- null: suggest
ALTER TABLE settings ADD COLUMN second_recording TEXT;
