/** Changing one's email: the code goes to the new address, and only that code makes the change. */
import * as assert from 'uvu/assert';
import {
  assertError,
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

test.run();
