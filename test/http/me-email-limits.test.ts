/** Limits of the email change: requests per user and per new address, attempts per code, and the lockout. */
import * as assert from 'uvu/assert';
import { assertError, atOnce, enrolled, faces, someEmail, tally } from '../support/client.ts';
import { freshCode, verifyCode, wrongCode } from '../support/codes.ts';
import { changeCode, confirmChange, requestChange } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-email-limits');
// The issuer of the tokens, which must stay the same over a restart.
const run = serviceFor(test, { env: { BASE_URL: 'https://id.example.com' } });

async function somebody() {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app)) };
}
/** Users of one app, each with a token. */
async function people(app: TestApp, count: number): Promise<string[]> {
  const tokens = [];
  for (let person = 0; person < count; person++)
    tokens.push((await enrolled(run, app, { descriptors: [faces.genuine(person)] })).token);
  return tokens;
}
async function asks(token: string, count: number, email: () => string = someEmail): Promise<void> {
  for (let n = 0; n < count; n++) {
    const answer = await requestChange(run, token, email());
    assert.is(answer.status, 202, `request ${n + 1}: ${answer.text}`);
  }
}

test('five requests an hour per new address, whoever asks and however it is spelled', async () => {
  const app = await run.createApp();
  const tokens = await people(app, 6);
  const spelled = ['Want.ed@example.com', 'want.ed@example.com', ' WANT.ED@EXAMPLE.COM '];
  for (const [n, token] of tokens.slice(0, 5).entries()) await asks(token, 1, () => spelled[n % 3] ?? '');
  const sixth = await requestChange(run, tokens[5] ?? '', 'want.ED@example.com');
  assertError(sixth, 'rate_limited');
  assert.is(sixth.headers['retry-after'], '3600');
  await asks(tokens[5] ?? '', 1);
});

test('requests for an address that is taken count as well, for the user and for the address', async () => {
  const app = await run.createApp();
  const [one = '', two = ''] = await people(app, 2);
  const taken = 'taken@example.com';
  await enrolled(run, app, { descriptors: [faces.genuine(3)], fields: { email: taken } });
  for (let n = 0; n < 5; n++) assertError(await requestChange(run, one, taken), 'email_taken');
  assertError(await requestChange(run, one, someEmail()), 'rate_limited', 'the user');
  assertError(await requestChange(run, two, taken), 'rate_limited', 'the address');
  await asks(two, 1);
});

test('a burst of 24 requests of eight users for one address gets exactly 5', async () => {
  const tokens = await people(await run.createApp(), 8);
  const answers = await atOnce(24, n => requestChange(run, tokens[n % 8] ?? '', 'burst@example.com'));
  assert.equal(tally(answers), { 202: 5, '429 rate_limited': 19 });
});

test('a request that fails on its fields does not count', async () => {
  const { token } = await somebody();
  for (let n = 0; n < 8; n++) assertError(await requestChange(run, token, 'nobody'), 'invalid_request');
  await asks(token, 5);
});

for (const [wrong, locked] of [
  [4, false],
  [5, true],
] as const)
  test(`${wrong} wrong codes at confirm ${locked ? 'lock the user out of' : 'still allow'} sign-in by email code`, async () => {
    const { app, user, token } = await somebody();
    const code = await changeCode(run, token, someEmail());
    for (let n = 0; n < wrong; n++)
      assertError(await confirmChange(run, token, wrongCode(code, n)), 'invalid_code');
    const answer = await verifyCode(run, app, user.email, await freshCode(run, app, user.email));
    if (!locked) return assert.is(answer.status, 200, answer.text);
    assertError(answer, 'rate_limited');
    assert.is(answer.headers['retry-after'], '900');
    run.clock.advance(15 * 60_000);
    const later = await verifyCode(run, app, user.email, await freshCode(run, app, user.email));
    assert.is(later.status, 200, 'after the window');
  });

test('a wrong code counts as a failure also when no code is pending', async () => {
  const { app, user, token } = await somebody();
  for (let n = 0; n < 5; n++) assertError(await confirmChange(run, token, '123456'), 'invalid_code');
  const code = await freshCode(run, app, user.email);
  assertError(await verifyCode(run, app, user.email, code), 'rate_limited');
});

test('failures at confirm and at sign-in count together', async () => {
  const { app, user, token } = await somebody();
  const code = await changeCode(run, token, someEmail());
  for (let n = 0; n < 3; n++)
    assertError(await confirmChange(run, token, wrongCode(code, n)), 'invalid_code');
  const signIn = await freshCode(run, app, user.email);
  for (let n = 0; n < 2; n++)
    assertError(await verifyCode(run, app, user.email, wrongCode(signIn, n)), 'invalid_code');
  assertError(await verifyCode(run, app, user.email, signIn), 'rate_limited');
});

test('the lockout blocks neither a request nor its confirmation, wrong codes included', async () => {
  const { app, user, token } = await somebody();
  const signIn = await freshCode(run, app, user.email);
  for (let n = 0; n < 5; n++)
    assertError(await verifyCode(run, app, user.email, wrongCode(signIn, n)), 'invalid_code');
  assertError(await verifyCode(run, app, user.email, signIn), 'rate_limited', 'locked out');
  const email = someEmail();
  const code = await changeCode(run, token, email);
  assertError(await confirmChange(run, token, wrongCode(code)), 'invalid_code');
  assert.is((await confirmChange(run, token, code)).json?.user?.email, email);
});

test.run();
