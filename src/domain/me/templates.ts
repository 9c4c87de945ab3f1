/**
 * Adding templates: a signed-in user shows their face again, and it is remembered. Every descriptor has to pass by
 * itself, against a template of the enrolment: what was learned teaches nothing further, so that nobody drifts from
 * one face to another. And nobody else may be within the threshold of it: measured against learned templates the margin
 * is no bar to small steps, which would end on another person's face and lock that person out. A refusal says something
 * about other people, so it counts as a failed match of the caller does, and as a failure of the user, whose failures of a
 * day bound it: from many client addresses it would be answered without end otherwise. Steps 4b to 10 of the request, in their order.
 * test/http/me-template-rules.test.ts and me-template-walk.test.ts hold it.
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
import {
  failuresRefusal,
  failureWindows,
  lockedRefusal,
  lockoutOf,
  requireFewFailures,
  requireFewUserFailures,
} from '../limits/admission.ts';
import { Refusal } from '../refusal.ts';
import type { MatchRequest } from '../requests.ts';
import type { SignedIn } from '../sign-in.ts';
import { isFromCode } from '../tokens/claims.ts';
import { issueToken } from '../tokens/issue.ts';
import { userGone } from '../tokens/user-token.ts';

/** @throws Refusal encoder_mismatch, rate_limited, challenge_invalid, no_match, not_found, service_unavailable */
export async function addOwnTemplates(
  deps: Deps,
  caller: UserCaller,
  request: MatchRequest,
): Promise<SignedIn & { templateCount: number }> {
  await requireEncoder(deps, caller, request.encoder); // 4b
  await requireFewFailures(deps, caller); // 6
  await requireFewUserFailures(deps, caller);
  await deps.galleries.ready(caller.gallery);
  await consumeChallenge(deps, caller, request.challengeId);
  const templateCount = await deps.galleries.exclusive(caller.gallery, () => add(deps, caller, request));
  const user = await deps.store.findUser(caller.gallery, caller.user.id);
  if (!user) throw userGone();
  return { user, token: await issueToken(deps, caller, user, 'face'), templateCount };
}

/** Searched and stored in two steps, which the gallery sequence makes one, as in enrolment. */
async function add(deps: Deps, caller: UserCaller, request: MatchRequest): Promise<number> {
  const { store } = deps;
  const { gallery } = caller;
  for (;;) {
    await requireEncoder(deps, caller, request.encoder);
    // Again, behind the calls that were waited for: yes and no both say something about other people.
    await requireFewUserFailures(deps, caller);
    const isFirst = await mayEnrolAnew(deps, caller);
    const found = isFirst
      ? await newToGallery(deps, caller, request.descriptors)
      : await recognise(deps, caller, request.descriptors);
    // Another call of this user, on another node, may have been first: then the face was found as the user's own.
    if (!found && isFirst && !(await mayEnrolAnew(deps, caller))) continue;
    if (!found) throw await notRecognised(deps, caller, request);
    const templates = templatesOf(deps, caller, request, found);
    const stored = isFirst
      ? await store.addFirst(templates)
      : await store.addLearned({ ...templates, most: TEMPLATES_PER_USER });
    if (stored.outcome === 'user_gone') throw userGone();
    if (stored.outcome === 'other_encoder')
      throw encoderMismatch(gallery, stored.remembered, request.encoder);
    if (stored.outcome === 'stored') return stored.templateCount;
  }
}

/**
 * A user whose templates were all erased, because the app has changed its encoder, has no face to be recognised by. An
 * email code proves the address, which is all that an account without a face is known by: so with the token of
 * one, and with no other, the user enrolls a face anew. A token from a face that is gone proves nothing about the next.
 */
async function mayEnrolAnew({ store }: Deps, { gallery, user, claims }: UserCaller): Promise<boolean> {
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
  { gallery, user, ip, userAgent }: UserCaller,
  { encoder, liveness }: MatchRequest,
  { vectors, sequence }: Found,
): OwnTemplates {
  return {
    gallery,
    userId: user.id,
    at: clock.now(),
    templates: vectors.map(vector => ({ id: newId(random, 'tpl'), vector })),
    encoder: encoder ?? null,
    origin: { ip, userAgent, liveness },
    sequence,
  };
}

async function notRecognised(deps: Deps, caller: UserCaller, { liveness }: MatchRequest): Promise<Refusal> {
  const { gallery, user, ip, userAgent } = caller;
  const recorded = await deps.store.recordFailedAdd({
    gallery,
    userId: user.id,
    at: deps.clock.now(),
    origin: { ip, userAgent, liveness },
    failures: failureWindows(deps, caller),
    lockout: lockoutOf(deps, gallery, user.email),
  });
  if (recorded.outcome === 'user_gone') return userGone();
  if (recorded.outcome === 'window_full') return failuresRefusal(deps, recorded.endsAt);
  if (recorded.outcome === 'locked') return lockedRefusal(deps, recorded.endsAt);
  return new Refusal('no_match', 'The face was not recognised as that of this user.');
}

/** The descriptors as they would be stored, when nobody has a template within the threshold of one of them; else null. */
async function newToGallery(
  { galleries }: Deps,
  { gallery }: UserCaller,
  descriptors: MatchRequest['descriptors'],
): Promise<Found | null> {
  const { verdict, normalised, sequence } = await galleries.search(gallery, descriptors);
  return verdict === 'match' || verdict === 'ambiguous' ? null : { vectors: normalised, sequence };
}

/** The descriptors as they would be stored, when each of them is the user's and nobody else's; else null. */
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
    if (!vector || !isAlone(deps, found, enrolled[0]?.user)) return null;
    if (!enrolled.some(own => distance(vector, own.vector) < deps.settings.matchThreshold)) return null;
    vectors.push(vector);
    // The oldest of the searches counts: a change since then makes the store refuse.
    sequence ??= found.sequence;
  }
  return sequence === null ? null : { vectors, sequence };
}

/** Two stored templates are this far below 0 apart at most: their norms are within 1e-6 of 1. */
const LEAST_DISTANCE = 2e-6;

/** A margin that tells of everybody who is within the threshold, and of everybody who is within the margin. */
function marginOfAll({ settings: { matchThreshold, matchMargin } }: Deps): number {
  return Math.max(matchMargin, matchThreshold + LEAST_DISTANCE);
}

/** Whether the face is the user's by threshold and margin, with nobody else within the threshold. */
function isAlone(
  { settings: { matchThreshold, matchMargin } }: Deps,
  { verdict, best, otherDistance }: SearchResult,
  user: number | undefined,
): boolean {
  // The user's templates were read before the search. If they have gone since, the nearest face is another person's.
  if (best === null || best.user !== user) return false;
  // Everybody else is beyond the margin of the search, which reaches past threshold and margin.
  if (verdict === 'match') return true;
  // Known when the verdict is `ambiguous`: by the wider margin of the search, which decides nothing here.
  if (otherDistance === null) return false;
  return otherDistance >= matchThreshold && otherDistance - best.distance >= matchMargin;
}
