-- Codes sent by email, as keyed hashes: at most one of a kind per user. A used, dead or retired code is a deleted row.

CREATE TABLE email_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  expires_at BIGINT NOT NULL,
  new_email TEXT,
  new_lockout_key TEXT,
  PRIMARY KEY (user_id, kind)
);
CREATE INDEX email_codes_by_id ON email_codes (id);
CREATE INDEX email_codes_by_app ON email_codes (app_id);
CREATE INDEX email_codes_by_end ON email_codes (expires_at);
