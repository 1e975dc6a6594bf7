-- Places that the runner named; one of them at most is home.
CREATE TABLE place (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  lat REAL NOT NULL,
  lon REAL NOT NULL,
  is_home INTEGER NOT NULL CHECK (is_home IN (0, 1)),
  -- metres about it that nobody else sees; null: it is not hidden
  hide_m REAL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX place_home ON place (is_home) WHERE is_home = 1;
