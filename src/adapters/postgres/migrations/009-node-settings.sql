-- The settings that all nodes need alike, as JSON by name. Null: a node of the version before.
ALTER TABLE nodes ADD COLUMN settings TEXT;
