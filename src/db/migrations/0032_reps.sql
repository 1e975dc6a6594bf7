-- Repetitions that are recognised in a run, which its suggested type follows from; filled in with the next training version.
ALTER TABLE workout_training ADD COLUMN reps INTEGER NOT NULL DEFAULT 0;
