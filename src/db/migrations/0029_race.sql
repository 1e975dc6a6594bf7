-- Planned races. A Race run of that day follows by rule, unless the runner linked another one, or none.
CREATE TABLE race (
  id TEXT NOT NULL PRIMARY KEY,
  day INTEGER NOT NULL,
  name TEXT NOT NULL,
  distance_m REAL NOT NULL,
  goal_time_s INTEGER,
  note TEXT,
  linked INTEGER NOT NULL,
  workout_id TEXT
) STRICT, WITHOUT ROWID;
