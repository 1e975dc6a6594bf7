-- Files that were only seen have no hash yet, and a hundred thousand new ones need no entries.
DROP INDEX watch_file_sha256;
CREATE INDEX watch_file_sha256 ON watch_file (sha256) WHERE sha256 IS NOT NULL;
