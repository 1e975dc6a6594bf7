-- Peaks of the heart rate that count by the speed of the minute before them: JSON pairs of m/s and bpm; and the seconds in
-- which the sensor counted steps. Both are filled in with the next training version.
ALTER TABLE workout_training ADD COLUMN peaks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE workout_training ADD COLUMN hr_locked_s INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workout_training DROP COLUMN peak_hr_15s;
