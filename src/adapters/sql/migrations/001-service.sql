-- The schema of the service, one text for SQLite and PostgreSQL: times are milliseconds since the epoch (BIGINT), flags are 0 or 1,
-- sealed bytes are BYTEA (SQLite stores any type in any column). Every comment takes a line of its own.

-- The deployment

-- Check value and generation of the master secret, and what an interrupted command still owes. One row to lock for what
-- belongs to no app, and one for operators. `version` is raised by every change of what nodes remember.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
INSERT INTO meta (name, value) VALUES ('lock_service', '');
INSERT INTO meta (name, value) VALUES ('lock_operators', '');
INSERT INTO meta (name, value) VALUES ('version', '0');

-- When each scheduled job last ended, so that a start knows what was missed.
CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  last_run BIGINT NOT NULL
);

-- Keys that seal and hash, each wrapped under the master secret. Owners are `hash`, `signing-keys` and each app. An
-- owner's newest version seals; older ones only open, until nothing is sealed with them any more. The generation says
-- under which master secret, counted from 1, a key was made. A sealed value starts with the id of its key.
CREATE TABLE data_keys (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  version INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  wrapped BYTEA NOT NULL,
  UNIQUE (owner, version)
);

-- The public half of a signing key is derived from the sealed private one, which nobody can plant.
CREATE TABLE signing_keys (
  kid TEXT PRIMARY KEY,
  sealed BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  signs_at BIGINT NOT NULL,
  leaves_at BIGINT
);

-- Keyed hashes of the ids of erased users and apps. Written in the transaction of the erasure, so that the journal beside
-- the database can be completed after a crash, and so that a backup brings its own.
CREATE TABLE erasures (
  hash TEXT PRIMARY KEY,
  erased_at BIGINT NOT NULL,
  journaled INTEGER NOT NULL
);
CREATE INDEX erasures_pending ON erasures (erased_at) WHERE journaled = 0;

-- Work that one node does at a time. Its holder renews a lease; from `until` on anybody may take it.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  until BIGINT NOT NULL
);

-- Nodes on one database. Operators see them, and a few commands are refused while one is there. Times are those of the
-- database. `lag` is how long ago the node had taken over what others did, when it was last seen; null: not yet.
-- `clock_offset` is by how much its clock was ahead. Both are milliseconds.
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  lag BIGINT,
  clock_offset BIGINT NOT NULL
);

-- Apps

-- `importing` is 1 until an import is complete: nobody sees the app before.
CREATE TABLE apps (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  allowed_origins TEXT NOT NULL,
  first_party INTEGER NOT NULL,
  plan TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  importing INTEGER NOT NULL DEFAULT 0,
  team_id TEXT NOT NULL DEFAULT 'team_000000000000000000000000',
  mac TEXT
);
CREATE INDEX apps_by_team ON apps (team_id);

-- `hash` is keyed, and `mac` binds the row to its app, type and mode: whoever can write a copy of the database can
-- neither plant a key nor move one to another app. `made_by` is an operator's id, or `command line`. A key is refused
-- from `ends_at` on.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps (id),
  type TEXT NOT NULL,
  mode TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  mac TEXT NOT NULL,
  last4 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  label TEXT,
  made_by TEXT,
  last_used_at BIGINT,
  ends_at BIGINT
);
CREATE INDEX api_keys_by_app ON api_keys (app_id);

-- One row per app and mode, created with the app. `sequence` is that of the last change of its templates. `encoder` is
-- null until an enrolment or an operator names one. Removals up to `pruned_to` are no longer known: a matcher further
-- behind loads the gallery anew.
CREATE TABLE galleries (
  app_id TEXT NOT NULL REFERENCES apps (id),
  mode TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  encoder TEXT,
  pruned_to BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (app_id, mode)
);

-- Users. Their personal fields, and those of a row that belongs to one, are sealed together with the key of the app.

-- `sealed`: address and name. Addresses are found by a keyed hash of their lower-cased form: pages of an index may keep
-- copies of what they held.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps (id),
  mode TEXT NOT NULL,
  email_hash TEXT NOT NULL,
  sealed BYTEA NOT NULL,
  email_verified INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  last_sign_in_at BIGINT,
  UNIQUE (app_id, mode, email_hash)
);
CREATE INDEX users_by_age ON users (app_id, mode, created_at, id);
CREATE INDEX users_by_mode_and_age ON users (mode, created_at);

-- `sealed`: client address and user agent.
CREATE TABLE consents (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  policy_version TEXT NOT NULL,
  accepted_at BIGINT NOT NULL,
  sealed BYTEA NOT NULL
);

-- `sequence` is the gallery's at the moment of storing. It orders templates, names them to the matcher, and shows a
-- matcher what it lacks. The index alone answers which template was the first of an enrolment.
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
CREATE INDEX templates_by_user ON templates (user_id, origin, sequence);

-- Removed templates, for matchers that still hold them; pruned after a while.
CREATE TABLE removed_templates (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  template_sequence BIGINT NOT NULL,
  removed_at BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode, sequence)
);
CREATE INDEX removed_templates_by_time ON removed_templates (removed_at);

-- Signing in

-- A used challenge is a deleted one, so the table stays small and needs no index by time.
CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- Emailed codes as keyed hashes, at most one of a kind per user. A used, dead or retired code is a deleted row.
-- `sealed`: the new address of a change.
CREATE TABLE email_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  expires_at BIGINT NOT NULL,
  sealed BYTEA,
  new_lockout_key TEXT,
  PRIMARY KEY (user_id, kind)
);
CREATE INDEX email_codes_by_id ON email_codes (id);
CREATE INDEX email_codes_by_app ON email_codes (app_id);
CREATE INDEX email_codes_by_end ON email_codes (expires_at);

CREATE TABLE revoked_tokens (
  jti TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_by_end ON revoked_tokens (expires_at);

-- Networks from which users have signed in, as keyed hashes of user and network. At most 5 a user.
CREATE TABLE known_networks (
  user_id TEXT NOT NULL,
  network TEXT NOT NULL,
  app_id TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, network)
);
CREATE INDEX known_networks_by_end ON known_networks (ends_at);

-- Pairs of users whom a face could not tell apart, and how often. Few for each gallery.
CREATE TABLE look_alikes (
  younger_id TEXT NOT NULL,
  older_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  count BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (younger_id, older_id)
);
CREATE INDEX look_alikes_by_gallery ON look_alikes (app_id, mode, last_at);
CREATE INDEX look_alikes_by_older ON look_alikes (older_id);

-- Counting. Events and usage have no foreign key: they outlive users and apps.

-- Counters over fixed windows. Personal parts of the key are keyed hashes.
CREATE TABLE windows (
  key TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  count BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
);
CREATE INDEX windows_by_app ON windows (app_id);
CREATE INDEX windows_by_end ON windows (ends_at);

-- Counters over windows of a minute. Keys are keyed hashes. A restart of the database may forget them.
CREATE TABLE minute_windows (
  key TEXT PRIMARY KEY,
  count BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
);
CREATE INDEX minute_windows_by_end ON minute_windows (ends_at);

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

-- `sealed`: client address, user agent and liveness; null: the event never had them, or they were erased.
CREATE TABLE auth_events (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  user_id TEXT,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  sealed BYTEA
);
CREATE INDEX auth_events_by_user ON auth_events (user_id);
CREATE INDEX auth_events_by_time ON auth_events (at);
CREATE INDEX auth_events_by_gallery ON auth_events (app_id, mode, type, at, id);

-- Numbers for charts, counted beside the events.
-- `day` is the first moment of the day, UTC.
CREATE TABLE event_days (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  day BIGINT NOT NULL,
  type TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode, day, type)
);
CREATE INDEX event_days_by_day ON event_days (day);

-- How many matches had their nearest face in which range of distances. `bin` counts ranges of 0.02 from 0. No row of a
-- single sign-in has its distance: that would help to rebuild a template.
CREATE TABLE distance_days (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  day BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  bin INTEGER NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode, day, outcome, bin)
);
CREATE INDEX distance_days_by_day ON distance_days (day);
