-- API keys are found by a keyed hash, and `mac` binds each to its app, type and mode: whoever can write a copy of the
-- database cannot plant a key of his own, nor move one to another app. Rows from before get both when the database is opened.
ALTER TABLE api_keys ADD COLUMN mac TEXT NOT NULL DEFAULT '';

-- The public half of a signing key is taken from the sealed private one, which nobody can plant.
ALTER TABLE signing_keys DROP COLUMN public_jwk;
