-- Keys that seal and hash, each wrapped under the master secret: `hash`, `signing-keys`, and one owner for each app. The
-- newest version of an owner seals; older ones only open, until nothing is sealed with them any more. The generation
-- tells under which master secret, counted from 1, a key was made. The id stands in what the key has sealed.

CREATE TABLE data_keys (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  version INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  wrapped BYTEA NOT NULL,
  UNIQUE (owner, version)
);

-- 1 while an app comes from another deployment: nobody sees it before it is whole.
ALTER TABLE apps ADD COLUMN importing INTEGER NOT NULL DEFAULT 0;
