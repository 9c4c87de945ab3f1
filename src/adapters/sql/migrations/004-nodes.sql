-- What several writers need: rows that exist, so that they can be locked.

-- The galleries of an app are created with it.
INSERT INTO galleries (app_id, mode, sequence)
SELECT id, 'live', 0 FROM apps WHERE id NOT IN (SELECT app_id FROM galleries WHERE mode = 'live');
INSERT INTO galleries (app_id, mode, sequence)
SELECT id, 'test', 0 FROM apps WHERE id NOT IN (SELECT app_id FROM galleries WHERE mode = 'test');

-- One row to lock for what belongs to no app, and one for operators. `version` is raised by every change of what nodes
-- remember.
INSERT INTO meta (name, value) VALUES ('lock_service', '');
INSERT INTO meta (name, value) VALUES ('lock_operators', '');
INSERT INTO meta (name, value) VALUES ('version', '0');

-- Work that one node does at a time. Its holder renews a lease; from `until` on anybody may take it.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  until BIGINT NOT NULL
);

-- Counters over windows of a minute. Keys are keyed hashes. A restart of the database may forget them.
CREATE TABLE minute_windows (
  key TEXT PRIMARY KEY,
  count BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
);
CREATE INDEX minute_windows_by_end ON minute_windows (ends_at);
