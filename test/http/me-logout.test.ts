/** Signing out with the token: what ends, what goes on, and who sees it. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  call,
  decoded,
  enroll,
  enrolled,
  faces,
  type Mode,
  match,
  server,
  tally,
  verify,
} from '../support/client.ts';
import { byCode } from '../support/codes.ts';
import { addTemplates, deleteMe, getMe, logout, sessionCookie } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-logout');
const run = serviceFor(test, { env: { BASE_URL: 'https://id.example.com' } });

async function somebody(mode: Mode = 'live') {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app, { mode })) };
}
const revoked = { valid: false, reason: 'revoked' };
const isRevoked = async (app: TestApp, token: string, mode: Mode = 'live') =>
  assert.equal((await verify(run, app, token, mode)).json, revoked);

for (const mode of ['live', 'test'] as const)
  test(`logout answers 204, and the token is revoked at once (${mode})`, async () => {
    const { app, token } = await somebody(mode);
    assert.is((await verify(run, app, token, mode)).json.valid, true);
    const answer = await logout(run, token);
    assert.equal([answer.status, answer.text], [204, '']);
    assertError(await getMe(run, token), 'token_revoked');
    await isRevoked(app, token, mode);
  });

test('logout a second time is 401 token_revoked, and so is a third', async () => {
  const { token } = await somebody();
  assert.is((await logout(run, token)).status, 204);
  for (let n = 0; n < 2; n++) assertError(await logout(run, token), 'token_revoked');
});

test('one token signed out 200 times at once: one 204, the rest 401 token_revoked', async () => {
  const { app, token } = await somebody();
  const other = (await match(run, app)).json.token;
  // Nobody writes for a moment, so that more than one finds the token still good.
  const lock = new Database(join(run.dataDir, 'face-sign-in.db'));
  lock.exec('BEGIN IMMEDIATE');
  const answers = atOnce(200, () => logout(run, token));
  await new Promise(resolve => setTimeout(resolve, 300));
  lock.exec('ROLLBACK');
  lock.close();
  assert.equal(tally(await answers), { 204: 1, '401 token_revoked': 199 });
  assert.is((await getMe(run, other)).status, 200);
});

test('the other sessions of the user stay, whichever way they were made', async () => {
  const { app, user } = await somebody();
  const { token } = await byCode(run, app, user.email);
  const others = [
    (await match(run, app)).json.token,
    (await addTemplates(run, app, token, [faces.genuine(0, 2)])).json.token,
    (await byCode(run, app, user.email)).token,
  ];
  assert.is((await logout(run, token)).status, 204);
  for (const other of others) {
    assert.is((await getMe(run, other)).status, 200);
    assert.is((await verify(run, app, other)).json.valid, true);
  }
  assert.is((await match(run, app)).status, 200, 'and the user may sign in again');
});

test('a token stays revoked over a restart, and the others stay good', async () => {
  const { app, token } = await somebody();
  const other = (await match(run, app)).json.token;
  await logout(run, token);
  await run.restart();
  assertError(await getMe(run, token), 'token_revoked');
  assertError(await logout(run, token), 'token_revoked');
  await isRevoked(app, token);
  assert.is((await getMe(run, other)).status, 200);
});

test('a token stays revoked until its last moment, then it is expired, clean-up or not', async () => {
  const { app, token } = await somebody();
  await logout(run, token);
  run.clock.advance(decoded(token).claims.exp * 1_000 - run.clock.now() - 1);
  await run.cli(['job', 'run', 'tokens']);
  await isRevoked(app, token);
  run.clock.advance(1);
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'expired' });
  assertError(await getMe(run, token), 'unauthorized');
  assert.is((await run.cli(['job', 'run', 'tokens'])).code, 0);
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'expired' });
});

for (const by of ['the user', 'the secret key'])
  test(`a revocation outlives the user, deleted by ${by}`, async () => {
    const { app, user, token } = await somebody();
    const other = (await match(run, app)).json.token;
    await logout(run, token);
    const gone =
      by === 'the user'
        ? await deleteMe(run, other)
        : await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(app) });
    assert.is(gone.status, 204, gone.text);
    await isRevoked(app, token);
    assert.equal((await verify(run, app, other)).json, { valid: false, reason: 'user_not_found' });
    assertError(await getMe(run, token), 'token_revoked');
    await run.restart();
    await isRevoked(app, token);
  });

const OTHER = 'https://other.example';

/** A user of a first-party app with a session. */
async function firstParty() {
  const app = await run.createApp({ firstParty: true, origins: ['https://own.example'] });
  const { json } = await enroll(run, app);
  return { app, token: json.token };
}
const by = (cookies: string, origin: string): Promise<Answer> =>
  call(run, 'POST', '/v1/me/logout', { headers: { cookie: `svc_session=${cookies}`, origin } });
const isGood = async (token: string): Promise<boolean> => (await getMe(run, token)).status === 200;

/** As browsers send it when a page of a sibling domain, or another path, has set one of the same name. */
const twice = (...cookies: string[]) => cookies.join('; svc_session=');

test('a cookie that somebody else has planted saves no session from its end, wherever it stands', async () => {
  for (const turn of [(a: string, b: string) => twice(a, b), (a: string, b: string) => twice(b, a)]) {
    const { app, token } = await firstParty();
    const planted = (await enrolled(run, app, { descriptors: [faces.genuine(1)] })).token;
    const bystander = (await match(run, app)).json.token;
    const answer = await by(turn(planted, token), app.origin);
    assert.is(answer.status, 204, answer.text);
    assert.is(sessionCookie(answer).value, '');
    for (const each of [token, planted]) assertError(await getMe(run, each), 'token_revoked');
    assert.ok(await isGood(bystander), 'a session that was not presented stays');
    assertError(await by(turn(planted, token), app.origin), 'token_revoked');
  }
});

test('nor does a planted cookie that is no good, of another app, or sent many times', async () => {
  const expired = (await firstParty()).token;
  run.clock.advance(3_600_000);
  const other = await run.createApp({ firstParty: true, origins: [OTHER] });
  const foreign = (await enrolled(run, other)).token;
  const gone = await firstParty();
  await deleteMe(run, gone.token);
  const signedOut = await firstParty();
  await logout(run, signedOut.token);
  for (const planted of [
    '',
    'x',
    'a.b.c',
    '"',
    expired,
    foreign,
    gone.token,
    signedOut.token,
    twice('x', 'x', 'x'),
  ]) {
    const { app, token } = await firstParty();
    const answer = await by(twice(planted, token, token), app.origin);
    assert.is(answer.status, 204, `${planted}: ${answer.text}`);
    assert.not.ok(await isGood(token), planted);
  }
  assert.ok(await isGood(foreign), 'a page ends no session of an app that does not list it');
});

test('several cookies of which none may be ended from this page are refused as one is', async () => {
  const { app, token } = await firstParty();
  assertError(await by(twice('x', token), OTHER), 'origin_not_allowed');
  assert.ok(await isGood(token));
  assertError(await by(twice('x', 'y'), app.origin), 'unauthorized');
});

test.run();
