/** Signing out where somebody else has set a second session cookie: no session that was presented survives it. */
import * as assert from 'uvu/assert';
import { type Answer, assertError, call, enroll, enrolled, faces, match } from '../support/client.ts';
import { deleteMe, getMe, logout, sessionCookie } from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const OTHER = 'https://other.example';
const test = suite('me-logout-planted');
const run = serviceFor(test);

/** A user of a first-party app with a session. */
async function somebody() {
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
    const { app, token } = await somebody();
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
  const expired = (await somebody()).token;
  run.clock.advance(3_600_000);
  const other = await run.createApp({ firstParty: true, origins: [OTHER] });
  const foreign = (await enrolled(run, other)).token;
  const gone = await somebody();
  await deleteMe(run, gone.token);
  const signedOut = await somebody();
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
    const { app, token } = await somebody();
    const answer = await by(twice(planted, token, token), app.origin);
    assert.is(answer.status, 204, `${planted}: ${answer.text}`);
    assert.not.ok(await isGood(token), planted);
  }
  assert.ok(await isGood(foreign), 'a page ends no session of an app that does not list it');
});

test('several cookies of which none may be ended from this page are refused as one is', async () => {
  const { app, token } = await somebody();
  assertError(await by(twice('x', token), OTHER), 'origin_not_allowed');
  assert.ok(await isGood(token));
  assertError(await by(twice('x', 'y'), app.origin), 'unauthorized');
});

test.run();
