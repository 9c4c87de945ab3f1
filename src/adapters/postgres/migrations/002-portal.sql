-- Rows of the audit log are only added at the end, and only removed from the beginning, once the anchor has moved past them.

CREATE FUNCTION audit_log_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.seq <> 1 + COALESCE((SELECT MAX(seq) FROM audit_log), (SELECT seq FROM audit_anchor)) THEN
    RAISE EXCEPTION 'the audit log only grows at its end';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION audit_log_keeps_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.seq > (SELECT seq FROM audit_anchor) THEN
    RAISE EXCEPTION 'the audit log cannot be shortened';
  END IF;
  RETURN OLD;
END $$;
CREATE FUNCTION audit_anchor_only_advances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."only" <> 1 OR NEW.seq < OLD.seq THEN
    RAISE EXCEPTION 'the anchor of the audit log only advances';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

CREATE TRIGGER audit_log_only_grows BEFORE INSERT ON audit_log
  FOR EACH ROW EXECUTE FUNCTION audit_log_only_grows();
CREATE TRIGGER audit_log_keeps_rows BEFORE DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION audit_log_keeps_rows();
CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses('the audit log cannot be changed');
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses('the audit log cannot be shortened');
CREATE TRIGGER audit_anchor_only_advances BEFORE UPDATE ON audit_anchor
  FOR EACH ROW EXECUTE FUNCTION audit_anchor_only_advances();
CREATE TRIGGER audit_anchor_is_one BEFORE INSERT ON audit_anchor
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses('the audit log has its anchor already');
CREATE TRIGGER audit_anchor_stays BEFORE DELETE ON audit_anchor
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses('the anchor of the audit log stays');
CREATE TRIGGER audit_anchor_is_not_emptied BEFORE TRUNCATE ON audit_anchor
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses('the anchor of the audit log stays');
