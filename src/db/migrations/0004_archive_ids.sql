-- Ids that an archive gives to routes and best efforts, so that restored ones survive the next export.
ALTER TABLE workout ADD COLUMN route_id TEXT;
UPDATE workout SET route_id = lower(
  hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
  substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
);

CREATE TABLE workout_best_effort_new (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  distance_index INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms > 0),
  start_ms INTEGER NOT NULL,
  -- by default a random UUID, so that no writer of efforts has to know of archives
  id TEXT NOT NULL DEFAULT (lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
    substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
  )),
  calculated_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (workout_id, distance_index),
  -- the rank; inside the table, so that a rebuilt copy that takes the table's place brings it along
  UNIQUE (distance_index, time_ms, workout_id)
) STRICT, WITHOUT ROWID;
INSERT INTO workout_best_effort_new (workout_id, distance_index, time_ms, start_ms)
  SELECT workout_id, distance_index, time_ms, start_ms FROM workout_best_effort;
DROP TABLE workout_best_effort;
ALTER TABLE workout_best_effort_new RENAME TO workout_best_effort;

-- Efforts that only an archive knows: faster than what the stored samples give, or of a workout without samples.
CREATE TABLE archived_best_effort (
  id TEXT PRIMARY KEY,
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  distance_index INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms > 0),
  calculated_at INTEGER NOT NULL,
  UNIQUE (workout_id, distance_index)
) STRICT;
CREATE INDEX archived_best_effort_rank ON archived_best_effort (distance_index, time_ms);
