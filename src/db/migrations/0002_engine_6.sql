-- A run is of this engine or of an older one: no part of it has a version of its own.
DROP TABLE effort_before;
DROP INDEX workout_training_version;
ALTER TABLE workout_training DROP COLUMN training_version;
DROP INDEX ground_of_version;
ALTER TABLE ground DROP COLUMN ground_version;
ALTER TABLE training_state DROP COLUMN filling;
ALTER TABLE media_stated DROP COLUMN version;

-- A race decides what its run counts as in the one fitness.
CREATE TRIGGER training_race_added AFTER INSERT ON race BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_race_changed AFTER UPDATE ON race BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_race_gone AFTER DELETE ON race BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE INDEX workout_race ON workout (distance_m) WHERE run_type = 'Race';
