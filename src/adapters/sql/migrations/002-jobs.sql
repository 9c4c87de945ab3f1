-- When each scheduled job last ended, so that a start knows what was missed; and a way to find users by age.

CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  last_run BIGINT NOT NULL
);

CREATE INDEX users_by_mode_and_age ON users (mode, created_at);
