-- A run that the runner moved in time is known by the start that was told of it.
CREATE INDEX recording_started ON recording (started_at);
