-- What the search for similar routes reads: one row a workout with a route.
CREATE TABLE workout_route (
  workout_id TEXT PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  -- that of the workout, so that the first sieve is one index
  started_at INTEGER NOT NULL,
  length_m REAL NOT NULL CHECK (length_m >= 0),
  south_deg REAL NOT NULL,
  north_deg REAL NOT NULL,
  west_deg REAL NOT NULL,
  east_deg REAL NOT NULL,
  -- before the path, so that the second sieve reads no overflow page
  sketch BLOB NOT NULL CHECK (length(sketch) = 512),
  path BLOB NOT NULL
) STRICT;
CREATE INDEX workout_route_search ON workout_route (
  started_at, length_m, south_deg, north_deg, west_deg, east_deg, workout_id
);

-- Grows when the samples of a workout are replaced, so that a long computation can tell that it read older ones.
ALTER TABLE workout_samples ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
