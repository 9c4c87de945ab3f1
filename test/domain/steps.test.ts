/**
 * Steps whose order cannot be seen from outside: what must not have happened yet, what must be done already, and what a
 * request is refused with when another one comes between its checks. Only fakes can stop there; the other rules are in
 * test/http.
 */
import * as assert from 'uvu/assert';
import type { Caller, UserCaller } from '../../src/domain/caller.ts';
import { enrol } from '../../src/domain/enrolment.ts';
import { addOwnTemplates } from '../../src/domain/me/templates.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { signInByFace } from '../../src/domain/sign-in.ts';
import { deleteUser } from '../../src/domain/users.ts';
import type { SearchResult } from '../../src/ports/matcher.ts';
import { suite } from '../support/suite.ts';
import { FakeMatcher, FakeStore, galleryOf, ids, keeper, unlimited } from './gallery-fakes.ts';

const test = suite('steps');
const VECTOR = Float32Array.from({ length: 128 }, (_, i) => (i === 0 ? 1 : 0));
const caller = {
  gallery: galleryOf('a'),
  app: { plan: 'free' },
  user: { id: 'usr_1', email: 'ana@example.com' },
  claims: { amr: ['face'] },
} as unknown as UserCaller;
const request = {
  challengeId: 'ch',
  descriptors: [] as number[][],
  encoder: undefined,
  liveness: undefined,
  email: 'ana@example.com',
  name: '',
  consent: { accepted: true, policy_version: '1' },
};

/** A store that has these answers, null to all else, and tells which verbs it was asked. */
function storeOf(answers: Readonly<Record<string, unknown>> = {}) {
  const verbs: string[] = [];
  const store = new Proxy(
    {},
    {
      get: (_, verb) => async () => {
        verbs.push(String(verb));
        const answer = answers[String(verb)] ?? null;
        return typeof answer === 'function' ? answer() : answer;
      },
    },
  );
  return { store, verbs };
}

const galleriesWith = (found: Partial<SearchResult>) => ({
  ready: async () => undefined,
  exclusive: (_: unknown, work: () => unknown) => work(),
  search: async () => ({
    verdict: 'none',
    best: null,
    otherDistance: null,
    normalised: [VECTOR],
    sequence: 5,
    ...found,
  }),
});

test('a gallery that does not load: nothing is consumed or counted, neither by enroll, match nor template add', async () => {
  const { store, verbs } = storeOf();
  const late = new Refusal('service_unavailable', 'Being loaded.', { retryAfter: 10_000 });
  const deps = unlimited({ store, galleries: { ready: () => Promise.reject(late) } });
  for (const step of [enrol, signInByFace, addOwnTemplates]) {
    assert.is(await step(deps, caller, request).catch((error: unknown) => error), late);
    // Looked at, but not consumed.
    assert.equal(
      verbs.filter(verb => verb !== 'challengeIsOpen'),
      [],
    );
  }
});

test('a deleted user is out of the matcher before the answer', async () => {
  const [store, matcher, gallery] = [new FakeStore(), new FakeMatcher(), galleryOf('a')];
  const { galleries } = keeper(store, matcher);
  store.add(gallery, ...ids(3));
  await galleries.ready(gallery);
  assert.equal(matcher.ids(gallery), ids(3));
  const deleting = Object.assign(store.asStore(), {
    deleteUsers: async () => {
      store.remove(gallery, 't1');
      return 1;
    },
  });
  await deleteUser(unlimited({ store: deleting, galleries }), { gallery } as unknown as Caller, 'usr_1', {
    reason: 'self',
  });
  assert.equal(matcher.ids(gallery), ['t0', 't2']);
});

for (const [first, code, counted] of [
  ['email_taken', 'email_taken', 0],
  [null, 'face_already_enrolled', 1],
] as const)
  test(`a face that is met while an address is enrolled, and ${first ?? 'nobody'} comes first: ${code}, ${counted} counted`, async () => {
    let looks = 0;
    const { store, verbs } = storeOf({
      consumeChallenge: true,
      usageOf: { auths: 0 },
      enrolBlocker: () => (++looks > 1 ? first : null),
      recordFailedMatch: { outcome: 'recorded' },
    });
    const galleries = galleriesWith({ verdict: 'match', best: { user: 1, distance: 0.1 } });
    const fault = await enrol(unlimited({ store, galleries }), caller, request).catch(error => error);
    assert.is(fault.code, code, String(fault));
    assert.is(verbs.filter(verb => verb === 'recordFailedMatch').length, counted);
  });

/** What is asked of the store when a user with an enrolled face adds one, and the search has this result. */
async function asked(found: Partial<SearchResult>): Promise<{ verbs: string[]; thrown: unknown }> {
  const { store, verbs } = storeOf({
    consumeChallenge: true,
    enrolledTemplates: [{ user: 1, vector: VECTOR }],
    recordFailedAdd: { outcome: 'recorded' },
    addTemplates: { outcome: 'user_gone' },
  });
  const deps = unlimited({ store, galleries: galleriesWith(found) });
  const adding = addOwnTemplates(deps, caller, { ...request, descriptors: [[...VECTOR]] });
  return { verbs, thrown: await adding.catch((error: unknown) => error) };
}

test('a face that the search finds to be the user is passed on to the store', async () => {
  const { verbs } = await asked({ verdict: 'match', best: { user: 1, distance: 0 } });
  assert.ok(verbs.includes('addTemplates'), verbs.join());
});

// They were read before the search, so what the search finds is not the user's face.
for (const [what, found] of [
  ['the nearest face is now of somebody else', { verdict: 'match', best: { user: 2, distance: 0.1 } }],
  ['the nearest face is now the user’s, but too far', { verdict: 'near', best: { user: 1, distance: 0.4 } }],
  ['nobody is near now', { verdict: 'none', best: null }],
] as [string, Partial<SearchResult>][])
  test(`enrolled templates removed before the search, ${what}: no_match, and nothing is stored`, async () => {
    const { verbs, thrown } = await asked(found);
    assert.ok(thrown instanceof Refusal && thrown.code === 'no_match', `${thrown}`);
    assert.ok(verbs.includes('recordFailedAdd'), verbs.join());
    assert.not(verbs.includes('addTemplates'));
  });

test.run();
