-- Which users and apps were erased, as keyed hashes of their ids: written with the erasure itself, so that the journal
-- beside the database can be completed whatever happens in between, and that a backup brings its own.

CREATE TABLE erasures (
  hash TEXT PRIMARY KEY,
  erased_at BIGINT NOT NULL,
  journaled INTEGER NOT NULL
);
CREATE INDEX erasures_pending ON erasures (erased_at) WHERE journaled = 0;
