/** Requests a sign-in code by email: step 6 onward of the request. */
import { CODE_LIFETIME } from '../../protocol/limits.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { admitCodeRequest } from '../limits/code-limits.ts';
import { codeHash, newCode } from './code.ts';
import { deliver, type Stored } from './delivery.ts';
import { signInMessage } from './messages.ts';

/**
 * @returns when the code expires, whether or not the address is registered
 * @throws Refusal rate_limited, email_unavailable, email_send_failed
 */
export async function requestCode(deps: Deps, caller: Caller, email: string): Promise<number> {
  await admitCodeRequest(deps, caller, email);
  const expiresAt = deps.clock.now() + CODE_LIFETIME;
  await deliver(deps, caller.gallery.mode, () => storeCode(deps, caller, email, expiresAt));
  return expiresAt;
}

async function storeCode(deps: Deps, caller: Caller, email: string, expiresAt: number): Promise<Stored> {
  const { store, random } = deps;
  const { gallery, app } = caller;
  const user = await store.findUser(gallery, { email });
  if (!user) return null;
  const code = newCode(random, gallery.mode);
  const id = newId(random, 'code');
  const hash = codeHash(deps, 'sign-in', gallery, user.id, code);
  const stored = await store.putCode({ id, gallery, userId: user.id, hash, expiresAt });
  if (stored !== 'stored') return null;
  const enrolledAt = user.emailVerified ? null : user.createdAt;
  return { id, message: signInMessage(app.name, user.email, code, enrolledAt) };
}
