-- A matcher knows a template by the sequence at which it was stored, and a user by that of the first template of the
-- enrolment. Removals of before name templates by id, which says nothing to a matcher any more: they count as forgotten.
UPDATE galleries SET pruned_to = sequence;
DROP TABLE removed_templates;
CREATE TABLE removed_templates (
  app_id TEXT NOT NULL,
  mode TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  template_sequence BIGINT NOT NULL,
  removed_at BIGINT NOT NULL,
  PRIMARY KEY (app_id, mode, sequence)
);
CREATE INDEX removed_templates_by_time ON removed_templates (removed_at);

-- The first template of a user's enrolment is found in the index alone.
DROP INDEX templates_by_user;
CREATE INDEX templates_by_user ON templates (user_id, origin, sequence);
