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
