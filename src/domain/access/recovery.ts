/**
 * Recovery codes: ten at a time, each signs in once. Held by test/domain/access/recovery.test.ts.
 */
import { hash } from 'node:crypto';
import type { SignedInOperator } from '../../ports/store/operators.ts';
import type { Client } from '../caller.ts';
import { base62 } from '../ids.ts';
import type { OperatorDeps } from './deps.ts';
import { failedRecovery } from './limits.ts';
import { PortalRefusal } from './refusal.ts';
import { requireStepUp } from './rights.ts';
import { type Begun, begin } from './sessions.ts';

const RECOVERY_CODES = 10;
const LENGTH = 20;
const FORM = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`);
/** Looked up for unknown addresses, so that they cost the same. */
const NO_OPERATOR = 'opr_000000000000000000000000';

/** New codes, which exist only here. All earlier ones stop working. @throws PortalRefusal step_up_required */
export async function newCodes(
  deps: Pick<OperatorDeps, 'store' | 'entry' | 'clock' | 'random'>,
  signedIn: SignedInOperator,
): Promise<string[]> {
  const now = deps.clock.now();
  requireStepUp(signedIn, 'passkeys and codes', now);
  const codes = Array.from({ length: RECOVERY_CODES }, () => base62(deps.random, LENGTH));
  await deps.store.setRecoveryCodes(signedIn.operator.id, codes.map(codeHash), now, deps.entry);
  return codes;
}

/** Spaces and hyphens do not matter. Records itself. @throws PortalRefusal unauthorized, rate_limited */
export async function signInByCode(
  deps: OperatorDeps,
  client: Client,
  email: string,
  code: string,
): Promise<Begun> {
  const plain = code.replace(/[\s-]/g, '');
  const [operator] = await deps.store.listOperators({ email: email.trim() });
  const known = operator && operator.disabledAt === null ? operator.id : NO_OPERATOR;
  if (!FORM.test(plain) || !(await deps.store.useRecoveryCode(known, codeHash(plain))))
    throw await failedRecovery(
      deps,
      client,
      email.trim(),
      new PortalRefusal(
        'unauthorized',
        'The email address or the recovery code is wrong, or the code was used.',
      ),
    );
  return begin(deps, known, 'recovery', client);
}

function codeHash(code: string): string {
  return hash('sha256', code, 'base64url');
}
