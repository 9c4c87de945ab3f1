-- Numbers for charts, counted beside the events, and an index for the newest events of an app.

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
INSERT INTO event_days (app_id, mode, day, type, count)
SELECT app_id, mode, (at / 86400000) * 86400000, type, COUNT(*) FROM auth_events GROUP BY 1, 2, 3, 4;

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

CREATE INDEX auth_events_by_gallery ON auth_events (app_id, mode, type, at, id);
