/** An operator's own account. Held by test/portal/internal/sign-in.test.ts. */
import type { OperatorRecord, SignedInOperator } from '../../ports/store/operators.ts';
import type { OperatorDeps } from './deps.ts';
import { checkedEmail, checkedName, invalid } from './fields.ts';
import { notFound, ownAddress } from './refusal.ts';

export const LANGUAGES = ['en', 'es'] as const;
export const THEMES = ['light', 'dark'] as const;

interface AccountChange {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** Null: the browser's. */
  readonly language?: string | null | undefined;
  /** Null: the browser's. */
  readonly theme?: string | null | undefined;
}

/**
 * A new address is refused, admins included: whoever gives themselves the address of a future admin would be promoted
 * in their place. Another admin changes it. @throws PortalRefusal forbidden, invalid_request
 */
export async function updateAccount(
  { store, entry }: Pick<OperatorDeps, 'store' | 'entry'>,
  signedIn: SignedInOperator,
  { name, email, language, theme }: AccountChange,
): Promise<OperatorRecord> {
  const change = {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(language === undefined ? {} : { language: checkedOneOf('language', LANGUAGES, language) }),
    ...(theme === undefined ? {} : { theme: checkedOneOf('theme', THEMES, theme) }),
  };
  if (email !== undefined && checkedEmail(email) !== signedIn.operator.email) throw ownAddress();
  const updated = await store.updateOperator(signedIn.operator.id, change, entry);
  if (updated === null) throw notFound('operator');
  if (typeof updated === 'string') throw new Error(`the own account was not changed: ${updated}`);
  return updated;
}

function checkedOneOf<T extends string>(field: string, values: readonly T[], value: string | null): T | null {
  const known = value === null ? null : values.find(one => one === value);
  if (known !== undefined) return known;
  throw invalid(field, `must be one of ${values.join(', ')}, or null for the browser's`);
}
