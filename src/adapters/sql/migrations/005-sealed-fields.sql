-- Personal fields of a row are sealed together, with the key of its app. The program fills these columns from the clear
-- ones, before the next migration drops those (../clear-fields.ts).

-- Address and name.
ALTER TABLE users ADD COLUMN sealed BYTEA NOT NULL DEFAULT '';

-- Client address and user agent.
ALTER TABLE consents ADD COLUMN sealed BYTEA NOT NULL DEFAULT '';

-- Client address, user agent and liveness. Null: the event never had them, or they were erased.
ALTER TABLE auth_events ADD COLUMN sealed BYTEA;

-- The new address of a change.
ALTER TABLE email_codes ADD COLUMN sealed BYTEA;
