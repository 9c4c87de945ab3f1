-- How many equal entries a row of the audit log stands for. Its hash covers a count above 1; rows from before have 1.
ALTER TABLE audit_log ADD COLUMN count BIGINT NOT NULL DEFAULT 1;
