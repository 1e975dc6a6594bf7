-- Runs of services that give them ids are looked up by these.
CREATE INDEX recording_external ON recording (origin, external_id) WHERE external_id IS NOT NULL;
