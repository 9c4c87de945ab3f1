/** POST /v1/email-codes/verify: what a right code gives, what a wrong one does not tell, and how a code is written. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  browser,
  call,
  decoded,
  enrolled,
  iso,
  type Json,
  type Mode,
  match,
  server,
  usage,
  verify,
} from '../support/client.ts';
import {
  failCodes,
  freshCode,
  member,
  requestCode,
  signedIn,
  VERIFY_PATH,
  verifyCode,
  wrongCode,
} from '../support/codes.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: verify');
const run = serviceFor(test, { env: { BASE_URL: 'https://id.example.com' } });

const counts = async (app: TestApp, mode: Mode = 'live'): Promise<Json> =>
  (await call(run, 'GET', '/v1/usage', { headers: server(app, mode) })).json;
const profile = async (app: TestApp, id: string, mode: Mode = 'live'): Promise<Json> =>
  (await call(run, 'GET', `/v1/users/${id}`, { headers: server(app, mode) })).json;

for (const mode of ['live', 'test'] as const) {
  test(`a right code gives the user, a token, its end and the method (${mode})`, async () => {
    const app = await run.createApp();
    const user = await member(run, app, { mode, name: 'Ada Lovelace' });
    const code = await freshCode(run, app, user.email, { mode });
    run.clock.advance(61_000);
    const answer = await verifyCode(run, app, user.email, code, { mode });
    assert.is(answer.status, 200, answer.text);
    const keys = ['expires_at', 'first_verification', 'method', 'token', 'user'];
    assert.equal(Object.keys(answer.json).sort(), keys, 'the first code of this user');
    assert.equal(answer.json.user, { ...user, email_verified: true });
    assert.is(answer.json.method, 'email_code');
    assert.is(answer.json.expires_at, iso(decoded(answer.json.token).claims.exp * 1000));
    assert.match(String(answer.headers['cache-control']), /no-store/);
  });

  test(`its token says otp, a proven address and the mode, and is valid (${mode})`, async () => {
    const app = await run.createApp();
    const { id, email } = await member(run, app, { mode });
    const code = await freshCode(run, app, email, { mode });
    const { token } = await signedIn(run, app, email, code, { mode });
    const { claims } = decoded(token);
    const iat = Math.floor(run.clock.now() / 1000);
    assert.equal(
      { ...claims, jti: typeof claims.jti },
      {
        iss: 'https://id.example.com',
        aud: [mode === 'live' ? 'svc' : 'svc_test', app.id],
        sub: id,
        app_id: app.id,
        email,
        iat,
        exp: iat + 3600,
        jti: 'string',
        amr: ['otp'],
        email_verified: true,
        livemode: mode === 'live',
      },
    );
    assert.equal((await verify(run, app, token, mode)).json, { valid: true, claims });
  });

  test(`a sign-in by code is one auth, no enroll and no match (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    for (const auths of [2, 3]) {
      const code = await freshCode(run, app, email, { mode });
      await failCodes(run, app, email, 1, { mode, right: code });
      await signedIn(run, app, email, code, { mode });
      const { month: _, limit: __, livemode, ...rest } = await counts(app, mode);
      assert.equal(rest, { auths, enrolls: 1, matches_ok: 0, matches_failed: 0 });
      assert.is(livemode, mode === 'live');
    }
    assert.is(usage(run, app, mode === 'live' ? 'test' : 'live').auths, 0);
  });
}

test('a token of a face says the address is not proven before the first code, and proven from then on', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  assert.is(decoded(token).claims.email_verified, false);
  const claims = async () => decoded((await match(run, app)).json.token).claims;
  const code = await freshCode(run, app, user.email);
  await failCodes(run, app, user.email, 1, { right: code });
  assert.is((await claims()).email_verified, false, 'a wrong code proves nothing');
  await signedIn(run, app, user.email, code);
  assert.is((await claims()).email_verified, true);
  assert.equal((await claims()).amr, ['face']);
  await requestCode(run, app, user.email);
  assert.is((await claims()).email_verified, true, 'a new code takes nothing back');
});

test('a sign-in by code sets last_sign_in_at, a wrong code does not', async () => {
  const app = await run.createApp();
  const { id, email } = await member(run, app);
  const code = await freshCode(run, app, email);
  await failCodes(run, app, email, 1, { right: code });
  assert.is((await profile(app, id)).last_sign_in_at, null);
  run.clock.advance(4_321);
  await signedIn(run, app, email, code);
  assert.is((await profile(app, id)).last_sign_in_at, iso(run.clock.now()));
});

test('a sign-in by code is recorded as an event, without the address, the name and the code', async () => {
  const app = await run.createApp();
  const { id, email } = await member(run, app, { name: 'Somerville' });
  const events = () => run.rows('SELECT * FROM auth_events WHERE app_id = ? AND user_id = ?', app.id, id);
  const before = events().length;
  const code = await freshCode(run, app, email);
  await signedIn(run, app, email, code);
  assert.is(events().length, before + 1);
  for (const secret of [email, 'Somerville', `"${code}"`])
    assert.not.ok(JSON.stringify(events()).includes(secret), secret);
});

for (const [name, write] of [
  ['another case', (email: string) => email.toUpperCase()],
  ['space around it', (email: string) => ` ${email} `],
] as const) {
  test(`the address may be written with ${name}, and the answer has it as enrolled`, async () => {
    const app = await run.createApp();
    const user = await member(run, app, { email: 'Ada.Byron@Example.com' });
    const code = await freshCode(run, app, user.email);
    const { user: found, token } = await signedIn(run, app, write(user.email), code);
    assert.is(found.email, user.email);
    assert.is(decoded(token).claims.email, user.email);
  });
}

const wrong: [string, unknown][] = [
  ['of five digits', '12345'],
  ['of seven digits', '1234567'],
  ['hexadecimal', '0x1234'],
  ['with space around it', ' 123456 '],
  ['with a line break', '123456\n'],
  ['in Arabic digits', '١٢٣٤٥٦'],
];
for (const [name, code] of wrong) {
  test(`a code that is ${name} is refused by name and counts for nothing`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app);
    const right = await freshCode(run, app, email);
    for (let n = 0; n < 6; n++) {
      const answer = await verifyCode(run, app, email, code);
      assertError(answer, 'invalid_request');
      assert.match(answer.json.error.message, /^code\b/);
      assertLacks(answer, ['123456', '12345', '0x1234', '１２３４５６', right, email]);
    }
    await signedIn(run, app, email, right);
  });
}

test('no challenge is needed, and fields that are not known change nothing', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  const { id, email } = await member(run, app);
  await member(run, other, { email });
  const code = await freshCode(run, app, email);
  const json = { email, code, app_id: other.id, challenge_id: 'ch_x', method: 1, user: null };
  const answer = await call(run, 'POST', VERIFY_PATH, { headers: browser(app), json });
  assert.is(answer.json?.user?.id, id, answer.text);
  assert.is(decoded(answer.json.token).claims.app_id, app.id);
});

test('one generic answer: wrong, used, expired, dead, retired, never sent, nobody has the address', async () => {
  const app = await run.createApp();
  const people: string[] = [];
  for (let face = 0; face < 6; face++) people.push((await member(run, app, { face })).email);
  const [a = '', used = '', expired = '', dead = '', retired = '', none = ''] = people;
  const old = await freshCode(run, app, expired);
  run.clock.advance(10 * 60_000);
  // Four failures in a window that ends before the fifth, so that the code dies and nobody is locked out.
  await failCodes(run, app, dead, 1);
  run.clock.advance(14 * 60_000);
  const dying = await freshCode(run, app, dead);
  await failCodes(run, app, dead, 4, { right: dying });
  run.clock.advance(60_000);
  await failCodes(run, app, dead, 1, { right: wrongCode(dying, 6) });
  const first = await freshCode(run, app, retired);
  const second = await freshCode(run, app, retired);
  const spent = await freshCode(run, app, used);
  await signedIn(run, app, used, spent);
  const last = await freshCode(run, app, a);
  const answers: Record<string, Answer> = {
    wrong: await verifyCode(run, app, a, wrongCode(last)),
    used: await verifyCode(run, app, used, spent),
    expired: await verifyCode(run, app, expired, old),
    dead: await verifyCode(run, app, dead, dying),
    retired: await verifyCode(run, app, retired, first === second ? wrongCode(second) : first),
    none: await verifyCode(run, app, none, '123456'),
    unknown: await verifyCode(run, app, 'nobody@example.com', '123456'),
  };
  const names = (answer?: Answer) => Object.keys(answer?.headers ?? {}).sort();
  for (const [name, answer] of Object.entries(answers)) {
    assertError(answer, 'invalid_code', name);
    assert.is(answer.text, answers.wrong?.text, name);
    assert.equal(names(answer), names(answers.wrong), name);
    assert.match(String(answer.headers['cache-control']), /no-store/, name);
    assertLacks(answer, [...people, 'Ada', last, old], name);
  }
});

test.run();
