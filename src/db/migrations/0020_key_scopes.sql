-- What a key may do: full, read or upload; keys of before may do everything.
ALTER TABLE api_key ADD COLUMN scope TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('full', 'read', 'upload'));
-- When a file last arrived by a key, or by the share sheet of a phone, and why it was refused; null: it was not.
ALTER TABLE api_key ADD COLUMN last_upload_at INTEGER;
ALTER TABLE api_key ADD COLUMN last_upload_error TEXT;
ALTER TABLE user ADD COLUMN last_share_at INTEGER;
ALTER TABLE user ADD COLUMN last_share_error TEXT;
