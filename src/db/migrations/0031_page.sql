-- Cards of the dashboard in order, and what leads it: load or relative effort. null: never chosen.
ALTER TABLE settings ADD COLUMN page TEXT;
