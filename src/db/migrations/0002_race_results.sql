-- A race decides what its run counts as in the one fitness.
CREATE TRIGGER training_race_added AFTER INSERT ON race BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_race_changed AFTER UPDATE ON race BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE TRIGGER training_race_gone AFTER DELETE ON race BEGIN UPDATE training_state SET revision = revision + 1; END;
CREATE INDEX workout_race ON workout (distance_m) WHERE run_type = 'Race';
