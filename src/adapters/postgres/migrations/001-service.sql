-- No log for what may be forgotten, and no disk to wait for.
ALTER TABLE minute_windows SET UNLOGGED;
-- Each node reads the erasures that it has not seen yet, whatever the clock of the node says that made them.
ALTER TABLE erasures ADD COLUMN seen_at BIGINT NOT NULL
  DEFAULT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT);
CREATE INDEX erasures_by_seen_at ON erasures (seen_at);
-- The settings that all nodes need alike, as JSON by name.
ALTER TABLE nodes ADD COLUMN settings TEXT;
