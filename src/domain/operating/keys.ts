/** API keys: shown once, stored as a hash. Held by test/domain/operating-keys.test.ts. */
import { PREFIX } from '../../brand.ts';
import type { KeyRecord, KeyType, NewKey } from '../../ports/store.ts';
import type { Mode } from '../../protocol/mode.ts';
import { KEY_LENGTH, KEY_TAG, keyHash } from '../credentials.ts';
import type { AdminDeps } from '../deps.ts';
import { base62, newId } from '../ids.ts';
import { planOf } from '../plans.ts';
import { findApp } from './apps.ts';
import { noSuch, OperatingFault } from './fault.ts';

/** A new key, shown once, and its stored record. */
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

/** @throws OperatingFault not_found; too_many_keys when the plan allows no more active keys */
export async function createKey(deps: AdminDeps, appId: string, type: KeyType, mode: Mode): Promise<MadeKey> {
  const app = await findApp(deps, appId);
  const plan = planOf(deps.settings.plans, app.plan);
  const made = makeKey(deps, appId, type, mode);
  const outcome = await deps.store.createKey(made.record, mode === 'live' ? plan.liveKeys : plan.testKeys);
  if (outcome === 'no_such_app') throw noSuch('app', appId);
  if (outcome === 'created') return made;
  throw new OperatingFault('key', 'too_many_keys', `the app's plan has no room for another ${mode} key`);
}

/** Oldest first. @throws OperatingFault not_found */
export async function listKeys({ store }: Pick<AdminDeps, 'store'>, appId: string): Promise<KeyRecord[]> {
  const keys = await store.listKeys(appId);
  if (!keys) throw noSuch('app', appId);
  return keys;
}

/** Revoking a key again changes nothing. @throws OperatingFault not_found */
export async function revokeKey(
  { store, clock }: Pick<AdminDeps, 'store' | 'clock'>,
  id: string,
): Promise<void> {
  if (!(await store.revokeKey(id, clock.now()))) throw noSuch('key', id);
}
