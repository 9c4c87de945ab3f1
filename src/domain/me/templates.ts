/**
 * Adds templates: a signed-in user captures their face again, and it is stored. Steps 4b to 10 of the request, in
 * order.
 *
 * Each descriptor must match a template from the enrolment by itself. Learned templates do not count here, so an
 * account cannot drift from one face to another. In addition, nobody else may be within the threshold. The margin is
 * not enough: measured against learned templates, many small steps could end on another person's face and lock that
 * person out.
 *
 * A refusal reveals something about other people. So it counts as a failed match of the caller and as a failure of
 * the user. A daily limit on the user's refused adds stops attempts from many client addresses. Held by
 * test/http/me-template-rules.test.ts, me-template-lockout.test.ts and test/domain/steps.test.ts.
 */
import type { SearchResult } from '../../ports/matcher.ts';
import type { OwnTemplates } from '../../ports/store.ts';
import { TEMPLATES_PER_USER } from '../../protocol/limits.ts';
import type { UserCaller } from '../caller.ts';
import { consumeChallenge } from '../challenges.ts';
import type { Deps } from '../deps.ts';
import { distance } from '../distance.ts';
import { encoderMismatch, requireEncoder } from '../encoder.ts';
import { newId } from '../ids.ts';
import { failuresRefusal, failureWindows, requireFewFailures } from '../limits/admission.ts';
import { addsRefusal, lockoutOf, refusedAddsWindow, requireFewRefusedAdds } from '../limits/lockout.ts';
import { Refusal } from '../refusal.ts';
import { facesIn, type MatchRequest } from '../requests.ts';
import type { SignedIn } from '../sign-in.ts';
import { isFromCode, onBehalf } from '../tokens/claims.ts';
import { issueToken, newToken } from '../tokens/issue.ts';
import { userGone } from '../tokens/user-token.ts';

/** @throws Refusal encoder_mismatch, rate_limited, challenge_invalid, no_match, not_found, service_unavailable */
export async function addOwnTemplates(
  deps: Deps,
  caller: UserCaller,
  request: MatchRequest,
): Promise<SignedIn & { templateCount: number }> {
  await requireEncoder(deps, caller, request.encoder, request.descriptors); // 4b
  await requireFewFailures(deps, caller, facesIn(deps, request)); // 6
  await requireFewRefusedAdds(deps, caller);
  await deps.galleries.ready(caller.gallery);
  await consumeChallenge(deps, caller, request.challengeId);
  const templateCount = await deps.galleries.exclusive(caller.gallery, () => add(deps, caller, request));
  const user = await deps.store.findUser(caller.gallery, { id: caller.user.id });
  if (!user) throw userGone();
  return { user, token: await issueToken(deps, caller, user, 'face', newToken(deps)), templateCount };
}

/** Searches and stores in two steps, which the gallery sequence makes atomic, as in enrolment.ts. */
async function add(deps: Deps, caller: UserCaller, request: MatchRequest): Promise<number> {
  const { store } = deps;
  const { gallery } = caller;
  for (;;) {
    // Checked again after waiting for other calls: success and failure both reveal something about other people.
    await requireFewRefusedAdds(deps, caller);
    const isFirst = await mayEnrolNewFace(deps, caller);
    const found = isFirst
      ? await newToGallery(deps, caller, request.descriptors)
      : await recognise(deps, caller, request.descriptors);
    // If another call of this user, on another node, stored first, the search found this user's own face. Then try
    // again.
    if (!found && isFirst && !(await mayEnrolNewFace(deps, caller))) continue;
    if (!found) {
      // Another call may have set the encoder meanwhile, and its face was met. That counts nothing.
      await requireEncoder(deps, caller, request.encoder);
      throw await notRecognised(deps, caller, request);
    }
    const most = isFirst ? null : TEMPLATES_PER_USER;
    const stored = await store.addTemplates({ ...templatesOf(deps, caller, request, found), most });
    if (stored.outcome === 'user_gone') throw userGone();
    if (stored.outcome === 'other_encoder')
      throw encoderMismatch(gallery, stored.remembered, request.encoder);
    if (stored.outcome === 'stored') return stored.templateCount;
  }
}

/**
 * Whether the user may enroll a new face. This applies when the app has changed its encoder and all the user's
 * templates were erased, so there is no face to match. It requires a token from an email code, because the address is
 * the only proof of identity left. A token from the erased face proves nothing about a new one.
 */
async function mayEnrolNewFace({ store }: Deps, { gallery, user, claims }: UserCaller): Promise<boolean> {
  if (!isFromCode(claims)) return false;
  const profile = await store.profileOf(gallery, user.id);
  if (!profile) throw userGone();
  return profile.templateCount === 0;
}

interface Found {
  readonly vectors: readonly Float32Array[];
  readonly sequence: number;
}

function templatesOf(
  { clock, random }: Deps,
  { gallery, user, claims, ip, userAgent }: UserCaller,
  { encoder, liveness }: MatchRequest,
  { vectors, sequence }: Found,
): Omit<OwnTemplates, 'most'> {
  return {
    gallery,
    userId: user.id,
    at: clock.now(),
    templates: vectors.map(vector => ({ id: newId(random, 'tpl'), vector })),
    encoder: encoder ?? null,
    origin: { ip, userAgent, liveness },
    sequence,
    ...onBehalf(claims),
  };
}

async function notRecognised(deps: Deps, caller: UserCaller, request: MatchRequest): Promise<Refusal> {
  const { gallery, user, ip, userAgent } = caller;
  const recorded = await deps.store.recordFailedAdd({
    gallery,
    userId: user.id,
    at: deps.clock.now(),
    origin: { ip, userAgent, liveness: request.liveness },
    failures: failureWindows(deps, caller, facesIn(deps, request)),
    refused: refusedAddsWindow(deps, gallery, user.id),
    lockout: lockoutOf(deps, caller, user.email),
  });
  if (recorded.outcome === 'user_gone') return userGone();
  if (recorded.outcome === 'window_full') return failuresRefusal(deps, recorded.endsAt);
  if (recorded.outcome === 'locked') return addsRefusal(deps, recorded.endsAt);
  return new Refusal('no_match', 'The face was not recognised as this user.');
}

/**
 * The descriptors as they would be stored, if nobody has a template within the threshold of any of them; otherwise
 * null.
 */
async function newToGallery(
  { galleries }: Deps,
  { gallery }: UserCaller,
  descriptors: MatchRequest['descriptors'],
): Promise<Found | null> {
  const { verdict, normalised, sequence } = await galleries.search(gallery, descriptors);
  return verdict === 'match' || verdict === 'ambiguous' ? null : { vectors: normalised, sequence };
}

/** The descriptors as they would be stored, if each of them matches this user and nobody else; otherwise null. */
async function recognise(
  deps: Deps,
  { gallery, user }: UserCaller,
  descriptors: MatchRequest['descriptors'],
): Promise<Found | null> {
  const enrolled = await deps.store.enrolledTemplates(gallery, user.id);
  const vectors: Float32Array[] = [];
  let sequence: number | null = null;
  for (const descriptor of descriptors) {
    const found = await deps.galleries.search(gallery, [descriptor], marginOfAll(deps));
    const vector = found.normalised[0];
    if (!vector || !matchesOnlyUser(deps, found, enrolled[0]?.user)) return null;
    if (!enrolled.some(own => distance(vector, own.vector) < deps.settings.matchThreshold)) return null;
    vectors.push(vector);
    // Use the sequence of the first search: after any change since then, the store refuses.
    sequence ??= found.sequence;
  }
  return sequence === null ? null : { vectors, sequence };
}

/** The distance of two stored templates is at least minus this, because their norms are within 1e-6 of 1. */
const LEAST_DISTANCE = 2e-6;

/**
 * A margin wide enough that a search reports everyone within the threshold and everyone within the configured margin.
 */
function marginOfAll({ settings: { matchThreshold, matchMargin } }: Deps): number {
  return Math.max(matchMargin, matchThreshold + LEAST_DISTANCE);
}

/** Whether the face matches this user by threshold and margin, with nobody else within the threshold. */
function matchesOnlyUser(
  { settings: { matchThreshold, matchMargin } }: Deps,
  { verdict, best, otherDistance }: SearchResult,
  user: number | undefined,
): boolean {
  // The enrolled templates were read before the search. If they are gone by now, the nearest face is someone else's.
  if (best === null || best.user !== user) return false;
  // The search uses a margin that covers threshold and margin, so everyone else is far enough away.
  if (verdict === 'match') return true;
  // Null for `near` and `none`. `ambiguous` is by the search's wider margin, so the distances decide.
  if (otherDistance === null) return false;
  return otherDistance >= matchThreshold && otherDistance - best.distance >= matchMargin;
}
