/** An operator's own account. Held by test/domain/operators/teams.test.ts. */
import type { OperatorRecord, SignedInOperator } from '../../ports/store/operators.ts';
import type { OperatorDeps } from './deps.ts';
import { checkedEmail, checkedName, invalid } from './fields.ts';
import { emailTaken, lastAdmin, notFound } from './refusal.ts';
import { requireStepUp } from './rights.ts';

export const LANGUAGES = ['en', 'es'] as const;
export const THEMES = ['light', 'dark'] as const;

export interface AccountChange {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** Null: the browser's. */
  readonly language?: string | null | undefined;
  /** Null: the browser's. */
  readonly theme?: string | null | undefined;
}

/** A new address needs a step-up. @throws PortalRefusal step_up_required, invalid_request, email_taken */
export async function updateAccount(
  { store, clock }: Pick<OperatorDeps, 'store' | 'clock'>,
  signedIn: SignedInOperator,
  { name, email, language, theme }: AccountChange,
): Promise<OperatorRecord> {
  const change = {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(email === undefined ? {} : { email: checkedEmail(email) }),
    ...(language === undefined ? {} : { language: checkedOneOf('language', LANGUAGES, language) }),
    ...(theme === undefined ? {} : { theme: checkedOneOf('theme', THEMES, theme) }),
  };
  if (change.email !== undefined && change.email !== signedIn.operator.email)
    requireStepUp(signedIn, 'account', clock.now());
  const updated = await store.updateOperator(signedIn.operator.id, change);
  if (updated === null) throw notFound('operator');
  if (updated === 'email_taken') throw emailTaken();
  if (updated === 'last_admin') throw lastAdmin();
  return updated;
}

function checkedOneOf(field: string, values: readonly string[], value: string | null): string | null {
  if (value === null || values.includes(value)) return value;
  throw invalid(field, `must be one of ${values.join(', ')}, or null for the browser's`);
}
