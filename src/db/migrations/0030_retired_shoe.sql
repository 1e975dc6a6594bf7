-- Since when a shoe is retired, and the distance at which the runner wants to retire it.
ALTER TABLE shoe ADD COLUMN retired_at INTEGER;
ALTER TABLE shoe ADD COLUMN retire_at_m REAL;
