/** An operator's own passkeys. Held by test/domain/access/passkeys.test.ts. */
import type { PasskeyRecord, SignedInOperator } from '../../ports/store/operators.ts';
import type { OperatorDeps } from './deps.ts';
import { checkedName } from './fields.ts';
import { notFound, PortalRefusal } from './refusal.ts';
import { requireStepUp } from './rights.ts';

type Some = Pick<OperatorDeps, 'store' | 'entry' | 'clock'>;

export function ownPasskeys({ store }: Some, { operator }: SignedInOperator): Promise<PasskeyRecord[]> {
  return store.listPasskeys({ operatorId: operator.id });
}

/** @throws PortalRefusal step_up_required, invalid_request, not_found */
export async function labelPasskey(
  deps: Some,
  signedIn: SignedInOperator,
  id: string,
  label: string,
): Promise<PasskeyRecord> {
  requireStepUp(signedIn, 'passkeys and codes', deps.clock.now());
  checkedName(label, 'label');
  const { operator } = signedIn;
  if (!(await deps.store.updatePasskey(operator.id, id, { label }, deps.entry))) throw notFound('passkey');
  const passkey = (await deps.store.listPasskeys({ operatorId: operator.id })).find(each => each.id === id);
  if (!passkey) throw notFound('passkey');
  return passkey;
}

/**
 * Refused for the only way to sign in: without passkeys and codes, only a link from the command line helps.
 * @throws PortalRefusal step_up_required, invalid_request, not_found
 */
export async function deletePasskey(deps: Some, signedIn: SignedInOperator, id: string): Promise<void> {
  requireStepUp(signedIn, 'passkeys and codes', deps.clock.now());
  const { operator } = signedIn;
  const passkeys = await deps.store.listPasskeys({ operatorId: operator.id });
  if (!passkeys.some(each => each.id === id)) throw notFound('passkey');
  const [own] = await deps.store.listOperators({ id: operator.id });
  if (passkeys.length === 1 && !own?.recoveryCodes)
    throw new PortalRefusal(
      'invalid_request',
      'This passkey is your only way to sign in. Add another passkey or make recovery codes first.',
    );
  if (!(await deps.store.updatePasskey(operator.id, id, null, deps.entry))) throw notFound('passkey');
}
