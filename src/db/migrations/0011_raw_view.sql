-- Raw data is read out of the original. JSON: importedAtMs, anySport, ofOriginal, strava; false: only the file of the raw data
-- has it; null: there is none, or its file was not looked at yet, of which has_raw goes on telling.
ALTER TABLE recording ADD COLUMN raw_view TEXT;
CREATE INDEX recording_raw_copy ON recording (id) WHERE has_raw AND raw_view IS NULL;
