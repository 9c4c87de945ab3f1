/** What one address and one app may ask for: 5 codes an hour per email, the minute's budget of the app, the cap of the day. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  challenge,
  enrolled,
  type Mode,
  match,
  planFile,
  someEmail,
  tally,
} from '../support/client.ts';
import { freshCode, member, requestCode, signedIn, verifyCode } from '../support/codes.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const test = suite('email-codes: caps');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ tiny: 100, larger: 1_600 }) } });
/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const counted = serviceFor(test, { env: { LIMIT_CODE_PER_IP: builtIn } });
const tight = serviceFor(test, { env: { LIMIT_APP_PER_MINUTE: '20' } });

const untilMidnight = () => DAY - (run.clock.now() % DAY);
/** Begins a day, so that no window of an hour meets its end. */
const newDay = () => run.clock.advance(untilMidnight());
const ask = (app: TestApp, email: string, mode: Mode = 'live') => requestCode(run, app, email, { mode });
const many = (app: TestApp, count: number, mode: Mode = 'live') =>
  atOnce(count, () => ask(app, someEmail(), mode));
function limited(answer: Answer, seconds: number, note = ''): void {
  assertError(answer, 'rate_limited', note);
  assert.is(answer.headers['retry-after'], String(seconds), note);
}

test('case and space around an address make no other address of it', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  for (const one of [email, email.toUpperCase(), ` ${email}`, `${email}\n`, email])
    assert.is((await ask(app, one)).status, 202);
  limited(await ask(app, `  ${email.toUpperCase()}`), 3600);
});

test('the hour of an address is that of one app and mode', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  const email = someEmail();
  await atOnce(5, () => ask(app, email));
  limited(await ask(app, email), 3600);
  assert.is((await ask(other, email)).status, 202, 'another app');
  assert.is((await ask(app, email, 'test')).status, 202, 'another mode');
  assert.is((await ask(app, someEmail())).status, 202, 'another address');
});

test('an address that somebody enrolls with keeps the requests it has had', async () => {
  const app = await run.createApp();
  const email = someEmail();
  await atOnce(3, () => ask(app, email));
  await enrolled(run, app, { fields: { email } });
  await atOnce(2, () => ask(app, email));
  limited(await ask(app, email), 3600);
});

test('what is refused for its body counts for no address', async () => {
  const app = await run.createApp();
  const { email } = await member(run, app);
  for (const bad of [`${email},${email}`, [email], `<${email}>`])
    for (let n = 0; n < 3; n++) assertError(await requestCode(run, app, bad), 'invalid_request');
  assert.equal(tally(await atOnce(6, () => ask(app, email))), { 202: 5, '429 rate_limited': 1 });
});

test('5% of the auths of a larger plan are its cap of the day', async () => {
  const app = await run.createApp({ plan: 'larger' });
  assert.equal(tally(await many(app, 120)), { 202: 80, '429 rate_limited': 40 });
});

test('a plan without a limit has no cap of the day', async () => {
  const app = await run.createApp({ plan: 'unlimited' });
  assert.equal(tally(await many(app, 300)), { 202: 300 });
});

test('the cap counts only what the other limits let through', async () => {
  const app = await run.createApp({ plan: 'free' });
  const email = someEmail();
  assert.equal(tally(await atOnce(60, () => ask(app, email))), { 202: 5, '429 rate_limited': 55 });
  await atOnce(20, () => requestCode(run, app, 'no address'));
  assert.equal(tally(await many(app, 60)), { 202: 45, '429 rate_limited': 15 });
});

test('of an address with a full hour in an app with a full day the hour is reported', async () => {
  newDay();
  const app = await run.createApp({ plan: 'free' });
  const email = someEmail();
  await atOnce(5, () => ask(app, email));
  await many(app, 45);
  limited(await ask(app, email), 3600);
});

test('the cap is of one app, and test calls neither meet nor use it', async () => {
  const [app, other] = [await run.createApp({ plan: 'free' }), await run.createApp({ plan: 'free' })];
  assert.equal(tally(await many(app, 60, 'test')), { 202: 60 });
  assert.equal(tally(await many(app, 51)), { 202: 50, '429 rate_limited': 1 });
  assert.is((await ask(app, someEmail(), 'test')).status, 202);
  assert.is((await ask(other, someEmail())).status, 202);
});

test('matches and code requests of an app share its budget of the minute, exact in a burst of 200', async () => {
  const app = await tight.createApp();
  await enrolled(tight, app);
  await Promise.all(Array.from({ length: 8 }, async () => assert.is((await match(tight, app)).status, 200)));
  const answers = await atOnce(200, () => requestCode(tight, app, someEmail()));
  assert.equal(tally(answers), { 202: 12, '429 rate_limited': 188 });
  for (const answer of answers.filter(one => one.status === 429)) limited(answer, 60);
  assertError(await match(tight, app), 'rate_limited', 'match');
  const other = await tight.createApp();
  assert.is((await requestCode(tight, other, someEmail())).status, 202, 'another app');
  tight.clock.advance(MINUTE);
  assert.is((await match(tight, app)).status, 200);
  assert.is((await requestCode(tight, app, someEmail())).status, 202);
});

test('verifies and wrong bodies have no part in the budget of the minute', async () => {
  const app = await tight.createApp();
  await atOnce(30, () => verifyCode(tight, app, someEmail(), '123456'));
  await atOnce(30, () => requestCode(tight, app, 'no address'));
  const answers = await atOnce(25, () => requestCode(tight, app, someEmail()));
  assert.equal(tally(answers), { 202: 20, '429 rate_limited': 5 });
  const { email } = await member(tight, app);
  assertError(await verifyCode(tight, app, email, '123456'), 'invalid_code', 'a full minute');
});

test('a code request that is one too many sends nothing and retires nothing', async () => {
  const app = await counted.createApp();
  const { email } = await member(counted, app);
  const ip = '203.0.113.7';
  const code = await freshCode(counted, app, email, { ip });
  await atOnce(9, () => requestCode(counted, app, someEmail(), { ip }));
  assertError(await requestCode(counted, app, email, { ip }), 'rate_limited');
  assert.is(counted.mails(email).length, 1);
  await signedIn(counted, app, email, code, { ip });
});

test('both limits are settings, and 0 switches one off', async () => {
  await using on = await startService({ env: { LIMIT_CODE_PER_IP: '2', LIMIT_VERIFY_PER_IP: '0' } });
  const app = await on.createApp();
  const ip = '203.0.113.7';
  const requests = await atOnce(5, () => requestCode(on, app, someEmail(), { ip }));
  assert.equal(tally(requests), { 202: 2, '429 rate_limited': 3 });
  const verifies = await atOnce(40, () => verifyCode(on, app, someEmail(), '123456', { ip }));
  assert.equal(tally(verifies), { '400 invalid_code': 40 });
  await challenge(on, app, 'live', ip);
  await member(on, app);
  assert.is((await match(on, app, { ip })).status, 200);
});

test.run();
