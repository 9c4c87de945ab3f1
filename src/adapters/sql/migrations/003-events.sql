-- What integrators hear of: one row for each thing that happened to a user, written in its transaction.

-- The last `seq` of an app and mode. Whoever writes an event holds this row until the commit, so `seq` follows the order of
-- commits: who has seen n never finds a smaller new one.
CREATE TABLE outbox_heads (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode)
);

-- `sealed`: type, time and data, bound to app, mode and row, so that nobody can plant or change an event. The rows of a user
-- go when the user is erased; `user_id` is null in the one that tells of the erasure. `revokes_until`: it revokes tokens that
-- are valid no longer than this.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  seq BIGINT NOT NULL,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  user_id TEXT,
  revokes_until BIGINT,
  sealed BYTEA NOT NULL,
  UNIQUE (app_id, mode, seq)
);
CREATE INDEX outbox_by_user ON outbox (user_id);
CREATE INDEX outbox_revocations ON outbox (app_id, mode, seq) WHERE revokes_until IS NOT NULL;
