/** What an enrolment is refused with when another one comes between its checks. */
import * as assert from 'uvu/assert';
import type { Caller } from '../../src/domain/caller.ts';
import type { Deps } from '../../src/domain/deps.ts';
import { enrol } from '../../src/domain/enrolment.ts';
import { suite } from '../support/suite.ts';

const test = suite('enrolment');

const CONSENT = { accepted: true, policy_version: 'p' };

/** With the number of failed matches that were counted. @param comesFirst somebody with the face, after the first look */
async function refused(comesFirst: { email: boolean }): Promise<[code: string, counted: number]> {
  let looks = 0;
  let counted = 0;
  const gallery = { appId: 'app', mode: 'live' } as const;
  const deps = {
    settings: {
      plans: new Map([['free', { monthlyAuths: 100 }]]),
      limitFailedMatches: 0,
      limitPlanSharePerIp: 0,
      limitFailedFacesPerIpDay: 0,
      limitFailedFacesPerAppDay: 0,
      limitEnrollPerIp: 0,
    },
    clock: { now: () => 0 },
    random: { bytes: (length: number) => Buffer.alloc(length, 7) },
    scores: { enrolment: () => undefined },
    galleries: {
      ready: async () => undefined,
      exclusive: (_: unknown, work: () => Promise<unknown>) => work(),
      search: async () => ({
        verdict: 'match',
        best: { user: 1, distance: 0.1 },
        sequence: 2,
        normalised: [],
      }),
    },
    store: {
      consumeChallenge: async () => true,
      usageOf: async () => ({ auths: 0 }),
      galleryState: async () => ({ sequence: 0, encoder: null }),
      enrolBlocker: async () => (++looks > 1 && comesFirst.email ? 'email_taken' : null),
      recordFailedMatch: async () => {
        counted += 1;
        return { outcome: 'recorded' };
      },
    },
  } as unknown as Deps;
  const caller = { gallery, app: { plan: 'free' } } as unknown as Caller;
  const request = { consent: CONSENT, challengeId: 'ch', descriptors: [], email: 'a@example.com', name: 'A' };
  const fault = await enrol(deps, caller, request as never).catch(error => error);
  if (!fault.code) throw fault;
  return [fault.code, counted];
}

test('the address of the face that was met is taken too: the address comes first, and nothing is counted', async () => {
  assert.equal(await refused({ email: true }), ['email_taken', 0]);
  assert.equal(await refused({ email: false }), ['face_already_enrolled', 1]);
});

test.run();
