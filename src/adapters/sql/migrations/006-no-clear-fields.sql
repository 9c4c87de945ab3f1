ALTER TABLE users DROP COLUMN email;
ALTER TABLE users DROP COLUMN name;
ALTER TABLE consents DROP COLUMN ip;
ALTER TABLE consents DROP COLUMN user_agent;
ALTER TABLE auth_events DROP COLUMN ip;
ALTER TABLE auth_events DROP COLUMN user_agent;
ALTER TABLE auth_events DROP COLUMN liveness;
ALTER TABLE email_codes DROP COLUMN new_email;
