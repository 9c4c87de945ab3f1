/** Test keys: data of their own, the fixed code, caps of their own, and an end for their users. */
import * as assert from 'uvu/assert';
import {
  assertError,
  challenges,
  enroll,
  enrolled,
  type FaceCall,
  faces,
  type Json,
  type Mode,
  match,
  planFile,
  someEmail,
  tally,
  usage,
} from '../support/client.ts';
import { freshCode, member, requestCode, signedIn, TEST_CODE, verifyCode } from '../support/codes.ts';
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

test('the code of test mode is 000000, and no message is sent', async () => {
  const app = await run.createApp();
  const { id, email } = await member(run, app, { mode });
  const before = run.mails().length;
  assert.is((await requestCode(run, app, email, { mode })).status, 202);
  assert.is((await signedIn(run, app, email, '000000', { mode })).user.id, id);
  assert.is(run.mails().length, before);
});

test('every other code is wrong in test mode', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app, { mode });
  await requestCode(run, app, email, { mode });
  for (const code of ['000001', '100000', '111111', '999999'])
    assertError(await verifyCode(run, app, email, code, { mode }), 'invalid_code', code);
  await signedIn(run, app, email, TEST_CODE, { mode });
});

test('000000 opens nothing in live mode', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  let code = TEST_CODE;
  while (code === TEST_CODE) code = await freshCode(run, app, email);
  assertError(await verifyCode(run, app, email, TEST_CODE), 'invalid_code');
  await signedIn(run, app, email, code);
});

test('test sign-ins are free of the plan, and counted apart', async () => {
  const app = await run.createApp({ plan: 'one' });
  await member(run, app);
  const { email } = await member(run, app, { mode });
  for (let n = 0; n < 3; n++) {
    await requestCode(run, app, email, { mode });
    await signedIn(run, app, email, TEST_CODE, { mode });
  }
  assert.equal(usage(run, app, mode), { auths: 4, enrolls: 1, matches_ok: 0, matches_failed: 0 });
  assert.is(usage(run, app).auths, 1);
});

interface Tenant {
  app: TestApp;
  mode: Mode;
  user: Json;
}

/** One address in two apps and two modes. */
async function fourTenants(): Promise<{ tenants: Tenant[]; email: string }> {
  const email = `same.${someEmail()}`;
  const tenants: Tenant[] = [];
  for (const app of [await run.createApp({ name: 'One' }), await run.createApp({ name: 'Two' })])
    for (const one of ['live', 'test'] as const)
      tenants.push({ app, mode: one, user: await member(run, app, { mode: one, email }) });
  return { tenants, email };
}

test('a message names its own app only', async () => {
  const { tenants, email } = await fourTenants();
  for (const { app, mode: own } of tenants) await freshCode(run, app, email, { mode: own });
  const subjects = run.mails(email).map(mail => mail.subject);
  assert.is(subjects.length, 2, 'live apps only');
  for (const name of ['One', 'Two']) assert.is(subjects.filter(text => text.includes(name)).length, 1, name);
});

test.run();
