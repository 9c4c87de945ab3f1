/** What admins and commands do to operators. Held by test/domain/operators/teams.test.ts. */
import type { ListedOperator, OperatorRecord } from '../../ports/store/operators.ts';
import { byCommand } from './audit.ts';
import type { OperatorAdminDeps } from './deps.ts';
import { checkedEmail } from './fields.ts';
import { COMMAND_LINE, LINK_LIFETIME, type MadeLink, makeLink } from './links.ts';
import { emailTaken, lastAdmin, notFound, PortalRefusal } from './refusal.ts';

export function listOperators({ store }: Pick<OperatorAdminDeps, 'store'>): Promise<ListedOperator[]> {
  return store.listOperators();
}

/** @throws PortalRefusal not_found */
export async function findOperator(
  { store }: Pick<OperatorAdminDeps, 'store'>,
  id: string,
): Promise<OperatorRecord> {
  const operator = await store.findOperator(id);
  if (!operator) throw notFound('operator');
  return operator;
}

/** @throws PortalRefusal not_found */
export async function operatorByEmail(
  { store }: Pick<OperatorAdminDeps, 'store'>,
  email: string,
): Promise<OperatorRecord> {
  const operator = await store.findOperatorByEmail(email.trim());
  if (!operator) throw notFound('operator');
  return operator;
}

/** Disabling ends sessions, ceremonies and links. @throws PortalRefusal not_found, last_admin */
export async function changeOperator(
  { store, clock }: Pick<OperatorAdminDeps, 'store' | 'clock'>,
  id: string,
  { disabled, isAdmin }: { readonly disabled?: boolean | undefined; readonly isAdmin?: boolean | undefined },
): Promise<OperatorRecord> {
  const operator = await findOperator({ store }, id);
  const updated = await store.updateOperator(id, {
    // Disabling again does not move the moment.
    ...(disabled === undefined ? {} : { disabledAt: disabled ? (operator.disabledAt ?? clock.now()) : null }),
    ...(isAdmin === undefined ? {} : { isAdmin }),
  });
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
 * a new one. An operator becomes an admin at once, with an entry of its own.
 * @throws PortalRefusal invalid_request
 */
export async function linkByCommand(
  deps: OperatorAdminDeps,
  systemUser: string,
  email: string | null,
  makesAdmin: boolean,
): Promise<CommandLink> {
  const asCommand = <Answer>(
    action: string,
    target: string | null,
    task: (deps: OperatorAdminDeps) => Promise<Answer>,
  ) => byCommand(deps, systemUser, { action, target }, task);
  let operator = email === null ? null : await deps.store.findOperatorByEmail(email.trim());
  if (operator) {
    const { id } = operator;
    requireEnabled(operator);
    if (makesAdmin && !operator.isAdmin)
      operator = await asCommand('operator.promote', id, recording =>
        changeOperator(recording, id, { isAdmin: true }),
      );
    const made = await asCommand('operator.link', id, recording => linkFor(recording, id, COMMAND_LINE));
    return { ...made, operator };
  }
  const link = { makesAdmin, madeBy: COMMAND_LINE, lifetime: LINK_LIFETIME };
  const whole = email === null ? link : { ...link, email: checkedEmail(email) };
  const made = await asCommand('operator.link', null, recording => makeLink(recording, whole));
  return { ...made, operator: null };
}

function requireEnabled({ disabledAt }: OperatorRecord): void {
  if (disabledAt !== null)
    throw new PortalRefusal('invalid_request', 'This operator is disabled. Enable them first.');
}
