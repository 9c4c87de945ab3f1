/** How operators, sessions and passkeys are answered. */

import type { MadeLink } from '../../domain/operators/links.ts';
import { purposeOf } from '../../domain/operators/links.ts';
import type { Begun } from '../../domain/operators/sessions.ts';
import { endOf } from '../../domain/operators/sessions.ts';
import type {
  LinkRecord,
  MemberRecord,
  OperatorRecord,
  OperatorStore,
  PasskeyRecord,
  SessionRecord,
  SignedInOperator,
} from '../../ports/store/operators.ts';
import { iso, isoOrNull } from '../../protocol/time.ts';
import type { PortalReply } from './reply.ts';

export function signedInView({ operator, teams }: SignedInOperator): object {
  const { id, name, email, isAdmin } = operator;
  const memberships = teams.map(team => ({ id: team.id, name: team.name, role: team.role }));
  return { id, name, email, is_admin: isAdmin, teams: memberships };
}

export function ownSessionView(signedIn: SignedInOperator): object {
  return { session: { expires_at: iso(endOf(signedIn.session)) }, operator: signedInView(signedIn) };
}

/** The one answer that has the session's secrets: one in the cookie, one in the body. */
export function begunReply({ session, cookie, secret, signedIn }: Begun): PortalReply {
  return {
    status: 200,
    body: { session: { secret, expires_at: iso(endOf(session)) }, operator: signedInView(signedIn) },
    session: cookie,
  };
}

export function passkeyView({ id, label, createdAt, lastUsedAt }: PasskeyRecord): object {
  return { id, label, created_at: iso(createdAt), last_used_at: isoOrNull(lastUsedAt) };
}

export function sessionView(session: SessionRecord, current: string): object {
  const { id, means, beganAt, seenAt, ip, userAgent } = session;
  return {
    id,
    means,
    began_at: iso(beganAt),
    seen_at: iso(seenAt),
    expires_at: iso(endOf(session)),
    ip,
    user_agent: userAgent,
    current: id === current,
  };
}

export async function accountView(store: OperatorStore, operator: OperatorRecord): Promise<object> {
  const { id, name, email, isAdmin, language, theme, createdAt } = operator;
  const codes = await store.countRecoveryCodes(id);
  const own = { id, name, email, is_admin: isAdmin, language, theme, created_at: iso(createdAt) };
  return { account: { ...own, recovery_codes: codes } };
}

/** The only view that has a link's token. */
export function linkView({ url, token, record }: MadeLink): object {
  return { url, token, purpose: purposeOf(record), expires_at: iso(record.expiresAt) };
}

export function memberView({ operator: { id, name, email }, role, addedAt }: MemberRecord): object {
  return { id, name, email, role, added_at: iso(addedAt) };
}

/** Without the link, which was shown once. */
export function invitationView({ id, email, role, expiresAt }: LinkRecord): object {
  return { id, email, role, expires_at: iso(expiresAt) };
}
