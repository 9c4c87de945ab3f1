/**
 * Adding templates while the user's enrolled ones are removed: they were read before the search, so what the search
 * finds is not their face. Only fakes can stop between the two; the other rules are in test/http/me-template-rules.test.ts.
 */
import * as assert from 'uvu/assert';
import type { UserCaller } from '../../src/domain/caller.ts';
import type { Deps } from '../../src/domain/deps.ts';
import { addOwnTemplates } from '../../src/domain/me/templates.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { SearchResult } from '../../src/ports/matcher.ts';
import type { Store } from '../../src/ports/store.ts';
import { clockAt } from '../support/clock.ts';
import { seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';
import { galleryOf } from './gallery-fakes.ts';

const test = suite('own templates');
const USER = 1;
const VECTOR = Float32Array.from({ length: 128 }, (_, i) => (i === 0 ? 1 : 0));

/** What is asked of the store when the search has this result. */
async function asked(found: Partial<SearchResult>): Promise<{ verbs: string[]; thrown: unknown }> {
  const verbs: string[] = [];
  const answers: Record<string, unknown> = {
    consumeChallenge: true,
    enrolledTemplates: [{ user: USER, vector: VECTOR }],
    recordFailedAdd: { outcome: 'recorded' },
    addTemplates: { outcome: 'user_gone' },
  };
  const store = new Proxy({} as Store, {
    get: (_, verb) => async () => {
      verbs.push(String(verb));
      return answers[String(verb)] ?? null;
    },
  });
  const result = {
    verdict: 'none',
    best: null,
    otherDistance: null,
    normalised: [VECTOR],
    sequence: 5,
    ...found,
  };
  const deps = {
    store,
    clock: clockAt(0),
    random: seeded(1),
    secrets: { hash: () => 'hash' },
    settings: {
      matchThreshold: 0.35,
      matchMargin: 0.03,
      limitFailedMatches: 0,
      limitPlanSharePerIp: 0,
      limitFailedFacesPerIpDay: 0,
      limitFailedFacesPerAppDay: 0,
      limitUserFailuresDay: 0,
    },
    galleries: {
      ready: async () => undefined,
      exclusive: (_: unknown, work: () => unknown) => work(),
      search: async () => result,
    },
  } as unknown as Deps;
  const caller = {
    gallery: galleryOf('a'),
    app: { plan: 'free' },
    user: { id: 'usr_1', email: 'ana@example.com' },
    claims: { amr: ['face'] },
  } as unknown as UserCaller;
  const thrown = await addOwnTemplates(deps, caller, {
    challengeId: 'ch',
    descriptors: [VECTOR],
    encoder: undefined,
    liveness: undefined,
  } as unknown as Parameters<typeof addOwnTemplates>[2]).catch((error: unknown) => error);
  return { verbs, thrown };
}

test('a face that the search finds to be the user is passed on to the store', async () => {
  const { verbs } = await asked({ verdict: 'match', best: { user: USER, distance: 0 } });
  assert.ok(verbs.includes('addTemplates'), verbs.join());
});

for (const [what, found] of [
  ['the nearest face is now of somebody else', { verdict: 'match', best: { user: 2, distance: 0.1 } }],
  [
    'the nearest face is now the user’s, but too far',
    { verdict: 'near', best: { user: USER, distance: 0.4 } },
  ],
  ['nobody is near now', { verdict: 'none', best: null }],
] as [string, Partial<SearchResult>][])
  test(`enrolled templates removed before the search, ${what}: no_match, and nothing is stored`, async () => {
    const { verbs, thrown } = await asked(found);
    assert.ok(thrown instanceof Refusal && thrown.code === 'no_match', `${thrown}`);
    assert.ok(verbs.includes('recordFailedAdd'), verbs.join());
    assert.not(verbs.includes('addTemplates'));
  });

test.run();
