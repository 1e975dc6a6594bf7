-- Receipts of what was changed, what brings it back, and the memory of what was deleted.

-- Grows with every change that a runner can see; what is undone has the revision of before.
ALTER TABLE workout ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE recording ADD COLUMN receipt_id TEXT;

CREATE TABLE receipt (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  -- how runs came; null: none did
  origin TEXT,
  actor TEXT NOT NULL,
  title TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  -- null: it is under way
  finished_at INTEGER,
  -- null: it cannot be undone
  undo_until INTEGER,
  undone_at INTEGER,
  undone_by TEXT,
  -- the receipt that it undid
  undoes TEXT,
  -- when it is about one workout
  workout_id TEXT,
  counts TEXT NOT NULL,
  warnings TEXT NOT NULL
) STRICT;
CREATE INDEX receipt_made ON receipt (made_at, id);
CREATE INDEX receipt_workout ON receipt (workout_id, made_at);
CREATE INDEX receipt_under_way ON receipt (id) WHERE finished_at IS NULL;

-- What became of each workout, file, shoe or photo; after a year the receipts are kept without.
CREATE TABLE receipt_item (
  receipt_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  workout_id TEXT,
  filename TEXT,
  outcome TEXT NOT NULL,
  reason TEXT,
  capsule_id TEXT,
  -- JSON of what was before, where it takes no capsule
  old_values TEXT,
  -- of the workout
  before_revision INTEGER,
  after_revision INTEGER,
  -- of the receipt that this one undid
  undoes_seq INTEGER,
  undone_by TEXT,
  PRIMARY KEY (receipt_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_item_workout ON receipt_item (workout_id) WHERE workout_id IS NOT NULL;

-- A workout, or a part of one, as it was.
CREATE TABLE capsule (
  id TEXT NOT NULL PRIMARY KEY,
  workout_id TEXT NOT NULL,
  receipt_id TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  made_at INTEGER NOT NULL,
  -- 1: it lies in the trash
  is_deleted INTEGER NOT NULL CHECK (is_deleted IN (0, 1)),
  name TEXT,
  started_at INTEGER NOT NULL,
  distance_m REAL NOT NULL,
  duration_s INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX capsule_workout ON capsule (workout_id);
CREATE INDEX capsule_made ON capsule (made_at, bytes);
CREATE INDEX capsule_trash ON capsule (made_at, id) WHERE is_deleted = 1;

-- The stored files that a capsule needs, so that no sweep takes them.
CREATE TABLE capsule_file (
  folder TEXT NOT NULL,
  name TEXT NOT NULL,
  capsule_id TEXT NOT NULL REFERENCES capsule (id) ON DELETE CASCADE,
  PRIMARY KEY (folder, name, capsule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX capsule_file_capsule ON capsule_file (capsule_id);

-- What was deleted does not come back by itself: kept for ever, whether the workout can be brought back or not.
CREATE TABLE deleted_run (
  workout_id TEXT NOT NULL,
  file_sha256 TEXT,
  file_session INTEGER,
  origin TEXT,
  external_id TEXT,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX deleted_run_file ON deleted_run (file_sha256, file_session) WHERE file_sha256 IS NOT NULL;
CREATE UNIQUE INDEX deleted_run_external ON deleted_run (origin, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX deleted_run_workout ON deleted_run (workout_id);
