/** Steps whose order cannot be seen from outside: what must not have happened yet, and what must be done already. */
import * as assert from 'uvu/assert';
import type { Caller, UserCaller } from '../../src/domain/caller.ts';
import type { Deps } from '../../src/domain/deps.ts';
import { enrol } from '../../src/domain/enrolment.ts';
import { addOwnTemplates } from '../../src/domain/me/templates.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { signInByFace } from '../../src/domain/sign-in.ts';
import { deleteUser } from '../../src/domain/users.ts';
import type { Store } from '../../src/ports/store.ts';
import { clockAt } from '../support/clock.ts';
import { suite } from '../support/suite.ts';
import { FakeMatcher, FakeStore, galleryOf, ids, keeper } from './gallery-fakes.ts';

const test = suite('steps');

test('a gallery that does not load: nothing is consumed or counted, neither by enroll, match nor template add', async () => {
  const asked: string[] = [];
  const store = new Proxy({} as Store, {
    get: (_, verb) => async () => {
      asked.push(String(verb));
      return null;
    },
  });
  const late = new Refusal('service_unavailable', 'Being loaded.', { retryAfter: 10_000 });
  const deps = {
    store,
    clock: clockAt(0),
    windows: { take: () => undefined },
    secrets: { hash: () => 'hash' },
    settings: {
      plans: new Map([['free', { monthlyAuths: null, liveKeys: 1, testKeys: 1 }]]),
      limitFailedMatches: 0,
      limitPlanSharePerIp: 0,
      limitFailedFacesPerIpDay: 0,
      limitFailedFacesPerAppDay: 0,
      limitUserFailuresDay: 0,
      limitEnrollPerIp: 0,
      limitAppPerMinute: 0,
    },
    galleries: { ready: () => Promise.reject(late) },
  } as unknown as Deps;
  const app = { plan: 'free' };
  const caller = {
    gallery: galleryOf('a'),
    app,
    user: { id: 'usr_1', email: 'ana@example.com' },
  } as unknown as UserCaller;
  const request = {
    challengeId: 'ch',
    descriptors: [],
    encoder: undefined,
    liveness: undefined,
    email: 'ana@example.com',
    name: '',
    consent: { accepted: true, policy_version: '1' },
  };
  for (const step of [enrol, signInByFace, addOwnTemplates]) {
    const thrown = await step(deps, caller, request).then(
      () => null,
      (error: unknown) => error,
    );
    assert.is(thrown, late);
    // Looked at, but not consumed.
    assert.equal(
      asked.filter(verb => verb !== 'challengeIsOpen'),
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
  const deps = { store: deleting, clock: clockAt(0), galleries } as unknown as Deps;
  await deleteUser(deps, { gallery } as unknown as Caller, 'usr_1');
  assert.equal(matcher.ids(gallery), ['t0', 't2']);
});

test.run();
