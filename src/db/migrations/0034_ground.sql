-- Where each run went, by square of zoom 14; derived from its track, and filled in in the background for older runs.
CREATE TABLE ground (
  run INTEGER PRIMARY KEY CHECK (run BETWEEN 1 AND 16777215),
  workout_id TEXT NOT NULL UNIQUE REFERENCES workout_route (workout_id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  ground_version INTEGER NOT NULL,
  -- null: the track cannot be read
  start_lat REAL,
  start_lon REAL,
  length_m REAL NOT NULL
) STRICT;
CREATE INDEX ground_of_version ON ground (ground_version);
CREATE TABLE ground_square (
  -- (x * 2^14 + y) * 2^24 + run
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES ground (run) ON DELETE CASCADE,
  entered_s REAL NOT NULL,
  line BLOB NOT NULL,
  -- null: not computed yet
  new_m REAL
) STRICT;
CREATE INDEX ground_square_run ON ground_square (run);
