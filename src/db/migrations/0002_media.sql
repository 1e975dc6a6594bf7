-- Photos and videos of a workout. The bytes are files/media/<id>; the name here is shown to people, never part of a path.
CREATE TABLE media (
  id TEXT PRIMARY KEY,
  workout_id TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  -- what the content is, whatever name and sender say
  mime_type TEXT NOT NULL CHECK (mime_type IN (
    'image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic',
    'video/mp4', 'video/quicktime', 'video/x-msvideo', 'video/webm', 'video/x-m4v'
  )),
  file_size_bytes INTEGER NOT NULL CHECK (file_size_bytes > 0),
  caption TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX media_workout ON media (workout_id, created_at, id);
