/**
 * Adding templates: a signed-in user shows the own face again, and it is remembered. Every descriptor has to pass by
 * itself, and against a template of the enrolment: what was learned teaches nothing further, so that nobody drifts from
 * one face to another. Steps 7 to 10 of the request, in their order.
 */
import { TEMPLATES_PER_USER } from '../../protocol/limits.ts';
import type { UserCaller } from '../caller.ts';
import { consumeChallenge } from '../challenges.ts';
import type { Deps } from '../deps.ts';
import { distance } from '../distance.ts';
import { newId } from '../ids.ts';
import { lockoutWindow } from '../limits/admission.ts';
import { Refusal } from '../refusal.ts';
import type { MatchRequest } from '../requests.ts';
import type { SignedIn } from '../sign-in.ts';
import { issueToken } from '../tokens/issue.ts';
import { userGone } from '../tokens/user-token.ts';

/** @throws Refusal challenge_invalid, no_match, not_found, service_unavailable */
export async function addOwnTemplates(
  deps: Deps,
  caller: UserCaller,
  request: MatchRequest,
): Promise<SignedIn & { templateCount: number }> {
  await deps.galleries.ready(caller.gallery);
  await consumeChallenge(deps, caller, request.challengeId);
  const templateCount = await deps.galleries.exclusive(caller.gallery, () => learn(deps, caller, request));
  const user = await deps.store.findUser(caller.gallery, caller.user.id);
  if (!user) throw userGone();
  return { user, token: await issueToken(deps, caller, user, 'face'), templateCount };
}

/** Searched and stored in two steps, which the gallery sequence makes one, as in enrolment. */
async function learn(deps: Deps, caller: UserCaller, request: MatchRequest): Promise<number> {
  const { store, clock, random } = deps;
  const { gallery, user, ip, userAgent } = caller;
  const origin = { ip, userAgent, liveness: request.liveness };
  for (;;) {
    const recognised = await recognise(deps, caller, request.descriptors);
    const at = clock.now();
    if (!recognised) {
      const lockout = lockoutWindow(deps, gallery, user.email);
      await store.recordFailedAdd({ gallery, userId: user.id, at, origin, lockout });
      throw new Refusal('no_match', 'The face was not recognised as that of this user.');
    }
    const stored = await store.addLearned({
      gallery,
      userId: user.id,
      at,
      templates: recognised.vectors.map(vector => ({ id: newId(random, 'tpl'), vector })),
      origin,
      sequence: recognised.sequence,
      most: TEMPLATES_PER_USER,
    });
    if (stored.outcome === 'user_gone') throw userGone();
    if (stored.outcome === 'stored') return stored.templateCount;
  }
}

/** The descriptors as they would be stored, when each of them is the user's; else null. */
async function recognise(
  deps: Deps,
  { gallery, user }: UserCaller,
  descriptors: MatchRequest['descriptors'],
): Promise<{ vectors: Float32Array[]; sequence: number } | null> {
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
