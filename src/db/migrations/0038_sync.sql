-- The connection to a service that runs come from by themselves.
CREATE TABLE sync_account (
  name TEXT NOT NULL PRIMARY KEY,
  -- encrypted
  secret BLOB NOT NULL,
  athlete TEXT NOT NULL,
  athlete_name TEXT,
  key_ending TEXT NOT NULL,
  since TEXT,
  every_minutes INTEGER NOT NULL,
  -- day of the newest run seen
  cursor TEXT,
  state TEXT NOT NULL,
  message TEXT,
  last_run_at INTEGER,
  last_receipt_id TEXT,
  strava_only INTEGER NOT NULL
) STRICT;
