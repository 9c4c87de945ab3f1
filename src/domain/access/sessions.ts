/**
 * Sessions of operators. A session has two secrets: one in a cookie, one that the page sends as a header. Cookies of
 * localhost go to every port, so neither alone is a session. Held by test/domain/access/sessions.test.ts.
 */
import type {
  SessionMeans,
  SessionRecord,
  SignedInOperator,
  TeamMembership,
} from '../../ports/store/operators.ts';
import { HOUR, MINUTE, OPERATOR_SESSION_IDLE, USER_AGENT_LENGTH } from '../../protocol/limits.ts';
import type { Client } from '../caller.ts';
import { newId } from '../ids.ts';
import { entryOf, recordEntry } from './audit.ts';
import type { OperatorDeps } from './deps.ts';
import { notFound, PortalRefusal } from './refusal.ts';
import { isPast, requireStepUp } from './rights.ts';
import { newToken, tokenHash } from './tokens.ts';

export { requireStepUp } from './rights.ts';

const SESSION_IDLE = OPERATOR_SESSION_IDLE;
const SESSION_LIFETIME = 12 * HOUR;
const SESSIONS_PER_OPERATOR = 10;
/** `seenAt` is written at most this often. */
const TOUCH_EVERY = MINUTE;

/** A new session and its secrets, which exist only here. */
export interface Begun {
  readonly session: SessionRecord;
  readonly cookie: string;
  readonly secret: string;
  readonly signedIn: SignedInOperator;
}

/** Ends the operator's oldest sessions if there are too many. @throws PortalRefusal unauthorized */
export async function begin(
  deps: OperatorDeps,
  operatorId: string,
  means: SessionMeans,
  client: Client,
): Promise<Begun> {
  const [operator] = await deps.store.listOperators({ id: operatorId });
  if (!operator) throw signedOut();
  const now = deps.clock.now();
  const session: SessionRecord = {
    id: newId(deps.random, 'ses'),
    operatorId,
    means,
    beganAt: now,
    steppedUpAt: now,
    seenAt: now,
    endsAt: now + SESSION_LIFETIME,
    ip: client.ip,
    userAgent: client.userAgent.slice(0, USER_AGENT_LENGTH),
  };
  const [cookie, secret] = [newToken(deps.random), newToken(deps.random)];
  const [hash, secretHash] = [tokenHash(cookie) as string, tokenHash(secret) as string];
  const entry = entryOf(deps, { operator, session }, client, {
    action: `sign-in.${means}`,
    target: session.id,
  });
  const started = { ...session, hash, secretHash };
  if (!(await deps.store.startSession(started, SESSIONS_PER_OPERATOR, entry))) throw signedOut();
  const teams = await membershipsOf(deps, operatorId);
  return { session, cookie, secret, signedIn: { operator, session, teams } };
}

/** The teams of an operator, by name. */
export async function membershipsOf(
  { store }: Pick<OperatorDeps, 'store'>,
  operatorId: string,
): Promise<TeamMembership[]> {
  const teams = await store.listTeams({ operatorId });
  return teams.flatMap(({ id, name, createdAt, role }) => (role ? [{ id, name, createdAt, role }] : []));
}

/** Null unless both secrets are those of one open session. */
export async function signedInBy(
  { store, clock }: Pick<OperatorDeps, 'store' | 'clock'>,
  cookie: string | undefined,
  secret: string | undefined,
): Promise<SignedInOperator | null> {
  const [hash, secretHash] = [tokenHash(cookie), tokenHash(secret)];
  if (hash === null || secretHash === null) return null;
  const now = clock.now();
  const found = await openSession(store, hash, secretHash, now);
  if (!found || now - found.session.seenAt < TOUCH_EVERY) return found;
  await store.updateSession(found.session.id, { seenAt: now });
  return { ...found, session: { ...found.session, seenAt: now } };
}

/** Whether a cookie is that of an open session: enough to read what is about nobody, and not a use of the session. */
export async function hasOpenSession(
  { store, clock }: Pick<OperatorDeps, 'store' | 'clock'>,
  cookie: string,
): Promise<boolean> {
  const hash = tokenHash(cookie);
  const now = clock.now();
  return hash !== null && (await openSession(store, hash, null, now)) !== null;
}

/** Null also if the session begins later than now. */
async function openSession(
  store: OperatorDeps['store'],
  hash: string,
  secretHash: string | null,
  now: number,
): Promise<SignedInOperator | null> {
  const found = await store.findSession(hash, secretHash, now, now - SESSION_IDLE);
  return found && isPast(found.session.beganAt, now) ? found : null;
}

/** When the session ends if nothing else happens. */
export function endOf({ seenAt, endsAt }: SessionRecord): number {
  return Math.min(seenAt + SESSION_IDLE, endsAt);
}

/** Own sessions, newest first. */
export async function ownSessions(
  { store, clock }: Pick<OperatorDeps, 'store' | 'clock'>,
  { operator }: SignedInOperator,
): Promise<SessionRecord[]> {
  const now = clock.now();
  const sessions = await store.listSessions(operator.id, now, now - SESSION_IDLE);
  return sessions.filter(({ beganAt }) => isPast(beganAt, now));
}

/** Ends the session of the request. */
export async function signOut(
  { store, entry }: Pick<OperatorDeps, 'store' | 'entry'>,
  { operator, session }: SignedInOperator,
): Promise<void> {
  const ended = await store.endSessions(operator.id, session.id, entry);
  // Something else ended it meanwhile.
  if (ended === 0) await recordEntry({ store, entry });
}

/** Ends one of the operator's own sessions. @throws PortalRefusal step_up_required, not_found */
export async function endOwnSession(
  { store, clock, entry }: Pick<OperatorDeps, 'store' | 'entry' | 'clock'>,
  signedIn: SignedInOperator,
  id: string,
): Promise<void> {
  if (id !== signedIn.session.id) requireStepUp(signedIn, 'account', clock.now());
  if ((await store.endSessions(signedIn.operator.id, id, entry)) === 0) throw notFound('session');
}

/** Ends all sessions of an operator. Returns how many. @throws PortalRefusal not_found */
export async function endSessionsOf(
  { store, entry }: Pick<OperatorDeps, 'store' | 'entry'>,
  operatorId: string,
): Promise<number> {
  if ((await store.listOperators({ id: operatorId })).length === 0) throw notFound('operator');
  return store.endSessions(operatorId, null, entry);
}

export function signedOut(): PortalRefusal {
  return new PortalRefusal('unauthorized', 'Sign in first.');
}
