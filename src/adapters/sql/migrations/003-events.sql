-- What integrators hear of: one row for each thing that happened to a user, written in its transaction.

-- The last `seq` of an app and mode. Whoever writes an event holds this row until the commit, so `seq` follows the order of
-- commits: who has seen n never finds a smaller new one.
CREATE TABLE outbox_heads (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode)
);

-- `sealed`: the data, bound to app, mode and all that is beside it but `seq`, so that nobody can plant or change an event. The rows of a user
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

-- Whom an app's server lets know. `sealed`: address, types, description and secrets, bound to app, mode and webhook, so that
-- nobody can plant one or lead it elsewhere. `revision` changes with each of them. First attempts were made up to `sent_to`;
-- what was not sent when the webhook was disabled, from `drop_from` on, is still to be noted in the deliveries.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  disabled_at BIGINT,
  disabled_reason TEXT,
  failing_since BIGINT,
  sent_to BIGINT NOT NULL,
  drop_from BIGINT,
  revision INTEGER NOT NULL,
  sealed BYTEA NOT NULL
);
CREATE INDEX webhooks_by_app ON webhooks (app_id, mode, id);

-- Events that are sent again, after `attempt` attempts.
CREATE TABLE webhook_waiting (
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  PRIMARY KEY (webhook_id, event_id)
);
CREATE INDEX webhook_waiting_due ON webhook_waiting (webhook_id, due_at, event_id);

-- What came of each attempt. `id` begins with the time.
CREATE TABLE webhook_deliveries (
  webhook_id TEXT NOT NULL,
  id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at BIGINT NOT NULL,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  next_at BIGINT,
  PRIMARY KEY (webhook_id, id)
);
