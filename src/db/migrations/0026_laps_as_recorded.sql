-- Laps were stored without those that are nested or overlap, and moved to touch each other: they are read out of the
-- originals again, when they are asked for.
UPDATE recording SET laps = NULL WHERE laps <> '[]' AND stored_as IS NOT NULL AND file_type IN ('fit', 'tcx');
