-- Metres that are cut from either end of a run before others see it; null: 0.
ALTER TABLE settings ADD COLUMN trim_ends_m REAL;
