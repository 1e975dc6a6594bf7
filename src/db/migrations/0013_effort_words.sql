-- Why an effort cannot be; null: it can.
ALTER TABLE workout_best_effort ADD COLUMN implausible_reason TEXT;
-- What the runner says of an effort, whatever it is computed to be: 1 counts, 0 is no record.
CREATE TABLE effort_word (
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  distance_index INTEGER NOT NULL,
  is_record INTEGER NOT NULL CHECK (is_record IN (0, 1)),
  PRIMARY KEY (workout_id, distance_index)
) STRICT, WITHOUT ROWID;
-- Left out of statistics by the runner.
ALTER TABLE workout ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0 CHECK (left_out IN (0, 1));
DROP INDEX workout_figures;
CREATE INDEX workout_figures ON workout (
  started_at, utc_offset_minutes, distance_m, avg_pace_s, elev_gain_m, relative_effort,
  weather_temperature_c, weather_humidity, weather_precipitation_mm, weather_wind_speed_mps, weather_code,
  (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
    + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL),
  left_out
);
