-- Rows that give rights in the portal carry a keyed hash of what they say (../keys/guarded.ts). The program gives one to
-- the rows that are there now, once; a row without it is not believed.
ALTER TABLE operators ADD COLUMN mac TEXT;
ALTER TABLE members ADD COLUMN mac TEXT;
ALTER TABLE passkeys ADD COLUMN mac TEXT;
ALTER TABLE ceremonies ADD COLUMN mac TEXT;
ALTER TABLE operator_sessions ADD COLUMN mac TEXT;
ALTER TABLE operator_links ADD COLUMN mac TEXT;
ALTER TABLE apps ADD COLUMN mac TEXT;

-- Who made the link that created the operator: an operator's id, or `command line`; null: from before.
ALTER TABLE operators ADD COLUMN invited_by TEXT;
ALTER TABLE operators ADD COLUMN email_changed_at BIGINT;
