/** What admins and commands do to operators. Held by test/portal/internal/teams.test.ts. */
import type { ListedOperator, OperatorRecord } from '../../ports/store/operators.ts';
import { inUtc } from '../../protocol/time.ts';
import { actorName, byCommand } from './audit.ts';
import type { OperatorAdminDeps } from './deps.ts';
import { checkedEmail } from './fields.ts';
import { COMMAND_LINE, LINK_LIFETIME, type MadeLink, makeLink } from './links.ts';
import { emailTaken, lastAdmin, notFound, ownAddress, PortalRefusal } from './refusal.ts';

export function listOperators({ store }: Pick<OperatorAdminDeps, 'store'>): Promise<ListedOperator[]> {
  return store.listOperators();
}

/** @throws PortalRefusal not_found */
async function findOperator(
  { store }: Pick<OperatorAdminDeps, 'store'>,
  id: string,
): Promise<OperatorRecord> {
  const [operator] = await store.listOperators({ id });
  if (!operator) throw notFound('operator');
  return operator;
}

/** @throws PortalRefusal not_found */
export async function operatorByEmail(
  { store }: Pick<OperatorAdminDeps, 'store'>,
  email: string,
): Promise<OperatorRecord> {
  const [operator] = await store.listOperators({ email: email.trim() });
  if (!operator) throw notFound('operator');
  return operator;
}

interface ChangedByAdmin {
  readonly disabled?: boolean | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly email?: string | undefined;
}

/**
 * Disabling ends sessions and links. @param by the admin; null: a command
 * @throws PortalRefusal not_found, last_admin, email_taken, invalid_request, forbidden for the own address
 */
export async function changeOperator(
  { store, clock, entry }: Pick<OperatorAdminDeps, 'store' | 'entry' | 'clock'>,
  id: string,
  { disabled, isAdmin, email }: ChangedByAdmin,
  by: string | null = null,
): Promise<OperatorRecord> {
  const operator = await findOperator({ store }, id);
  const address = email === undefined ? operator.email : checkedEmail(email);
  if (address !== operator.email && id === by) throw ownAddress();
  const change = {
    // Disabling again does not move the moment.
    ...(disabled === undefined ? {} : { disabledAt: disabled ? (operator.disabledAt ?? clock.now()) : null }),
    ...(isAdmin === undefined ? {} : { isAdmin }),
    ...(address === operator.email ? {} : { email: address, emailChangedAt: clock.now() }),
  };
  const updated = await store.updateOperator(id, change, entry);
  if (updated === null) throw notFound('operator');
  if (updated === 'email_taken') throw emailTaken();
  if (updated === 'last_admin') throw lastAdmin();
  return updated;
}

/** A link that signs in an operator who cannot. @throws PortalRefusal not_found, invalid_request */
export async function linkFor(deps: OperatorAdminDeps, id: string, madeBy: string): Promise<MadeLink> {
  const operator = await findOperator(deps, id);
  requireEnabled(operator);
  const { email, isAdmin } = operator;
  return makeLink(deps, { operatorId: id, email, makesAdmin: isAdmin, madeBy, lifetime: LINK_LIFETIME });
}

export interface CommandLink extends MadeLink {
  /** The operator whom it signs in; null: it creates one. */
  readonly operator: OperatorRecord | null;
}

/**
 * A link from the command line. Without an address, for whoever opens it first; for an address without an operator, for
 * a new one. With `promotes`, an operator becomes an admin at once, with an entry of its own: somebody may have taken
 * the address before its owner was there, so whoever promotes has to see who it is.
 * @throws PortalRefusal invalid_request
 */
export async function linkByCommand(
  deps: OperatorAdminDeps,
  systemUser: string,
  email: string | null,
  { makesAdmin, promotes = false }: { readonly makesAdmin: boolean; readonly promotes?: boolean },
): Promise<CommandLink> {
  const asCommand = <Answer>(
    action: string,
    target: string | null,
    task: (deps: OperatorAdminDeps) => Promise<Answer>,
  ) => byCommand(deps, systemUser, { action, target }, task);
  const [known] = email === null ? [] : await deps.store.listOperators({ email: email.trim() });
  let operator: OperatorRecord | undefined = known;
  if (operator) {
    const { id } = operator;
    requireEnabled(operator);
    if (makesAdmin && !operator.isAdmin && !promotes)
      throw new PortalRefusal(
        'invalid_request',
        `This operator exists and is no admin: ${await introduced(deps, operator)}. If this is the right person, add --promote.`,
      );
    if (makesAdmin && !operator.isAdmin)
      operator = await asCommand('operator.promote', id, given =>
        changeOperator(given, id, { isAdmin: true }),
      );
    const made = await asCommand('operator.link', id, given => linkFor(given, id, COMMAND_LINE));
    return { ...made, operator };
  }
  const link = { makesAdmin, madeBy: COMMAND_LINE, lifetime: LINK_LIFETIME };
  const whole = email === null ? link : { ...link, email: checkedEmail(email) };
  const made = await asCommand('operator.link', null, given => makeLink(given, whole));
  return { ...made, operator: null };
}

/** Who an operator is, for somebody who is about to trust them: what only admins and commands have set. */
export async function introduced(
  { store }: Pick<OperatorAdminDeps, 'store'>,
  { id, name, email, createdAt, invitedBy, emailChangedAt }: OperatorRecord,
): Promise<string> {
  const [inviter] = invitedBy === null ? [] : await store.listOperators({ id: invitedBy });
  const by = inviter ? actorName(inviter) : (invitedBy ?? 'somebody, before this was recorded');
  const changed = emailChangedAt === null ? 'never changed' : `changed ${inUtc(emailChangedAt)}`;
  return `${id}, ${actorName({ name, email })}, since ${inUtc(createdAt)}, invited by ${by}, address ${changed}`;
}

function requireEnabled({ disabledAt }: OperatorRecord): void {
  if (disabledAt !== null)
    throw new PortalRefusal('invalid_request', 'This operator is disabled. Enable them first.');
}
