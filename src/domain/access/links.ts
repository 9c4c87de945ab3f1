/**
 * One-time links. Whoever opens one signs in, becomes an operator, or joins a team. The token stands in the URL's
 * fragment, which browsers send to no server. An invitation never signs in an operator who exists: otherwise an owner
 * who invites the address of an admin would become that admin. Held by test/domain/access/links.test.ts.
 */
import type { LinkRecord, Redeemed, SignedInOperator } from '../../ports/store/operators.ts';
import { DAY, MINUTE } from '../../protocol/limits.ts';
import type { Role } from '../../protocol/portal/roles.ts';
import type { Client } from '../caller.ts';
import { newId } from '../ids.ts';
import { entryOf, entryOfNobody } from './audit.ts';
import type { OperatorAdminDeps, OperatorDeps } from './deps.ts';
import { checkedEmail, checkedName, invalid } from './fields.ts';
import { failed } from './limits.ts';
import { emailTaken, notFound, PortalRefusal } from './refusal.ts';
import { type Begun, begin, membershipsOf } from './sessions.ts';
import { newToken, tokenHash } from './tokens.ts';

export const LINK_LIFETIME = 30 * MINUTE;
export const INVITATION_LIFETIME = 7 * DAY;
/** `madeBy` of a link from the command line. Limits never refuse it. */
export const COMMAND_LINE = 'command line';

type LinkPurpose = 'sign_in' | 'new_operator' | 'invitation';

export interface NewLink {
  /** For whom; without it, whoever opens the link says their own. */
  readonly email?: string;
  /** Whom it signs in. */
  readonly operatorId?: string;
  readonly teamId?: string;
  readonly role?: Role;
  readonly makesAdmin: boolean;
  /** Id of an operator, or COMMAND_LINE. */
  readonly madeBy: string;
  readonly lifetime: number;
}

/** A link and its token, which exists only here. */
export interface MadeLink {
  readonly token: string;
  readonly url: string;
  readonly record: LinkRecord;
}

/** @throws PortalRefusal not_found if whoever invites may no longer do so */
export async function makeLink(deps: OperatorAdminDeps, link: NewLink): Promise<MadeLink> {
  const token = newToken(deps.random);
  const now = deps.clock.now();
  const record: LinkRecord = {
    id: newId(deps.random, 'lnk'),
    email: link.email ?? null,
    operatorId: link.operatorId ?? null,
    teamId: link.teamId ?? null,
    role: link.role ?? null,
    makesAdmin: link.makesAdmin,
    madeBy: link.madeBy,
    createdAt: now,
    expiresAt: now + link.lifetime,
  };
  const hash = tokenHash(token) as string;
  if (!(await deps.store.createLink({ ...record, hash }, deps.entry))) throw notFound('team');
  return { token, url: `${deps.portal.url}/link#${token}`, record };
}

export function purposeOf({ operatorId, teamId }: LinkRecord): LinkPurpose {
  if (operatorId !== null) return 'sign_in';
  return teamId === null ? 'new_operator' : 'invitation';
}

interface Redemption {
  readonly token: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** `begun`: null if the session of the request goes on; otherwise that one has ended. */
interface Opened {
  readonly begun: Begun | null;
  readonly operator: SignedInOperator;
}

/** Records itself. @throws PortalRefusal link_used, sign_in_first, email_taken, invalid_request, rate_limited */
export async function redeemLink(
  deps: OperatorDeps,
  client: Client,
  { token, name, email }: Redemption,
  signedIn: SignedInOperator | null,
): Promise<Opened> {
  const now = deps.clock.now();
  const hash = tokenHash(token);
  const [link] = hash === null ? [] : await deps.store.listLinks({ hash }, now);
  if (hash === null || !link) throw await failed(deps, 'link', client, linkUsed());
  const redeeming = {
    hash,
    now,
    signedIn: signedIn?.operator.id ?? null,
    newId: newId(deps.random, 'opr'),
    name: name === undefined ? null : checkedName(name),
    email: email === undefined ? null : checkedEmail(email),
  };
  const entry = await entryFor(deps, client, link, redeeming, signedIn);
  const redeemed = await deps.store.redeemLink(redeeming, entry);
  if (redeemed.outcome === 'gone') throw await failed(deps, 'link', client, linkUsed());
  if (redeemed.outcome !== 'ok') throw refusalOf(redeemed);
  // A link that signs in does so in one's own session too: without a passkey it is the only way to step up.
  if (redeemed.startsSession || !signedIn || link.operatorId !== null) {
    const begun = await begin(deps, redeemed.operator.id, 'link', client);
    if (signedIn) await deps.store.endSessions(signedIn.operator.id, signedIn.session.id);
    return { begun, operator: begun.signedIn };
  }
  const teams = await membershipsOf(deps, redeemed.operator.id);
  return { begun: null, operator: { ...signedIn, operator: redeemed.operator, teams } };
}

/** Who redeems: the operator of the link, the one who is signed in, or a new one. */
async function entryFor(
  deps: OperatorDeps,
  client: Client,
  link: LinkRecord,
  { newId, name, email }: { newId: string; name: string | null; email: string | null },
  signedIn: SignedInOperator | null,
) {
  const action = { action: `link.${purposeOf(link)}`, target: link.id, teamId: link.teamId };
  if (link.teamId !== null && signedIn) return entryOf(deps, signedIn, client, action);
  const [operator] = link.operatorId === null ? [] : await deps.store.listOperators({ id: link.operatorId });
  if (operator) return entryOf(deps, { operator, session: null }, client, action);
  const actor = `${name ?? 'unnamed'} <${link.email ?? email ?? 'no address'}>`;
  return { ...entryOfNobody(deps, actor, client, action), actorId: newId };
}

function refusalOf({ outcome }: Exclude<Redeemed, { outcome: 'ok' | 'gone' }>): PortalRefusal {
  switch (outcome) {
    case 'sign_in_first':
      return new PortalRefusal(
        'sign_in_first',
        'An operator with this address exists. Sign in as that operator, then open the invitation again.',
      );
    case 'email_taken':
      return emailTaken();
    case 'name_missing':
      return invalid('name', 'is required: this link creates an operator');
    case 'email_missing':
      return invalid('email', 'is required: this link creates an operator');
  }
}

/** One message for unknown, late, withdrawn and used links, and for those of a disabled operator. */
function linkUsed(): PortalRefusal {
  return new PortalRefusal(
    'link_used',
    'This link is unknown, expired or used. On the machine of the service, "operator link" makes a new one; or ask whoever invited you.',
  );
}
