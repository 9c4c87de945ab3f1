-- Ids of templates that are gone are kept for a while only. A matcher that is further behind than what was forgotten begins
-- anew with the gallery: `pruned_to` is the sequence up to which removals are not known any more.
ALTER TABLE removed_templates ADD COLUMN removed_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX removed_templates_by_time ON removed_templates (removed_at);
ALTER TABLE galleries ADD COLUMN pruned_to BIGINT NOT NULL DEFAULT 0;
