-- The watch folder: one row a path that was seen in it.
CREATE TABLE watch_file (
  id TEXT NOT NULL PRIMARY KEY,
  -- as configured
  folder TEXT NOT NULL,
  -- below the folder, with slashes
  name TEXT NOT NULL,
  -- as last seen
  size INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  -- of the unpacked bytes that were last decided on
  sha256 TEXT,
  outcome TEXT NOT NULL,
  reason TEXT,
  -- JSON list of ids
  workout_ids TEXT NOT NULL,
  receipt_id TEXT,
  -- how often it could not be read in a row
  attempts INTEGER NOT NULL,
  -- when it is to be looked at and read; null: what was seen last is decided
  next_at INTEGER,
  -- since when it cannot be read
  failing_since INTEGER,
  -- when it was last decided on or could not be read
  looked_at INTEGER NOT NULL,
  -- a newer one tries once more; null: what was decided is final
  engine_version INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX watch_file_name ON watch_file (folder, name);
CREATE INDEX watch_file_sha256 ON watch_file (sha256);
CREATE INDEX watch_file_outcome ON watch_file (outcome, looked_at);
CREATE INDEX watch_file_next ON watch_file (next_at) WHERE next_at IS NOT NULL;
