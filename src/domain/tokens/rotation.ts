/** Creates and replaces signing keys. */

import { SIGNING_KEY_KEPT, SIGNING_KEY_NOTICE } from '../../protocol/limits.ts';
import type { AdminDeps } from '../deps.ts';

/** Gives a new database a key that signs at once. */
export async function ensureSigningKey({ store, clock, keyMaker }: AdminDeps): Promise<void> {
  const now = clock.now();
  if ((await store.signingKeys(now)).length > 0) return;
  await store.addSigningKey({ ...(await keyMaker.make()), createdAt: now, signsAt: now }, null);
}

export interface RotationOptions {
  /** Sign with the new key at once, instead of publishing it for 10 minutes first. */
  readonly now: boolean;
  /**
   * After a theft: every older key is removed from the set, which invalidates the tokens it signed. The new key signs
   * at once.
   */
  readonly revokeOld: boolean;
}

/** The new key's id. Null while two keys are published, because a third one would never be published. */
export async function rotateSigningKey(
  { store, entry, clock, keyMaker }: AdminDeps,
  options: RotationOptions,
): Promise<string | null> {
  const now = clock.now();
  const atOnce = options.now || options.revokeOld;
  const key = {
    ...(await keyMaker.make()),
    createdAt: now,
    signsAt: atOnce ? now : now + SIGNING_KEY_NOTICE,
  };
  const rotation = { now, keep: SIGNING_KEY_KEPT, revokeOld: options.revokeOld };
  return (await store.addSigningKey(key, rotation, entry)) ? key.kid : null;
}
