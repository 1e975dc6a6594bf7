-- Rows in fewer bytes; the previews become binary behind this (migrate.ts).

-- behind the other columns, so that what asks for those reads no further; JSON text or a blob
ALTER TABLE workout ADD COLUMN preview ANY;
UPDATE workout SET preview = route_preview;
ALTER TABLE workout DROP COLUMN route_preview;
ALTER TABLE workout RENAME COLUMN preview TO route_preview;

-- An id that nobody gave is made of the workout's and the place (library/row-ids.ts): it is null and takes no room.
CREATE TABLE workout_split_new (
  id TEXT,
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
INSERT INTO workout_split_new SELECT * FROM workout_split;
DROP TABLE workout_split;
ALTER TABLE workout_split_new RENAME TO workout_split;
CREATE UNIQUE INDEX workout_split_id ON workout_split (id) WHERE id IS NOT NULL;

CREATE TABLE workout_best_effort_new (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  distance_index INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms > 0),
  start_ms INTEGER NOT NULL,
  id TEXT,
  calculated_at INTEGER NOT NULL,
  -- why it cannot be; null: it can
  implausible_reason TEXT,
  PRIMARY KEY (workout_id, distance_index)
) STRICT, WITHOUT ROWID;
INSERT INTO workout_best_effort_new SELECT * FROM workout_best_effort;
DROP TABLE workout_best_effort;
ALTER TABLE workout_best_effort_new RENAME TO workout_best_effort;
CREATE INDEX workout_best_effort_rank ON workout_best_effort (distance_index, time_ms);

-- Sketches that are packed are shorter than 512 bytes, those of before are not.
CREATE TABLE workout_route_new (
  workout_id TEXT PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  -- that of the workout, so that the first sieve is one index
  started_at INTEGER NOT NULL,
  length_m REAL NOT NULL CHECK (length_m >= 0),
  south_deg REAL NOT NULL,
  north_deg REAL NOT NULL,
  west_deg REAL NOT NULL,
  east_deg REAL NOT NULL,
  -- before the path, so that the second sieve reads no overflow page
  sketch BLOB NOT NULL CHECK (length(sketch) <= 512),
  path BLOB NOT NULL
) STRICT;
INSERT INTO workout_route_new SELECT * FROM workout_route;
DROP TABLE workout_route;
ALTER TABLE workout_route_new RENAME TO workout_route;
CREATE INDEX workout_route_search ON workout_route (
  started_at, length_m, south_deg, north_deg, west_deg, east_deg, workout_id
);

-- The words that there are, without those that there are not.
UPDATE recording SET words = json_patch('{}', words);
