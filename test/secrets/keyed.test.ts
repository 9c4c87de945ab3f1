/**
 * Codes, addresses and emails are few enough to be tried one by one: a hash of them is worth something only as long as
 * it cannot be computed without the master secret. Every place that stores one is asked with two secrets.
 */
import * as assert from 'uvu/assert';
import { keyedHashes } from '../../src/adapters/secrets/master.ts';
import type { UserCaller } from '../../src/domain/caller.ts';
import { codeHash } from '../../src/domain/codes/code.ts';
import type { Deps } from '../../src/domain/deps.ts';
import { failureWindows, matchesKey, takeBudgets } from '../../src/domain/limits/admission.ts';
import {
  admitCodeRequest,
  admitEmailChange,
  limitCodeRequests,
  limitCodeVerifies,
} from '../../src/domain/limits/code-limits.ts';
import { lockoutKey } from '../../src/domain/limits/lockout.ts';
import type { Window } from '../../src/ports/store.ts';
import { galleryOf } from '../domain/gallery-fakes.ts';
import { clockAt } from '../support/clock.ts';
import { suite } from '../support/suite.ts';

const test = suite('keyed hashes');
const EMAIL = 'ana@example.com';
const NETWORK = '192.0.2.1';
const caller = {
  app: { plan: 'free' },
  gallery: galleryOf('app_1'),
  network: NETWORK,
  site: null,
  user: { id: 'usr_1' },
} as unknown as UserCaller;

/** A service with this master secret, and the keys of the windows that were taken of it. */
function service(secret: number) {
  const taken: string[] = [];
  const store = {
    peekWindow: async () => null,
    takeWindows: async (windows: readonly Window[]) => {
      taken.push(...windows.map(({ key }) => key));
      return { taken: true };
    },
  };
  const plans = new Map([['free', { monthlyAuths: null, liveKeys: 1, testKeys: 1 }]]);
  const deps = {
    store,
    clock: clockAt(0),
    secrets: keyedHashes(Buffer.alloc(32, secret)),
    windows: { take: () => undefined },
    settings: {
      plans,
      limitPlanSharePerIp: 0,
      limitFailedMatches: 1,
      limitFailedFacesPerIpDay: 1,
      limitFailedFacesPerAppDay: 1,
      limitCodePerIp: 1,
      limitVerifyPerIp: 1,
      limitCodePerIpDay: 1,
      limitEnrollPerIp: 1,
    },
  } as unknown as Deps;
  return { deps, taken };
}

/** By what each of them is stored. */
const stored: Record<string, (deps: Deps, taken: readonly string[]) => unknown> = {
  'a code': deps => codeHash(deps, 'sign-in', caller.gallery, 'usr_1', '123456'),
  'a code of a change': deps => codeHash(deps, 'email-change', caller.gallery, 'usr_1', '123456'),
  'failed matches of an address': deps => failureWindows(deps, caller, 1)[0]?.key,
  'failed faces of an address on a day': deps => failureWindows(deps, caller, 1)[1]?.key,
  'failures of a user': deps => lockoutKey(deps, caller.gallery, EMAIL),
  'sign-ins of a user': deps => matchesKey(deps, caller.gallery, 'usr_1'),
  'code requests of an address': async (deps, taken) => {
    await limitCodeRequests(deps, caller);
    return taken[0];
  },
  'code verifies of an address': async (deps, taken) => {
    await limitCodeVerifies(deps, caller);
    return taken[0];
  },
  'code requests for an email': async (deps, taken) => {
    await admitCodeRequest(deps, caller, EMAIL);
    return taken[0];
  },
  'code requests of an address on a day': async (deps, taken) => {
    await admitCodeRequest(deps, caller, EMAIL);
    return taken[1];
  },
  'enrolls of an address': async (deps, taken) => {
    await takeBudgets(deps, caller, 'enroll', 1);
    return taken[0];
  },
  'enrolls of an address on a day': async (deps, taken) => {
    await takeBudgets(deps, caller, 'enroll', 1);
    return taken[1];
  },
  'changes to an email': async (deps, taken) => {
    await admitEmailChange(deps, caller, EMAIL);
    return taken[1];
  },
};
for (const [what, ask] of Object.entries(stored)) {
  test(`what is stored of ${what} needs the master secret, and holds nothing of it in the clear`, async () => {
    const [one, again, other] = await Promise.all(
      [7, 7, 8].map(async secret => {
        const { deps, taken } = service(secret);
        return String(await ask(deps, taken));
      }),
    );
    assert.is(one, again);
    assert.is.not(one, other);
    for (const clear of [EMAIL, NETWORK, '123456']) assert.not(one?.includes(clear), one);
  });
}

test.run();
