/**
 * Enrolment: steps 4b to 10 of a request to enroll, in order.
 *
 * Searching for the face and storing it are two steps. The gallery sequence makes them atomic: if the gallery has
 * changed since the search, the store refuses, and the search is repeated. Within one process, enrolments in the same
 * gallery run one at a time, so they do not invalidate each other's searches.
 */
import type { Enrolment } from '../ports/store.ts';
import { isPolicyVersion, POLICY_VERSION_RULE } from '../protocol/fields.ts';
import { TEST_USERS_AT_ONCE } from '../protocol/limits.ts';
import type { Caller } from './caller.ts';
import { consumeChallenge } from './challenges.ts';
import type { Deps } from './deps.ts';
import { encoderMismatch, requireEncoder } from './encoder.ts';
import { newId } from './ids.ts';
import {
  authOf,
  failedMatchWindows,
  failuresRefusal,
  requireAdmission,
  SHARE_USED,
  shareWindows,
  takeBudgets,
  uncountedRefusal,
} from './limits/admission.ts';
import { emailTaken, Refusal } from './refusal.ts';
import { type EnrollRequest, facesIn } from './requests.ts';
import type { SignedIn } from './sign-in.ts';
import { issueToken, newToken } from './tokens/issue.ts';

/**
 * @throws Refusal encoder_mismatch, consent_required, plan_limit_reached, rate_limited, challenge_invalid,
 * test_limit_reached, email_taken, face_already_enrolled
 */
export async function enrol(deps: Deps, caller: Caller, request: EnrollRequest): Promise<SignedIn> {
  await requireEncoder(deps, caller, request.encoder, request.descriptors); // 4b
  const policyVersion = requireConsent(request.consent);
  const faces = facesIn(deps, request);
  await requireAdmission(deps, caller, faces); // 6
  await takeBudgets(deps, caller, 'enroll', faces);
  await deps.galleries.ready(caller.gallery);
  await consumeChallenge(deps, caller, request.challengeId);
  const enrolment = await deps.galleries.exclusive(caller.gallery, () =>
    storeNewFace(deps, caller, { ...request, faces }, policyVersion),
  );
  const user = {
    ...enrolment.user,
    emailVerified: false,
    faceInQuestion: false,
    createdAt: enrolment.at,
    lastSignInAt: null,
  };
  return { user, token: await issueToken(deps, caller, user, 'face', enrolment.token) };
}

async function storeNewFace(
  deps: Deps,
  caller: Caller,
  request: EnrollRequest & { readonly faces: number },
  policyVersion: string,
): Promise<Enrolment> {
  const { store, galleries, scores, clock, random } = deps;
  const { gallery, ip, userAgent } = caller;
  const maximumUsers = gallery.mode === 'test' ? TEST_USERS_AT_ONCE : null;
  const user = { id: newId(random, 'usr'), email: request.email, name: request.name };
  const origin = { ip, userAgent, liveness: request.liveness };
  const refuseBlocked = async () => {
    const blocker = await store.enrolBlocker(gallery, user.email, maximumUsers);
    if (blocker) throw blocked(blocker);
  };
  for (;;) {
    await refuseBlocked();
    const found = await galleries.search(gallery, request.descriptors);
    const auth = authOf(deps, caller);
    const at = clock.now();
    if (found.verdict === 'match' || found.verdict === 'ambiguous') {
      // Checked again: the face that was met may have come meanwhile, with encoder and address. That counts nothing.
      await requireEncoder(deps, caller, request.encoder);
      await refuseBlocked();
      scores.enrolment(gallery, true);
      const nearUser = found.best?.user ?? null;
      throw await knownFace(deps, caller, request.faces, { at, auth, origin, nearUser });
    }
    const templates = found.normalised.map(vector => ({ id: newId(random, 'tpl'), vector }));
    const enrolment: Enrolment = {
      gallery,
      user,
      at,
      templates,
      encoder: request.encoder ?? null,
      policyVersion,
      token: newToken(deps),
      origin,
      auth,
      limited: shareWindows(deps, caller),
      maximumUsers,
      sequence: found.sequence,
    };
    const stored = await store.enrol(enrolment);
    if (stored.outcome === 'enrolled') {
      // The first enrolment into an empty gallery was compared with no one.
      if (found.sequence > 0) scores.enrolment(gallery, false);
      return enrolment;
    }
    if (stored.outcome === 'other_encoder')
      throw encoderMismatch(gallery, stored.remembered, request.encoder);
    if (stored.outcome === 'window_full') throw failuresRefusal(deps, stored.endsAt, SHARE_USED);
    if (stored.outcome === 'plan_limit' || stored.outcome === 'app_gone') {
      throw uncountedRefusal(deps, auth, stored);
    }
    if (stored.outcome !== 'stale') throw blocked(stored.outcome);
  }
}

/**
 * The face belongs to a user. Counts an auth, and all faces of the request as failed ones. The refusal does not say
 * which user.
 */
async function knownFace(
  deps: Deps,
  caller: Caller,
  faces: number,
  found: Pick<Enrolment, 'at' | 'auth' | 'origin'> & { nearUser: number | null },
): Promise<Refusal> {
  const recorded = await deps.store.recordFailedMatch({
    gallery: caller.gallery,
    challengeId: null,
    during: 'enroll',
    ...found,
    distanceBin: null,
    failures: failedMatchWindows(deps, caller, faces),
    lockout: null,
  });
  if (recorded.outcome === 'window_full') return failuresRefusal(deps, recorded.endsAt);
  if (recorded.outcome !== 'recorded') return uncountedRefusal(deps, found.auth, recorded);
  return new Refusal('face_already_enrolled', 'This face is already enrolled in this app: sign in instead.');
}

function blocked(why: 'test_users_full' | 'email_taken'): Refusal {
  return why === 'email_taken'
    ? emailTaken('email')
    : new Refusal(
        'test_limit_reached',
        `The app has ${TEST_USERS_AT_ONCE} test users, which is the maximum: delete some first.`,
      );
}

/**
 * Step 5: enrolment requires recorded consent.
 * @returns the version of the notice that was accepted
 * @throws Refusal consent_required; invalid_request when consent was given without naming the notice
 */
function requireConsent(consent: unknown): string {
  const { accepted, policy_version } = isObject(consent) ? consent : {};
  if (accepted !== true) {
    throw new Refusal(
      'consent_required',
      "consent.accepted must be true: enrollment requires the person's consent.",
    );
  }
  if (isPolicyVersion(policy_version)) return policy_version;
  throw new Refusal(
    'invalid_request',
    `consent.policy_version: name the notice shown, in a string of ${POLICY_VERSION_RULE}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
