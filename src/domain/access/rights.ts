/**
 * Whether an operator may do something: by the table of rights, and by how recently they proved who they are. Held by
 * test/portal/internal/rights.test.ts, which is made from the tables.
 */
import type { SessionRecord, SignedInOperator } from '../../ports/store/operators.ts';
import { ISSUED_AHEAD, MINUTE } from '../../protocol/limits.ts';
import type { Mode } from '../../protocol/mode.ts';
import { type Action, type Rank, RIGHTS, type Right } from '../../protocol/portal/roles.ts';
import { notFound, PortalRefusal } from './refusal.ts';

export const STEP_UP_LIFETIME = 5 * MINUTE;

/** What somebody acts on. An action of the whole installation has no team. */
export interface Scope {
  readonly teamId?: string;
  readonly mode?: Mode;
}

/**
 * A passkey within the last minutes, or a session that began in them. A session by recovery code is not enough: it
 * needs a passkey first.
 */
export function isSteppedUp(session: SessionRecord, now: number): boolean {
  const byCodeAlone = session.means === 'recovery' && session.steppedUpAt <= session.beganAt;
  return !byCodeAlone && isRecent(session, now);
}

/** For own passkeys and codes, where a fresh session by recovery code is enough: people come here to replace them. */
export function isSteppedUpForKeys(session: SessionRecord, now: number): boolean {
  return isRecent(session, now);
}

/** @throws PortalRefusal not_found, forbidden, step_up_required */
export function requireRight(
  { operator, session, teams }: SignedInOperator,
  action: Action,
  { teamId, mode }: Scope,
  now: number,
): void {
  const role = teamId === undefined ? undefined : teams.find(({ id }) => id === teamId)?.role;
  if (!operator.isAdmin && teamId !== undefined && role === undefined) throw notFound('object');
  const rank: Rank | undefined = operator.isAdmin ? 'admin' : role;
  const right: Right = rank === undefined ? 'no' : RIGHTS[action][rank];
  if (right === 'no' || (right === 'test' && mode !== 'test')) throw forbidden(action, right);
  const needsProof = right === 'step-up' || (right === 'step-up-live' && mode !== 'test');
  if (needsProof && !isSteppedUp(session, now)) throw stepUpRequired();
}

/** Own account. @throws PortalRefusal step_up_required */
export function requireStepUp(
  { session }: Pick<SignedInOperator, 'session'>,
  what: 'passkeys and codes' | 'account',
  now: number,
): void {
  const isEnough = what === 'account' ? isSteppedUp : isSteppedUpForKeys;
  if (!isEnough(session, now)) throw stepUpRequired();
}

function stepUpRequired(): PortalRefusal {
  return new PortalRefusal('step_up_required', 'Confirm with your passkey, then try again.');
}

function forbidden(action: Action, right: Right): PortalRefusal {
  const who = (Object.keys(RIGHTS[action]) as Rank[]).filter(
    rank => !['no', 'test'].includes(RIGHTS[action][rank]),
  );
  const inTest = right === 'test' ? ' Your role allows it in test mode only.' : '';
  return new PortalRefusal('forbidden', `Your role does not allow this. Needed: ${who.join(', ')}.${inTest}`);
}

/** False for a moment under a clock that ran ahead, which would count for as long. */
export function isPast(at: number, now: number): boolean {
  return at <= now + ISSUED_AHEAD;
}

function isRecent({ steppedUpAt }: SessionRecord, now: number): boolean {
  return isPast(steppedUpAt, now) && now - steppedUpAt < STEP_UP_LIFETIME;
}
