/**
 * Adding templates: a signed-in user shows the own face again, and it is remembered. Every descriptor has to pass by
 * itself, and against a template of the enrolment: what was learned teaches nothing further, so that nobody drifts from
 * one face to another. Steps 4b to 10 of the request, in their order.
 */
import type { OwnTemplates } from '../../ports/store.ts';
import { TEMPLATES_PER_USER } from '../../protocol/limits.ts';
import type { UserCaller } from '../caller.ts';
import { consumeChallenge } from '../challenges.ts';
import type { Deps } from '../deps.ts';
import { distance } from '../distance.ts';
import { encoderMismatch, requireEncoder } from '../encoder.ts';
import { newId } from '../ids.ts';
import { lockoutWindow } from '../limits/admission.ts';
import { Refusal } from '../refusal.ts';
import type { MatchRequest } from '../requests.ts';
import type { SignedIn } from '../sign-in.ts';
import { issueToken } from '../tokens/issue.ts';
import { userGone } from '../tokens/user-token.ts';

/** @throws Refusal encoder_mismatch, challenge_invalid, no_match, not_found, service_unavailable */
export async function addOwnTemplates(
  deps: Deps,
  caller: UserCaller,
  request: MatchRequest,
): Promise<SignedIn & { templateCount: number }> {
  await requireEncoder(deps, caller, request.encoder); // 4b
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
  const [method, ...others] = claims.amr;
  if (method !== 'otp' || others.length > 0) return false;
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

async function notRecognised(
  deps: Deps,
  { gallery, user, ip, userAgent }: UserCaller,
  { liveness }: MatchRequest,
): Promise<Refusal> {
  const lockout = lockoutWindow(deps, gallery, user.email);
  const origin = { ip, userAgent, liveness };
  await deps.store.recordFailedAdd({ gallery, userId: user.id, at: deps.clock.now(), origin, lockout });
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

/** The descriptors as they would be stored, when each of them is the user's; else null. */
async function recognise(
  deps: Deps,
  { gallery, user }: UserCaller,
  descriptors: MatchRequest['descriptors'],
): Promise<Found | null> {
  const enrolled = await deps.store.enrolledTemplates(gallery, user.id);
  const vectors: Float32Array[] = [];
  let sequence: number | null = null;
  for (const descriptor of descriptors) {
    const found = await deps.galleries.search(gallery, [descriptor]);
    const vector = found.normalised[0];
    if (!vector || found.verdict !== 'match' || found.best?.userId !== user.id) return null;
    if (!enrolled.some(template => distance(vector, template) < deps.settings.matchThreshold)) return null;
    vectors.push(vector);
    // The oldest of the searches counts: a change since then makes the store refuse.
    sequence ??= found.sequence;
  }
  return sequence === null ? null : { vectors, sequence };
}
