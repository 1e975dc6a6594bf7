-- Days from which on the runner wore another sensor.
CREATE TABLE truth_mark (
  id TEXT NOT NULL PRIMARY KEY,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Incremented by changes that fitness at one heart rate is based on and loads are not.
ALTER TABLE training_state ADD COLUMN conditions INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER truth_mark_added AFTER INSERT ON truth_mark BEGIN
  UPDATE training_state SET conditions = conditions + 1;
END;
CREATE TRIGGER truth_mark_changed AFTER UPDATE ON truth_mark BEGIN
  UPDATE training_state SET conditions = conditions + 1;
END;
CREATE TRIGGER truth_mark_gone AFTER DELETE ON truth_mark BEGIN
  UPDATE training_state SET conditions = conditions + 1;
END;
CREATE TRIGGER truth_conditions_changed AFTER UPDATE OF
  weather_temperature_c, weather_humidity, weather_wind_speed_mps, weather_wind_direction, device
ON workout BEGIN
  UPDATE training_state SET conditions = conditions + 1;
END;
