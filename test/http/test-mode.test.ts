/** Test keys: data of their own, caps of their own, and an end for their users. */
import * as assert from 'uvu/assert';
import {
  assertError,
  challenges,
  enroll,
  enrolled,
  type FaceCall,
  faces,
  match,
  planFile,
  someEmail,
  tally,
  usage,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const mode = 'test';
const test = suite('test-mode');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ one: 1 }) } });

const person = (n: number): FaceCall => ({ mode, descriptors: [faces.genuine(n)] });

async function population(app: TestApp, count: number): Promise<void> {
  const ids = await challenges(run, app, count, mode);
  const answers = await Promise.all(
    ids.map((challengeId, n) => enroll(run, app, { ...person(n), challengeId })),
  );
  assert.equal(tally(answers), { 201: count });
}

test('100 test users at once, exact in a burst; live users and other apps do not matter', async () => {
  const app = await run.createApp();
  await population(app, 90);
  const ids = await challenges(run, app, 100, mode);
  const answers = await Promise.all(
    ids.map((challengeId, n) => enroll(run, app, { ...person(100 + n), challengeId })),
  );
  assert.equal(tally(answers), { 201: 10, '403 test_limit_reached': 90 });
  assert.is(usage(run, app, mode).enrolls, 100);
  assert.is(usage(run, app, mode).auths, 100, 'a refused one is no auth');
  await enrolled(run, app, { descriptors: [faces.genuine(300)] });
  await enrolled(run, await run.createApp(), person(300));
});

test('a full house says so before it looks at email and face', async () => {
  const app = await run.createApp();
  const email = someEmail();
  await enrolled(run, app, { ...person(0), fields: { email } });
  const ids = await challenges(run, app, 99, mode);
  await Promise.all(ids.map((challengeId, n) => enroll(run, app, { ...person(n + 1), challengeId })));
  assertError(
    await enroll(run, app, { ...person(0), fields: { email } }),
    'test_limit_reached',
    'both taken',
  );
  assertError(
    await enroll(run, app, { mode, challengeId: 'ch_x' }),
    'challenge_invalid',
    'unknown challenge',
  );
  assert.is((await match(run, app, person(5))).status, 200, 'matching goes on');
});

test('live mode has neither cap', async () => {
  const app = await run.createApp();
  const ids = await challenges(run, app, 210);
  const answers = await Promise.all(
    ids.map((challengeId, n) => enroll(run, app, { challengeId, descriptors: [faces.genuine(n)] })),
  );
  assert.equal(tally(answers), { 201: 210 });
});

test.run();
