-- API keys may expire, and have the UTC day of their last use.
ALTER TABLE api_key ADD COLUMN expires_at INTEGER;
ALTER TABLE api_key ADD COLUMN last_used_day INTEGER;

-- The token of the calendar feed, as a hash.
ALTER TABLE user ADD COLUMN calendar_hash TEXT;
ALTER TABLE user ADD COLUMN calendar_made_at INTEGER;
