-- What the file of a photo or video states, and where on the map it is. Both follow from files and tracks alone.
CREATE TABLE media_stated (
  media_id TEXT PRIMARY KEY NOT NULL REFERENCES media(id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  taken_at INTEGER,
  is_local INTEGER NOT NULL,
  lat REAL,
  lon REAL
) STRICT;
CREATE TABLE media_place (
  media_id TEXT PRIMARY KEY NOT NULL REFERENCES media_stated(media_id) ON DELETE CASCADE,
  workout_id TEXT NOT NULL REFERENCES workout_route(workout_id) ON DELETE CASCADE,
  lat REAL,
  lon REAL,
  placed_by TEXT
) STRICT;
CREATE INDEX media_place_workout ON media_place (workout_id);
