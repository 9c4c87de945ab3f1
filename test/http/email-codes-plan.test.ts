/** The plan and the order of limits at email codes: what is told first, and what stays unused. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  faces,
  iso,
  match,
  planFile,
  soon,
  tally,
  usage,
} from '../support/client.ts';
import {
  failCodes,
  freshCode,
  member,
  requestCode,
  signedIn,
  verifyCode,
  wrongCode,
} from '../support/codes.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: plan');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ one: 1, two: 2, three: 3, thirty: 30 }) } });

function spent(answer: Answer, limit: number, note = ''): void {
  assertError(answer, 'plan_limit_reached', note);
  const now = new Date(run.clock.now());
  const resets_at = iso(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  const { code: _, message: __, ...rest } = answer.json.error;
  assert.equal(rest, { limit, used: limit, resets_at }, note);
}
async function enlarge(app: TestApp, plan: string): Promise<void> {
  await run.cli(['app', 'update', app.id, '--plan', plan]);
  const unknownEmail = 'probe@example.com';
  await soon(
    async () => (await verifyCode(run, app, unknownEmail, '123456')).status !== 429,
    `the plan ${plan}`,
  );
}

test('a sign-in by code uses the plan up, and the next one is told when it resets', async () => {
  const app = await run.createApp({ plan: 'two' });
  const { email } = await member(run, app);
  await signedIn(run, app, email, await freshCode(run, app, email));
  spent(await verifyCode(run, app, email, await freshCode(run, app, email)), 2);
  assertError(await match(run, app, { challengeId: 'ch_x' }), 'plan_limit_reached', 'match');
  assert.is(usage(run, app).auths, 2);
});

test('a plan that is used up does not use the code up', async () => {
  const app = await run.createApp({ plan: 'one' });
  const { email } = await member(run, app);
  const code = await freshCode(run, app, email);
  for (let n = 0; n < 6; n++) spent(await verifyCode(run, app, email, code), 1);
  await enlarge(app, 'two');
  await signedIn(run, app, email, code);
});

test('with the plan used up a wrong code is neither reported nor counted', async () => {
  const app = await run.createApp({ plan: 'one' });
  const { email } = await member(run, app);
  const code = await freshCode(run, app, email);
  for (let n = 0; n < 7; n++) spent(await verifyCode(run, app, email, wrongCode(code, n)), 1, 'known');
  for (let n = 0; n < 7; n++) spent(await verifyCode(run, app, 'nobody@example.com', '123456'), 1, 'unknown');
  await enlarge(app, 'three');
  await failCodes(run, app, email, 4, { right: code });
  await signedIn(run, app, email, code);
  await failCodes(run, app, 'nobody@example.com', 5);
});

test('asking for a code goes on when the plan is used up', async () => {
  const app = await run.createApp({ plan: 'one' });
  const { email } = await member(run, app);
  await freshCode(run, app, email);
  assert.is((await requestCode(run, app, 'nobody@example.com')).status, 202);
  assert.is(usage(run, app).auths, 1);
});

test('wrong codes use nothing of the plan', async () => {
  const app = await run.createApp({ plan: 'two' });
  const { email } = await member(run, app);
  const code = await freshCode(run, app, email);
  await failCodes(run, app, email, 4, { right: code });
  await failCodes(run, app, 'nobody@example.com', 5);
  await signedIn(run, app, email, code);
});

test('used-up plan before lockout, field before both', async () => {
  const app = await run.createApp({ plan: 'two' });
  const { email } = await member(run, app);
  const code = await freshCode(run, app, email);
  await failCodes(run, app, email, 5, { right: code });
  assertError(await verifyCode(run, app, email, '12345'), 'invalid_request', 'locked out, wrong field');
  assertError(await verifyCode(run, app, email, code), 'rate_limited', 'locked out');
  await match(run, app, { descriptors: [faces.stranger(1)] });
  assertError(await verifyCode(run, app, email, 123456), 'invalid_request', 'both, wrong field');
  spent(await verifyCode(run, app, email, code), 2, 'both');
});

test('the auths that a plan has left are exact under a burst of right codes, and the codes refused stay good', async () => {
  const app = await run.createApp({ plan: 'thirty' });
  const people: { email: string; code: string }[] = [];
  for (let face = 0; face < 24; face++) {
    const { email } = await member(run, app, { face });
    people.push({ email, code: '' });
  }
  await Promise.all(
    people.map(async one => {
      one.code = await freshCode(run, app, one.email);
    }),
  );
  const answers = await Promise.all(people.map(({ email, code }) => verifyCode(run, app, email, code)));
  assert.equal(tally(answers), { 200: 6, '429 plan_limit_reached': 18 });
  for (const answer of answers.filter(one => one.status === 429)) spent(answer, 30);
  assert.is(usage(run, app).auths, 30);
  await enlarge(app, 'unlimited');
  const rest = people.filter((_, index) => answers[index]?.status === 429);
  for (const { email, code } of rest) await signedIn(run, app, email, code);
});

test.run();
