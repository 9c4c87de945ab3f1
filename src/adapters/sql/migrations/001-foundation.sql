-- Apps, keys, users, templates and what a sign-in leaves behind. One text for SQLite and PostgreSQL: times are
-- milliseconds since the epoch (BIGINT), flags are 0 or 1, sealed bytes are BYTEA (SQLite stores any type in any
-- column). Events and usage have no foreign key: they outlive users and apps.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE apps (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  allowed_origins TEXT NOT NULL,
  first_party INTEGER NOT NULL,
  plan TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps (id),
  type TEXT NOT NULL,
  mode TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  last4 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE INDEX api_keys_by_app ON api_keys (app_id);

-- One row per app and mode: the sequence of the last change of its templates.
CREATE TABLE galleries (
  app_id TEXT NOT NULL REFERENCES apps (id),
  mode TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode)
);

-- Addresses are found by a keyed hash of their lower-cased form: pages of an index may keep copies of what they held.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps (id),
  mode TEXT NOT NULL,
  email TEXT NOT NULL,
  email_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  email_verified INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  last_sign_in_at BIGINT,
  UNIQUE (app_id, mode, email_hash)
);
CREATE INDEX users_by_age ON users (app_id, mode, created_at, id);

-- The sequence is the gallery's at the moment of storing: it orders templates, and tells a matcher what it lacks.
CREATE TABLE templates (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  sequence BIGINT NOT NULL,
  origin TEXT NOT NULL,
  sealed BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (app_id, mode, sequence)
);
CREATE INDEX templates_by_user ON templates (user_id);

-- Ids of templates that are gone, for matchers that still hold them.
CREATE TABLE removed_templates (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  template_id TEXT NOT NULL,
  PRIMARY KEY (app_id, mode, sequence)
);

CREATE TABLE consents (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  policy_version TEXT NOT NULL,
  accepted_at BIGINT NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL
);

-- A used challenge is a deleted one, so the table stays small and needs no index by time.
CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE TABLE usage (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  month TEXT NOT NULL,
  auths BIGINT NOT NULL,
  enrolls BIGINT NOT NULL,
  matches_ok BIGINT NOT NULL,
  matches_failed BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode, month)
);

CREATE TABLE auth_events (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  user_id TEXT,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  ip TEXT,
  user_agent TEXT,
  liveness TEXT
);
CREATE INDEX auth_events_by_user ON auth_events (user_id);
CREATE INDEX auth_events_by_time ON auth_events (at);

-- Counters over fixed windows. Personal parts of the key are keyed hashes.
CREATE TABLE windows (
  key TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  count BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
);
CREATE INDEX windows_by_app ON windows (app_id);
CREATE INDEX windows_by_end ON windows (ends_at);

CREATE TABLE signing_keys (
  kid TEXT PRIMARY KEY,
  public_jwk TEXT NOT NULL,
  sealed BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  signs_at BIGINT NOT NULL,
  leaves_at BIGINT
);

CREATE TABLE revoked_tokens (
  jti TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_by_end ON revoked_tokens (expires_at);
