-- What the efforts were before new zones were begun to be scored with: a row here is an unfinished change, which is taken back.
CREATE TABLE effort_before (
  workout_id TEXT NOT NULL PRIMARY KEY REFERENCES workout (id) ON DELETE CASCADE,
  -- of the workout, when it was scored
  inputs_revision INTEGER NOT NULL,
  -- what it was scored with
  new_zones TEXT NOT NULL,
  relative_effort INTEGER,
  hr_zone_seconds TEXT,
  effort_zones TEXT,
  ours TEXT NOT NULL
) STRICT, WITHOUT ROWID;
