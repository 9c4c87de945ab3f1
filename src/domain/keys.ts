/** API keys: made once, shown once, stored as a hash. */
import { PREFIX } from '../brand.ts';
import type { KeyType, NewKey } from '../ports/store.ts';
import type { Mode } from '../protocol/mode.ts';
import { KEY_LENGTH, KEY_TAG, keyHash } from './credentials.ts';
import type { AdminDeps } from './deps.ts';
import { base62, newId } from './ids.ts';
import { planOf } from './plans.ts';

/** A key as it is shown, once, and what is stored of it. */
export interface MadeKey {
  readonly key: string;
  readonly record: NewKey;
}

export function makeKey({ random, clock }: AdminDeps, appId: string, type: KeyType, mode: Mode): MadeKey {
  const key = `${PREFIX}_${KEY_TAG[type]}_${mode}_${base62(random, KEY_LENGTH[type])}`;
  const record = {
    id: newId(random, 'key'),
    appId,
    type,
    mode,
    hash: keyHash(key),
    last4: key.slice(-4),
    createdAt: clock.now(),
  };
  return { key, record };
}

/** Null when there is no such app; `too_many` when the plan has no room for another active key. */
export async function createKey(
  deps: AdminDeps,
  appId: string,
  type: KeyType,
  mode: Mode,
): Promise<MadeKey | 'too_many' | null> {
  const app = await deps.store.findApp(appId);
  if (!app) return null;
  const plan = planOf(deps.settings.plans, app.plan);
  const made = makeKey(deps, appId, type, mode);
  const outcome = await deps.store.createKey(made.record, mode === 'live' ? plan.liveKeys : plan.testKeys);
  if (outcome === 'no_such_app') return null;
  return outcome === 'too_many' ? 'too_many' : made;
}
