-- Pages of single runs for others: at most one a run, by a token that is random. The run may be in the trash.
CREATE TABLE share (
  token TEXT PRIMARY KEY,
  workout_id TEXT NOT NULL UNIQUE,
  show TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
