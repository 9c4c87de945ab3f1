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
