-- What the list and the statistics filter, sort and add up: none of it asks the rows, which carry previews and weather.
DROP INDEX workout_started;
CREATE INDEX workout_started ON workout (
  started_at, id, distance_m, duration_s, moving_time_s, timer_time_s, avg_pace_s, elev_gain_m, relative_effort,
  avg_heart_rate_bpm, max_heart_rate_bpm, run_type, shoe_id, left_out
);
