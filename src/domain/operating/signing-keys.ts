/** How operators list and rotate signing keys. Held by test/cli/refusals.test.ts. */
import { inUtc } from '../../protocol/time.ts';
import type { AdminDeps } from '../deps.ts';
import { type RotationOptions, rotateSigningKey } from '../tokens/rotation.ts';
import { statusOf } from '../tokens/signing-keys.ts';
import { OperatingFault } from './fault.ts';

interface PublishedKey {
  readonly kid: string;
  readonly status: ReturnType<typeof statusOf>;
  readonly createdAt: number;
}

/** Oldest first. */
export async function listSigningKeys({
  store,
  clock,
}: Pick<AdminDeps, 'store' | 'clock'>): Promise<PublishedKey[]> {
  const now = clock.now();
  const keys = await store.signingKeys(now);
  return keys.map(key => ({ kid: key.kid, status: statusOf(key, keys, now), createdAt: key.createdAt }));
}

/** @throws OperatingFault too_soon while two keys are published */
export async function rotate(
  deps: AdminDeps,
  options: RotationOptions,
): Promise<{ readonly kid: string; readonly signsAt: number }> {
  const kid = await rotateSigningKey(deps, options);
  const keys = await deps.store.signingKeys(deps.clock.now());
  if (kid) return { kid, signsAt: keys.find(key => key.kid === kid)?.signsAt ?? deps.clock.now() };
  const leavesAt = keys.find(key => key.leavesAt !== null)?.leavesAt;
  const message = `two signing keys are published already: rotate again ${leavesAt ? `after ${inUtc(leavesAt)}` : 'later'}, when the older one has left`;
  throw new OperatingFault('signing_key', 'too_soon', message);
}
