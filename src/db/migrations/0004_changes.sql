-- What changed, in the order of commits, for programs that follow the library; and of each thing when it changed last.
CREATE TABLE change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT,
  change TEXT NOT NULL CHECK (change IN ('created', 'updated', 'deleted'))
) STRICT;
CREATE INDEX change_at ON change (at);

-- due: 2 until the commit that changed it has its row in `change`, 1 when only what is derived of it changed, else null
CREATE TABLE changed (
  row INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, change TEXT NOT NULL, seq INTEGER, due INTEGER
) STRICT;
CREATE UNIQUE INDEX changed_thing ON changed (kind, id);
CREATE INDEX changed_due ON changed (due) WHERE due IS NOT NULL;
CREATE INDEX changed_at ON changed (kind, at, id);

INSERT INTO changed (kind, id, at, change) SELECT 'workout', id, created_at, 'created' FROM workout;
INSERT INTO changed (kind, id, at, change) SELECT 'shoe', id, updated_at, 'created' FROM shoe;
INSERT INTO changed (kind, id, at, change) SELECT 'goal', id, created_at, 'created' FROM training_goal;
INSERT INTO changed (kind, id, at, change) SELECT 'race', id, unixepoch() * 1000, 'created' FROM race;
INSERT INTO changed (kind, id, at, change) SELECT 'place', id, created_at, 'created' FROM place;
INSERT INTO changed (kind, id, at, change) SELECT 'media', id, created_at, 'created' FROM media;
-- what a library had before is not among the changes, so they do not begin at 0
INSERT INTO change (at, kind, change) SELECT 0, 'settings', 'updated' WHERE EXISTS (SELECT 1 FROM changed);
DELETE FROM change;

-- one row for a thing and a commit, whatever the commit did with it
CREATE VIEW touch AS SELECT kind, id, change FROM changed;
CREATE TRIGGER touched INSTEAD OF INSERT ON touch BEGIN
  INSERT INTO changed (kind, id, at, change, due) VALUES (NEW.kind, NEW.id, unixepoch() * 1000, NEW.change, 2)
  ON CONFLICT (kind, id) DO UPDATE SET due = 2, change = CASE
    WHEN due = 2 AND change = 'created' AND excluded.change = 'updated' THEN 'created'
    WHEN due = 2 AND change = 'deleted' AND excluded.change = 'created' THEN 'updated'
    ELSE excluded.change END;
END;

CREATE TRIGGER change_workout_added AFTER INSERT ON workout BEGIN
  INSERT INTO touch VALUES ('workout', NEW.id, 'created');
  INSERT INTO touch SELECT 'media', id, 'created' FROM media WHERE workout_id = NEW.id;
  INSERT INTO touch SELECT 'shoe', id, 'updated' FROM shoe WHERE id = NEW.shoe_id;
END;
-- all that is answered: not the engine that derived the same again
CREATE TRIGGER change_workout_changed AFTER UPDATE OF started_at, created_at, duration_s, moving_time_s, timer_time_s, distance_m, avg_pace_s, gap_pace_s, elev_gain_m, elev_loss_m, min_elev_m,
  max_elev_m, max_speed_mps, avg_speed_mps, max_heart_rate_bpm, avg_heart_rate_bpm, min_heart_rate_bpm, max_cadence_rpm, avg_cadence_rpm,
  max_cadence_spm, avg_cadence_spm, max_power_watts, avg_power_watts, calories, relative_effort, hr_zone_seconds, rpe, run_type, name, notes, source,
  device, shoe_id, utc_offset_minutes, time_zone, splits_count, weather, left_out, route_preview ON workout BEGIN
  INSERT INTO touch VALUES ('workout', NEW.id, 'updated');
END;
CREATE TRIGGER change_workout_worn AFTER UPDATE OF shoe_id, started_at, distance_m, duration_s, utc_offset_minutes ON workout BEGIN
  INSERT INTO touch SELECT 'shoe', id, 'updated' FROM shoe WHERE id IN (OLD.shoe_id, NEW.shoe_id);
END;
CREATE TRIGGER change_workout_gone AFTER DELETE ON workout BEGIN
  INSERT INTO touch VALUES ('workout', OLD.id, 'deleted');
  INSERT INTO touch SELECT 'media', id, 'deleted' FROM media WHERE workout_id = OLD.id;
  INSERT INTO touch SELECT 'shoe', id, 'updated' FROM shoe WHERE id = OLD.shoe_id;
END;
-- the words, choices and repairs of a run; its numbers follow
CREATE TRIGGER change_document AFTER UPDATE OF body ON document WHEN OLD.body <> NEW.body BEGIN
  INSERT INTO touch SELECT 'workout', id, 'updated' FROM workout WHERE id = NEW.id;
END;
-- they are replaced together
CREATE TRIGGER change_splits AFTER INSERT ON workout_split WHEN NEW.idx = 0 BEGIN
  INSERT INTO touch VALUES ('workout', NEW.workout_id, 'updated');
END;
CREATE TRIGGER change_efforts AFTER INSERT ON workout_best_effort BEGIN INSERT INTO touch VALUES ('workout', NEW.workout_id, 'updated'); END;

-- loads are computed from all runs together
CREATE TRIGGER change_load_added AFTER INSERT ON workout_load BEGIN
  UPDATE changed SET due = 1 WHERE kind = 'workout' AND id = NEW.workout_id AND due IS NULL;
END;
CREATE TRIGGER change_load_changed AFTER UPDATE ON workout_load WHEN OLD.load IS NOT NEW.load OR OLD.source IS NOT NEW.source BEGIN
  UPDATE changed SET due = 1 WHERE kind = 'workout' AND id = NEW.workout_id AND due IS NULL;
END;
CREATE TRIGGER change_load_gone AFTER DELETE ON workout_load BEGIN
  UPDATE changed SET due = 1 WHERE kind = 'workout' AND id = OLD.workout_id AND due IS NULL AND change <> 'deleted';
END;

CREATE TRIGGER change_media_added AFTER INSERT ON media WHEN EXISTS (SELECT 1 FROM workout WHERE id = NEW.workout_id) BEGIN
  INSERT INTO touch VALUES ('media', NEW.id, 'created');
  INSERT INTO touch VALUES ('workout', NEW.workout_id, 'updated');
END;
CREATE TRIGGER change_media_changed AFTER UPDATE ON media BEGIN
  INSERT INTO touch SELECT 'media', NEW.id, 'updated' FROM workout WHERE id = NEW.workout_id;
  INSERT INTO touch SELECT 'workout', id, 'updated' FROM workout WHERE id IN (OLD.workout_id, NEW.workout_id);
END;
CREATE TRIGGER change_media_gone AFTER DELETE ON media BEGIN
  INSERT INTO touch VALUES ('media', OLD.id, 'deleted');
  INSERT INTO touch SELECT 'workout', id, 'updated' FROM workout WHERE id = OLD.workout_id;
END;

-- where a photo was taken is found later
CREATE TRIGGER change_media_placed AFTER INSERT ON media_place BEGIN
  INSERT INTO touch SELECT 'media', media.id, 'updated' FROM media JOIN workout ON workout.id = media.workout_id WHERE media.id = NEW.media_id;
  INSERT INTO touch SELECT 'workout', workout.id, 'updated' FROM media JOIN workout ON workout.id = media.workout_id WHERE media.id = NEW.media_id;
END;
CREATE TRIGGER change_media_lost AFTER DELETE ON media_place BEGIN
  INSERT INTO touch SELECT 'media', media.id, 'updated' FROM media JOIN workout ON workout.id = media.workout_id WHERE media.id = OLD.media_id;
  INSERT INTO touch SELECT 'workout', workout.id, 'updated' FROM media JOIN workout ON workout.id = media.workout_id WHERE media.id = OLD.media_id;
END;

-- a run is answered with the names of its shoe, while that is there
CREATE TRIGGER change_shoe_added AFTER INSERT ON shoe BEGIN
  INSERT INTO touch VALUES ('shoe', NEW.id, 'created');
  INSERT INTO touch SELECT 'workout', id, 'updated' FROM workout WHERE shoe_id = NEW.id;
END;
CREATE TRIGGER change_shoe_changed AFTER UPDATE ON shoe BEGIN INSERT INTO touch VALUES ('shoe', NEW.id, 'updated'); END;
CREATE TRIGGER change_shoe_named AFTER UPDATE OF brand, model ON shoe WHEN OLD.brand <> NEW.brand OR OLD.model <> NEW.model BEGIN
  INSERT INTO touch SELECT 'workout', id, 'updated' FROM workout WHERE shoe_id = NEW.id;
END;
CREATE TRIGGER change_shoe_gone AFTER DELETE ON shoe BEGIN
  INSERT INTO touch VALUES ('shoe', OLD.id, 'deleted');
  INSERT INTO touch SELECT 'workout', id, 'updated' FROM workout WHERE shoe_id = OLD.id;
END;

CREATE TRIGGER change_goal_added AFTER INSERT ON training_goal BEGIN INSERT INTO touch VALUES ('goal', NEW.id, 'created'); END;
CREATE TRIGGER change_goal_changed AFTER UPDATE ON training_goal BEGIN INSERT INTO touch VALUES ('goal', NEW.id, 'updated'); END;
CREATE TRIGGER change_goal_gone AFTER DELETE ON training_goal BEGIN INSERT INTO touch VALUES ('goal', OLD.id, 'deleted'); END;
CREATE TRIGGER change_race_added AFTER INSERT ON race BEGIN INSERT INTO touch VALUES ('race', NEW.id, 'created'); END;
CREATE TRIGGER change_race_changed AFTER UPDATE ON race BEGIN INSERT INTO touch VALUES ('race', NEW.id, 'updated'); END;
CREATE TRIGGER change_race_gone AFTER DELETE ON race BEGIN INSERT INTO touch VALUES ('race', OLD.id, 'deleted'); END;
CREATE TRIGGER change_place_added AFTER INSERT ON place BEGIN INSERT INTO touch VALUES ('place', NEW.id, 'created'); END;
CREATE TRIGGER change_place_changed AFTER UPDATE ON place BEGIN INSERT INTO touch VALUES ('place', NEW.id, 'updated'); END;
CREATE TRIGGER change_place_gone AFTER DELETE ON place BEGIN INSERT INTO touch VALUES ('place', OLD.id, 'deleted'); END;

CREATE TRIGGER change_settings_added AFTER INSERT ON settings BEGIN
  INSERT INTO touch VALUES ('settings', '', 'updated');
  INSERT INTO touch SELECT 'shoe', id, 'updated' FROM shoe WHERE NEW.unit_preference = 'imperial';
END;
CREATE TRIGGER change_settings_changed AFTER UPDATE ON settings BEGIN
  INSERT INTO touch VALUES ('settings', '', 'updated');
  INSERT INTO touch SELECT 'shoe', id, 'updated' FROM shoe WHERE OLD.unit_preference IS NOT NEW.unit_preference;
END;
CREATE TRIGGER change_settings_gone AFTER DELETE ON settings BEGIN
  INSERT INTO touch VALUES ('settings', '', 'updated');
  INSERT INTO touch SELECT 'shoe', id, 'updated' FROM shoe WHERE OLD.unit_preference = 'imperial';
END;
CREATE TRIGGER change_training_settings_added AFTER INSERT ON training_settings BEGIN INSERT INTO touch VALUES ('settings', '', 'updated'); END;
CREATE TRIGGER change_training_settings_changed AFTER UPDATE ON training_settings BEGIN INSERT INTO touch VALUES ('settings', '', 'updated'); END;
CREATE TRIGGER change_training_settings_gone AFTER DELETE ON training_settings BEGIN INSERT INTO touch VALUES ('settings', '', 'updated'); END;
