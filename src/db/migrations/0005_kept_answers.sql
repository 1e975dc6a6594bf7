-- Answers to requests with an Idempotency-Key, for a day.
CREATE TABLE kept_answer (
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  call TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  location TEXT,
  receipt_id TEXT,
  answer TEXT,
  PRIMARY KEY (caller, key)
) STRICT;
