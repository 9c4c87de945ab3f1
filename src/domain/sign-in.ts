/**
 * Sign-in by face: steps 4b to 10 of a request to match, in order.
 *
 * Without a valid challenge there is no search, because the time of a search depends on what it finds. The search
 * changes nothing, so it runs before the transaction that consumes the challenge (8), counts the auth (10) and
 * records the outcome. If several calls race with one challenge, one succeeds. Held by
 * test/http/match-challenge.test.ts.
 */
import type { SearchResult } from '../ports/matcher.ts';
import type { EventOrigin, UserRecord } from '../ports/store.ts';
import type { Caller } from './caller.ts';
import { requireChallenge } from './challenges.ts';
import type { Deps } from './deps.ts';
import { distanceBin } from './distance.ts';
import { requireEncoder } from './encoder.ts';
import {
  authOf,
  failedMatchWindows,
  failuresRefusal,
  failureWindows,
  matchesRefusal,
  matchWindow,
  requireAdmission,
  shareWindows,
  takeBudgets,
  uncountedRefusal,
} from './limits/admission.ts';
import { knownNetworkOf, lockoutOf } from './limits/lockout.ts';
import { noteLookAlikes } from './look-alikes.ts';
import { firstRefusal, Refusal } from './refusal.ts';
import { facesIn, type MatchRequest } from './requests.ts';
import { type IssuedToken, issueToken, newToken } from './tokens/issue.ts';

/** If the user is deleted between the search and the record, the search is repeated. */
const MOST_TRIES = 100;
const RETRY_MS = 1_000;

export interface SignedIn {
  readonly user: UserRecord;
  readonly token: IssuedToken;
}

/**
 * @throws Refusal encoder_mismatch, plan_limit_reached, rate_limited, challenge_invalid, no_match,
 * service_unavailable
 */
export async function signInByFace(
  deps: Deps,
  caller: Caller,
  request: MatchRequest,
): Promise<SignedIn & { confidence: number }> {
  const { challengeId } = request;
  const faces = facesIn(deps, request);
  await firstRefusal(
    requireEncoder(deps, caller, request.encoder, request.descriptors), // 4b
    requireAdmission(deps, caller, faces), // 6
  );
  await firstRefusal(
    takeBudgets(deps, caller, 'match', faces), // 6
    deps.galleries.ready(caller.gallery), // 7
    requireChallenge(deps, caller, challengeId),
  );
  const origin = { ip: caller.ip, userAgent: caller.userAgent, liveness: request.liveness };
  let gone: number | null = null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found = await deps.galleries.search(caller.gallery, request.descriptors);
    if (found.verdict !== 'match' || !found.best)
      throw await noMatch(deps, caller, challengeId, found, origin, faces);
    const { user, distance } = found.best;
    const auth = authOf(deps, caller);
    // Start loading the key; a failure surfaces where it is used.
    const signing = deps.signingKeys.current();
    signing.catch(() => undefined);
    const coming = newToken(deps);
    const recorded = await deps.store.recordSignIn({
      gallery: caller.gallery,
      challengeId,
      user,
      at: deps.clock.now(),
      token: coming,
      origin,
      auth,
      matchesOf: userId => matchWindow(deps, caller.gallery, userId),
      // The other faces have failed: they could otherwise be tried beside one's own, which always succeeds.
      failures: failureWindows(deps, caller, faces, faces - 1),
      limited: shareWindows(deps, caller),
      networkOf: knownNetworkOf(deps, caller),
      distanceBin: distanceBin(distance),
    });
    if (recorded.outcome === 'user_gone') {
      // A deleted user is not found twice: this one's stored fields were altered, and only an operator can help.
      if (gone === user) break;
      gone = user;
      continue;
    }
    if (recorded.outcome === 'window_full') throw matchesRefusal(deps, recorded.endsAt);
    if (recorded.outcome === 'failures_full') throw failuresRefusal(deps, recorded.endsAt);
    if (recorded.outcome !== 'signed_in') throw uncountedRefusal(deps, auth, recorded);
    const token = await issueToken(deps, caller, recorded.user, 'face', coming, signing);
    return { user: recorded.user, token, confidence: confidence(distance, deps.settings.matchThreshold) };
  }
  throw new Refusal(
    'service_unavailable',
    'Users are changing too quickly to complete the sign-in. Try again soon.',
    {
      retryAfter: RETRY_MS,
    },
  );
}

const CONFIDENCE_STEPS = 4;

/**
 * How far inside the threshold, in quarters from 0.25 to 1. Finer values rebuild a template: in steps of 0.05, 180
 * sign-ins were enough for a face that could be enrolled beside it and shut its owner out.
 */
function confidence(distance: number, threshold: number): number {
  const inside = Math.min(1, Math.max(0, 1 - distance / threshold));
  return Math.max(1, Math.round(inside * CONFIDENCE_STEPS)) / CONFIDENCE_STEPS;
}

async function noMatch(
  deps: Deps,
  caller: Caller,
  challengeId: string,
  found: SearchResult,
  origin: EventOrigin,
  faces: number,
): Promise<Refusal> {
  // Not if another user is as near: whoever enrolls a look-alike would lock the other out.
  const near =
    found.verdict === 'near' && found.best
      ? await deps.store.findUser(caller.gallery, { number: found.best.user })
      : null;
  noteLookAlikes(deps, caller.gallery, found);
  const auth = authOf(deps, caller);
  const recorded = await deps.store.recordFailedMatch({
    gallery: caller.gallery,
    challengeId,
    during: 'match',
    at: deps.clock.now(),
    nearUser: found.best?.user ?? null,
    distanceBin: found.best && distanceBin(found.best.distance),
    origin,
    auth,
    failures: failedMatchWindows(deps, caller, faces),
    lockout: near && lockoutOf(deps, caller, near.email),
  });
  if (recorded.outcome === 'window_full') return failuresRefusal(deps, recorded.endsAt);
  if (recorded.outcome !== 'recorded') return uncountedRefusal(deps, auth, recorded);
  return new Refusal('no_match', 'The face was not recognised.');
}
