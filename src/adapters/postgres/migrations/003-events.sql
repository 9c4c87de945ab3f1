-- While an upgrade rolls, nodes of the version before erase users too, and know of no events.

CREATE FUNCTION outbox_forgets_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE user_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER outbox_forgets_user AFTER DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION outbox_forgets_user();
