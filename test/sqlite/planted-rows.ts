/**
 * Attacks on a database by somebody who can write it and has no master secret, as a table: what is done to a row, what is
 * asked then, what the store answers, and which check of `doctor` finds it (none: the row is believed, or it is not there).
 */
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { FIRST, SECOND } from '../contract/fixtures.ts';

/** The team of an app whose row is not believed. */
const NOBODY = 'team_zzzzzzzzzzzzzzzzzzzzzzzz';
/** `put TABLE`: the state of a row from before. `copy TABLE WHERE: CHANGE`: one like it. Everything else is SQL. */
export const ATTACKS = `
operators | planted | copy operators id = 'opr_ada': id = 'opr_eve', email = 'eve@x', email_key = 'eve@x' | standing opr_eve | disabled | operators
operators | planted | UPDATE operators SET is_admin = 1 WHERE id = 'opr_vic' | standing opr_vic | disabled | operators
operators | planted | UPDATE operators SET email = 'eve@mail.example' WHERE id = 'opr_ada' | standing opr_ada | disabled | operators
operators | planted | UPDATE operators SET disabled_at = NULL WHERE id = 'opr_off' | standing opr_off | disabled | operators
operators | planted | UPDATE operators SET mac = NULL WHERE id = 'opr_ada' | standing opr_ada | disabled | operators
operators | moved | UPDATE operators SET is_admin = 1, mac = (SELECT mac FROM operators WHERE id = 'opr_ada') WHERE id = 'opr_vic' | standing opr_vic | disabled | operators
operators | replayed | put operators | standing opr_vic | admin | none
operators | removed | DELETE FROM operators WHERE id = 'opr_ada' | standing opr_ada | null | none
members | planted | copy members operator_id = 'opr_ada': operator_id = 'opr_vic', team_id = '${FIRST_TEAM}' | role opr_vic | Other: viewer | operators
members | planted | UPDATE members SET role = 'owner' WHERE operator_id = 'opr_vic' | role opr_vic |  | operators
members | moved | UPDATE members SET team_id = '${FIRST_TEAM}' | role opr_ada |  | operators
members | replayed | put members | role opr_vic | Other: owner | none
members | removed | DELETE FROM members | role opr_vic |  | none
passkeys | planted | copy passkeys id = 'psk_ada': id = 'psk_x', credential_id = 'credential of eve' | owner eve | null | operators
passkeys | planted | UPDATE passkeys SET public_key = x'00' WHERE id = 'psk_ada' | owner psk_ada | null | operators
passkeys | moved | UPDATE passkeys SET operator_id = 'opr_ada' WHERE id = 'psk_vic' | owner psk_vic | null | operators
passkeys | replayed | put passkeys | owner psk_gone | opr_ada | none
passkeys | removed | DELETE FROM passkeys | owner psk_ada | null | none
recovery_codes | planted | INSERT INTO recovery_codes VALUES ('plain', 'opr_ada', 1) | code opr_ada plain | false | none
recovery_codes | moved | UPDATE recovery_codes SET operator_id = 'opr_ada' | code opr_ada good | false | none
recovery_codes | replayed | put recovery_codes | code opr_vic used | true | none
recovery_codes | removed | DELETE FROM recovery_codes | code opr_vic good | false | none
operator_sessions | planted | copy operator_sessions id = 'ses_ada': id = 'ses_x', hash = 'cookie of x', secret_hash = 'secret of x' | session x | null | operators
operator_sessions | planted | UPDATE operator_sessions SET stepped_up_at = stepped_up_at + 1 WHERE id = 'ses_vic' | session vic | null | operators
operator_sessions | moved | UPDATE operator_sessions SET operator_id = 'opr_ada' WHERE id = 'ses_vic' | session vic | null | operators
operator_sessions | replayed | put operator_sessions | session gone | opr_ada | none
operator_sessions | removed | DELETE FROM operator_sessions | session vic | null | none
operator_links | planted | put operator_links; UPDATE operator_links SET hash = 'plain' | link plain | gone | operators
operator_links | moved | put operator_links; UPDATE operator_links SET operator_id = 'opr_vic' | link used | gone | operators
operator_links | replayed | put operator_links | link used | ok | none
operator_links | removed | DELETE FROM operator_links | link used | gone | none
ceremonies | planted | UPDATE ceremonies SET challenge = 'chosen' | unused b | false | operators
ceremonies | moved | UPDATE ceremonies SET operator_id = 'opr_ada' | unused b | false | operators
ceremonies | replayed | put ceremonies | unused b | false | none
ceremonies | removed | DELETE FROM ceremonies | unused b | true | none
teams | planted | INSERT INTO teams VALUES ('team_x', 'X', 1) | role opr_vic | Other: viewer | none
teams | replayed | UPDATE teams SET name = 'Old' | role opr_vic | Old: viewer | none
teams | removed | DELETE FROM teams | role opr_vic |  | none
apps | planted | UPDATE apps SET first_party = 1 | firstParty app | true | none
apps | moved | UPDATE apps SET team_id = '${FIRST_TEAM}' | team app | ${NOBODY} | operators
apps | replayed | put apps | team app | ${FIRST_TEAM} | none
apps | removed | DELETE FROM apps | team app | null | none
api_keys | planted | copy api_keys id = 'key_first': id = 'key_x', hash = 'hash of key_x' | appOf key_x | null | sealed
api_keys | moved | UPDATE api_keys SET app_id = '${FIRST}' | appOf key_other | null | sealed
api_keys | replayed | put api_keys | appOf key_gone | ${FIRST} | none
api_keys | removed | DELETE FROM api_keys | appOf key_first | null | none
users | planted | UPDATE users SET sealed = x'03' | name usr_one | null | sealed
users | moved | UPDATE users SET app_id = '${FIRST}', id = 'usr_x' WHERE id = 'usr_two' | name usr_x | null | sealed
users | removed | DELETE FROM users | name usr_one | null | none
templates | planted | UPDATE templates SET sealed = x'03' | unreadable gallery | 2 | sealed
templates | moved | UPDATE templates SET app_id = '${FIRST}', sequence = sequence + 9 WHERE app_id = '${SECOND}'; UPDATE galleries SET sequence = 20 | unreadable gallery | 2 | sealed
templates | removed | DELETE FROM templates | readable gallery | 0 | none
galleries | removed | DELETE FROM galleries | name usr_one | One | none
consents | planted | UPDATE consents SET sealed = x'03' | name usr_one | One | sealed
auth_events | moved | UPDATE auth_events SET id = 'evt_x' WHERE id = (SELECT MIN(id) FROM auth_events) | name usr_one | One | sealed
signing_keys | planted | INSERT INTO signing_keys VALUES ('x', x'03', 1, 1, NULL) | kids all | one | sealed
signing_keys | removed | DELETE FROM signing_keys | kids all |  | none
data_keys | planted | UPDATE data_keys SET wrapped = zeroblob(61) WHERE owner = '${FIRST}' | name usr_one | null | sealed
revoked_tokens | removed | DELETE FROM revoked_tokens | revocable jti | true | none
outbox | planted | UPDATE outbox SET type = 'user.deleted' WHERE user_id = 'usr_one' AND seq = 1 | told live 1 | 2 user.signed_out of usr_one | sealed
outbox | planted | UPDATE outbox SET at = at + 1 WHERE user_id = 'usr_one' | told live 9 |  | sealed
outbox | planted | UPDATE outbox SET sealed = x'' | told live 9 |  | sealed
outbox | planted | copy outbox seq = 1 AND user_id = 'usr_one': id = 'evt_x', seq = 3; UPDATE outbox_heads SET seq = 3 | told live 9 | 1 user.enrolled of usr_one,2 user.signed_out of usr_one | sealed
outbox | moved | UPDATE outbox SET app_id = '${FIRST}', seq = 3 WHERE user_id = 'usr_two'; UPDATE outbox_heads SET seq = 3 | told live 9 | 1 user.enrolled of usr_one,2 user.signed_out of usr_one | sealed
outbox | moved | UPDATE outbox SET seq = 99 WHERE user_id = 'usr_one' AND seq = 1 | told live 9 | 2 user.signed_out of usr_one | none
outbox | moved | UPDATE outbox SET seq = 0 WHERE user_id = 'usr_one' AND seq = 2 | told live 9 | 1 user.enrolled of usr_one | none
outbox | planted | UPDATE outbox SET revokes_until = NULL | revocations live |  | sealed
outbox | planted | UPDATE outbox SET user_id = NULL | told live 9 |  | sealed
outbox | removed | DELETE FROM outbox | revocations live |  | none
outbox_heads | planted | UPDATE outbox_heads SET seq = 1 | told live 9 | 1 user.enrolled of usr_one | none
outbox_heads | removed | DELETE FROM outbox_heads | told live 9 |  | none
data_keys | planted | UPDATE data_keys SET wrapped = zeroblob(61) WHERE owner = '${FIRST}' | told live 9 |  | sealed
windows | planted | INSERT INTO windows VALUES ('w', '', 9, 9999999999999) | counted w | 9 | none
usage | removed | DELETE FROM usage | auths app | 0 | none
webhooks | planted | UPDATE webhooks SET sealed = x'03' | webhook wh_one | null | sealed
webhooks | moved | copy webhooks id = 'wh_one': id = 'wh_x' | webhook wh_x | null | sealed
webhooks | replayed | put webhooks | webhook wh_one | https://marker-of-wh-one.example/hook | none
audit_log | planted | UPDATE audit_log SET actor = 'Eve' WHERE seq = 2 | auditFault log | 2 | audit
audit_log | removed | DELETE FROM audit_log WHERE seq = 2 | auditFault log | 2 | audit
audit_anchor | moved | UPDATE audit_anchor SET seq = 2, hash = 'x' | auditFault log | 3 | audit
meta | removed | DELETE FROM meta WHERE name = 'audit_head' | auditFault log | LAST | audit
`;
