-- Heat is part of the one fitness, so weather that comes later changes it; runs without heart rate are read anew for it by the
-- next training version.
DROP TRIGGER training_workout_changed;
CREATE TRIGGER training_workout_changed AFTER UPDATE OF
  started_at, utc_offset_minutes, duration_s, moving_time_s, timer_time_s, distance_m, avg_heart_rate_bpm, rpe, run_type,
  left_out, elev_gain_m, weather_temperature_c, weather_humidity
ON workout BEGIN
  UPDATE training_state SET revision = revision + 1;
END;
UPDATE training_state SET revision = revision + 1;
