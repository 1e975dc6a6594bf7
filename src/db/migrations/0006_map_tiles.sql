-- Whether the ground of maps may be asked of a tile server, which then sees the area that is looked at.
ALTER TABLE settings ADD COLUMN map_tiles INTEGER NOT NULL DEFAULT 0 CHECK (map_tiles IN (0, 1));
