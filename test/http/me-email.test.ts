/**
 * Changing one's email: the code goes to the new address, and only that code makes the change. Requests are limited per user
 * and new address, wrong codes count toward the lockout.
 */
import * as assert from 'uvu/assert';
import {
  assertError,
  atOnce,
  call,
  decoded,
  enrolled,
  faces,
  iso,
  type Mode,
  match,
  server,
  someEmail,
  soon,
  tally,
  usage,
  verify,
} from '../support/client.ts';
import { codeIn, freshCode, signedIn, verifyCode, wrongCode } from '../support/codes.ts';
import {
  changeCode,
  changeEmail,
  confirmChange,
  PROFILE_KEYS,
  profile,
  requestChange,
} from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const LIFETIME = 15 * 60_000;
const test = suite('me-email');
const run = serviceFor(test);

async function somebody(mode: Mode = 'live', fields: Record<string, unknown> = {}) {
  const app = await run.createApp({ name: 'Lantern' });
  return { app, ...(await enrolled(run, app, { mode, fields })) };
}
const emailOf = async (token: string): Promise<string> => (await profile(run, token)).user.email;
async function somebodyElse(app: TestApp, email: string, mode: Mode = 'live') {
  return enrolled(run, app, { mode, descriptors: [faces.genuine(1)], fields: { email } });
}

test('a request answers when its code ends, in 15 minutes, and nothing else', async () => {
  const { token } = await somebody();
  const answer = await requestChange(run, token, someEmail());
  assert.is(answer.status, 202, answer.text);
  assert.equal(answer.json, { expires_at: iso(run.clock.now() + LIFETIME) });
  assert.match(String(answer.headers['cache-control']), /no-store/);
});

test('the code is mailed to the new address alone, in one message with one recipient', async () => {
  const { user, token } = await somebody();
  const [before, email] = [run.mails().length, someEmail()];
  const code = await changeCode(run, token, email);
  const sent = run.mails().slice(before);
  assert.equal(
    sent.filter(mail => mail.text.includes(code)).map(mail => mail.to),
    [email],
  );
  assert.is(run.mails(email).length, 1);
  assert.is(sent[0]?.from, 'Sign-in <no-reply@face.example>');
  for (const mail of run.mails(user.email)) assert.not.match(`${mail.subject} ${mail.text}`, /\b\d{6}\b/);
});

test('the confirmed change answers the user with the new address, verified', async () => {
  const { user, token } = await somebody();
  const before = await profile(run, token);
  const email = someEmail();
  const code = await changeCode(run, token, email);
  run.clock.advance(60_000);
  const answer = await confirmChange(run, token, code);
  assert.is(answer.status, 200, answer.text);
  assert.equal(answer.json, { user: { ...user, email, email_verified: true, last_sign_in_at: null } });
  assert.equal(Object.keys(answer.json.user).sort(), PROFILE_KEYS);
  assert.equal(await profile(run, token), { ...before, user: answer.json.user });
  assert.match(String(answer.headers['cache-control']), /no-store/);
});

test('the new address is seen by the server and carried by the next token', async () => {
  const { app, user, token } = await somebody();
  const email = someEmail();
  await changeEmail(run, token, email);
  const seen = await call(run, 'GET', `/v1/users/${user.id}`, { headers: server(app) });
  assert.is(seen.json.email, email);
  const again = (await match(run, app)).json;
  assert.is(again.user.email, email);
  const { claims } = decoded(again.token);
  assert.equal([claims.email, claims.email_verified, claims.sub], [email, true, user.id]);
  assert.is((await verify(run, app, token)).json.valid, true, 'the older session stays');
});

test('the old address is told of the change, without a code', async () => {
  const { user, token } = await somebody();
  await changeEmail(run, token, someEmail());
  await soon(async () => run.mails(user.email).length > 0, 'a message to the old address');
  const [notice, ...more] = run.mails(user.email);
  assert.equal(more, [], 'one message');
  assert.not.match(`${notice?.subject} ${notice?.text}`, /\b\d{6}\b/);
});

test('an address that somebody has is refused, whatever its case', async () => {
  const { app, token } = await somebody();
  await somebodyElse(app, 'Taken@Example.com');
  const before = run.mails().length;
  for (const email of ['Taken@Example.com', 'taken@example.com', ' TAKEN@EXAMPLE.COM '])
    assertError(await requestChange(run, token, email), 'email_taken', email);
  assert.is(run.mails().length, before, 'nothing is sent');
});

for (const taken of ['late@example.com', 'LATE@Example.COM'])
  test(`an address taken meanwhile is refused at confirm: ${taken}`, async () => {
    const { app, user, token } = await somebody();
    const code = await changeCode(run, token, 'late@example.com');
    await somebodyElse(app, taken);
    assertError(await confirmChange(run, token, code), 'email_taken');
    assert.is(await emailOf(token), user.email);
  });

test("one's own address in another spelling is not taken", async () => {
  const own = `Own.${someEmail()}`;
  const { app, user, token } = await somebody('live', { email: own });
  const spelled = own.toUpperCase();
  const json = await changeEmail(run, token, spelled);
  assert.equal([json.user.id, json.user.email, json.user.email_verified], [user.id, spelled, true]);
  const code = await freshCode(run, app, spelled);
  assert.is((await signedIn(run, app, own, code)).user.email, spelled);
});

test('the address is trimmed and kept as written', async () => {
  const { token } = await somebody();
  assert.is((await requestChange(run, token, '  New.Name@Example.com ')).status, 202);
  await soon(async () => run.mails('New.Name@Example.com').length > 0, 'the message');
  const [mail] = run.mails('New.Name@Example.com');
  await confirmChange(run, token, codeIn(mail ?? { text: '' }));
  assert.is(await emailOf(token), 'New.Name@Example.com');
});

test('the fifth wrong code kills the change', async () => {
  const other = await enrolled(run, await run.createApp());
  const code = await changeCode(run, other.token, someEmail());
  for (let n = 0; n < 5; n++)
    assertError(await confirmChange(run, other.token, wrongCode(code, n)), 'invalid_code');
  assertError(await confirmChange(run, other.token, code), 'invalid_code');
  assert.is(await emailOf(other.token), other.user.email);
});

test('a code of somebody else, or of a sign-in, changes nothing, and does not sign in', async () => {
  const { app, user, token } = await somebody();
  const other = await somebodyElse(app, someEmail());
  const [mine, theirs] = [someEmail(), someEmail()];
  const code = await changeCode(run, token, mine);
  const foreign = await changeCode(run, other.token, theirs);
  const signIn = await freshCode(run, app, user.email);
  for (const wrong of [foreign, signIn].filter(one => one !== code))
    assertError(await confirmChange(run, token, wrong), 'invalid_code');
  for (const email of [user.email, mine])
    if (signIn !== code) assertError(await verifyCode(run, app, email, code), 'invalid_code', email);
  assert.is((await confirmChange(run, token, code)).json?.user?.email, mine);
});

test('any session of the user may confirm, and no session ends', async () => {
  const { app, token } = await somebody();
  const second = (await match(run, app)).json.token;
  const [email, before] = [someEmail(), usage(run, app)];
  assert.is((await confirmChange(run, second, await changeCode(run, token, email))).json?.user?.email, email);
  for (const one of [token, second]) assert.is(await emailOf(one), email);
  assert.equal(usage(run, app), before, 'and nothing is counted as an auth');
});

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
