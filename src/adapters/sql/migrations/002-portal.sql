-- The portal: its operators, their teams, and what they did. Nothing of it is in an exported app. Rows that give rights
-- there carry a keyed hash of what they say, `mac` (../keys/guarded.ts): one without it is not believed.

-- Owns apps. The first team owns the apps that commands create.
CREATE TABLE teams (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
INSERT INTO teams (id, name, created_at) VALUES ('team_000000000000000000000000', 'Operators', 0);

-- `email_key` is the address in lower case, for finding it. `invited_by` is who made the link that created the operator:
-- an operator's id, or `command line`.
CREATE TABLE operators (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  is_admin INTEGER NOT NULL,
  language TEXT,
  theme TEXT,
  created_at BIGINT NOT NULL,
  disabled_at BIGINT,
  invited_by TEXT,
  email_changed_at BIGINT,
  mac TEXT
);

CREATE TABLE members (
  team_id TEXT NOT NULL REFERENCES teams (id),
  operator_id TEXT NOT NULL REFERENCES operators (id),
  role TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  mac TEXT,
  PRIMARY KEY (team_id, operator_id)
);
CREATE INDEX members_by_operator ON members (operator_id);

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key BYTEA NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  mac TEXT
);
CREATE INDEX passkeys_by_operator ON passkeys (operator_id);

-- A used code is a deleted row.
CREATE TABLE recovery_codes (
  hash TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  created_at BIGINT NOT NULL
);
CREATE INDEX recovery_codes_by_operator ON recovery_codes (operator_id);

-- Challenges of passkeys. A used one is a deleted row. `browser` is the hash of a cookie.
CREATE TABLE ceremonies (
  browser TEXT PRIMARY KEY,
  challenge TEXT NOT NULL,
  purpose TEXT NOT NULL,
  operator_id TEXT,
  expires_at BIGINT NOT NULL,
  mac TEXT
);
CREATE INDEX ceremonies_by_end ON ceremonies (expires_at);

-- `hash` is that of the cookie, `secret_hash` that of the header. Only both together are a session.
CREATE TABLE operator_sessions (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  means TEXT NOT NULL,
  began_at BIGINT NOT NULL,
  stepped_up_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  mac TEXT
);
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, began_at);
CREATE INDEX operator_sessions_by_end ON operator_sessions (ends_at);

-- One-time links. With `operator_id` it signs that operator in; with `team_id` it is an invitation; otherwise it creates
-- an operator. A used, withdrawn or ended link is a deleted row.
CREATE TABLE operator_links (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  email TEXT,
  operator_id TEXT REFERENCES operators (id),
  team_id TEXT REFERENCES teams (id),
  role TEXT,
  makes_admin INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  mac TEXT
);
CREATE INDEX operator_links_by_end ON operator_links (expires_at);

-- What operators, commands and jobs did. `hash` is a keyed hash of the row and of the hash before it, so that a changed,
-- missing or added row shows. `count`: how many equal entries it stands for. `audit_anchor` is the last row that was
-- removed for its age.
CREATE TABLE audit_log (
  seq BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  actor_id TEXT,
  action TEXT NOT NULL,
  target TEXT,
  team_id TEXT,
  app_id TEXT,
  ip TEXT,
  session TEXT,
  outcome TEXT NOT NULL,
  hash TEXT NOT NULL,
  count BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX audit_log_by_team ON audit_log (team_id, seq);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id, seq);
CREATE INDEX audit_log_by_time ON audit_log (at);
CREATE TABLE audit_anchor (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL
);
INSERT INTO audit_anchor (only, seq, hash) VALUES (1, 0, '');

-- Rows are only added at the end, and only removed from the beginning, once the anchor has moved past them.
CREATE TRIGGER audit_log_only_grows BEFORE INSERT ON audit_log
WHEN NEW.seq <> 1 + COALESCE((SELECT MAX(seq) FROM audit_log), (SELECT seq FROM audit_anchor))
BEGIN SELECT RAISE(ABORT, 'the audit log only grows at its end'); END;
CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END;
CREATE TRIGGER audit_log_keeps_rows BEFORE DELETE ON audit_log
WHEN OLD.seq > (SELECT seq FROM audit_anchor)
BEGIN SELECT RAISE(ABORT, 'the audit log cannot be shortened'); END;
CREATE TRIGGER audit_anchor_only_advances BEFORE UPDATE ON audit_anchor
WHEN NEW.only <> 1 OR NEW.seq < OLD.seq
BEGIN SELECT RAISE(ABORT, 'the anchor of the audit log only advances'); END;
-- REPLACE fires no DELETE trigger.
CREATE TRIGGER audit_anchor_is_one BEFORE INSERT ON audit_anchor
BEGIN SELECT RAISE(ABORT, 'the audit log has its anchor already'); END;
CREATE TRIGGER audit_anchor_stays BEFORE DELETE ON audit_anchor
BEGIN SELECT RAISE(ABORT, 'the anchor of the audit log stays'); END;
