-- Laps as the device tells them, beside the recording.

-- JSON list of lists: start (Unix ms), length (ms), places of trigger and intensity (-1: none), then the numbers that
-- engine/laps.ts names; [] : the file has none; null: not looked at yet
ALTER TABLE recording ADD COLUMN laps TEXT;
