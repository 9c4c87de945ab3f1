/**
 * Sign-in with a code from an email: step 6 onward of both requests. A first verification proves that the person owns
 * the address. It does not prove that the enrolled face is theirs, because somebody else may have enrolled first. So
 * it revokes every token issued before and is reported, and the page can ask. The face stays until the person says
 * that it is not theirs.
 *
 * A page that asks sends `asks_owner`. Then only the token of this code says that the address is verified, and the
 * user stays unverified until the owner answers: the question survives a reload, and tokens from the face have
 * `email_verified: false`. Other pages never ask, so for them the user is verified at once, as the API promises, unless
 * a page has asked before: a code without `asks_owner` proves the address, and leaves the question to pages that ask.
 * Held by test/http/first-verification.test.ts and face-confirmation.test.ts.
 */

import { CODE_LIFETIME } from '../../protocol/limits.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { authOf, requirePlan, uncountedRefusal } from '../limits/admission.ts';
import { admitCodeRequest } from '../limits/code-limits.ts';
import { knownNetworkOf, lockedRefusal, lockoutOf } from '../limits/lockout.ts';
import type { SignedIn } from '../sign-in.ts';
import { issueToken, newToken } from '../tokens/issue.ts';
import { codeHash, invalidCode, newCode, wrongCodeFloor } from './code.ts';
import { deliver, type Stored, signInMessage } from './mail.ts';

interface CodeSignIn {
  readonly email: string;
  readonly code: string;
  /** Whether the page asks the owner whether the face is theirs, and sends the answer. */
  readonly asksOwner: boolean;
}

/** @throws Refusal plan_limit_reached, rate_limited, invalid_code */
export async function signInByCode(
  deps: Deps,
  caller: Caller,
  { email, code, asksOwner }: CodeSignIn,
): Promise<SignedIn & { firstVerification: boolean }> {
  const { gallery, ip, userAgent } = caller;
  const floor = wrongCodeFloor(gallery.mode);
  await requirePlan(deps, caller);
  const user = await deps.store.findUser(gallery, { email });
  const auth = authOf(deps, caller);
  const lockout = lockoutOf(deps, caller, email);
  const token = newToken(deps);
  const used = await deps.store.useCode({
    gallery,
    userId: user?.id ?? null,
    // For an unregistered address the hash matches nothing, but computing it takes the same time.
    hash: codeHash(deps, 'sign-in', gallery, user?.id ?? '', code),
    at: deps.clock.now(),
    lockout,
    known: knownNetworkOf(deps, caller)?.(user?.id ?? ''),
    origin: { ip, userAgent, liveness: undefined },
    auth,
    token,
    asksOwner,
  });
  // Also when locked: from a network that is known for this user, the code was tried.
  if (used.outcome === 'locked' || used.outcome === 'wrong') await floor;
  if (used.outcome === 'locked') throw lockedRefusal(deps, used.endsAt);
  if (used.outcome === 'wrong') throw invalidCode();
  if (used.outcome !== 'signed_in') throw uncountedRefusal(deps, auth, used);
  const { user: signedIn, firstVerification } = used;
  return {
    user: signedIn,
    token: await issueToken(deps, caller, signedIn, 'otp', token),
    firstVerification,
  };
}

/**
 * Sends a code.
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
