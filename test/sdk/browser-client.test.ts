/** The browser SDK against the service itself: every verb, in both modes, and what the service refuses. */
import * as assert from 'uvu/assert';
import { captureWithoutCamera, syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { decoded, faces, type Mode, planFile, someEmail, verify } from '../support/client.ts';
import { codeFor, mailsTo, TEST_CODE } from '../support/codes.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { clientOf, refused, routes, SOME_KEY, watched } from './browser-support.ts';

const test = suite('browser SDK: client');
const consent = { policyVersion: '2026-01', accepted: true };
let app: TestApp;
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ none: 0 }) } });

/** The code in the newest of `count` messages to an address. */
async function codeOf(email: string, mode: Mode, count: number): Promise<string> {
  if (mode === 'test') return TEST_CODE;
  await mailsTo(run, email, count);
  return codeFor(run, email);
}
const USER = ['createdAt', 'email', 'id', 'name'];
const OWN = [...USER, 'emailVerified', 'lastSignInAt'].sort();
const keys = (of: object) => Object.keys(of).sort();

test('the first code for an address says so, whatever was signed in before; a later one does not', async () => {
  app = await run.createApp();
  const { client } = clientOf(run, app, { mode: 'test' });
  const email = someEmail();
  const { user, token } = await client.enroll({ email, consent, descriptors: [faces.genuine(0)] });
  const other = clientOf(run, app, { mode: 'test' }).client;
  for (const firstVerification of [true, false]) {
    await other.requestEmailCode(email);
    const byCode = await other.signInWithEmailCode(email, '000000');
    assert.is(byCode.firstVerification, firstVerification);
    assert.equal(byCode.user.createdAt, user.createdAt, 'when the face was enrolled');
  }
  assert.equal((await verify(run, app, token, 'test')).json, { valid: false, reason: 'revoked' });
  await refused(client.profile(), 'token_revoked');
  assert.is(client.session, null, 'whoever enrolled is signed out');
  await other.deleteAccount();
  await refused(client.signIn({ descriptors: [faces.genuine(0)] }), 'no_match');
});

for (const mode of ['live', 'test'] as const)
  test(`${mode}: every verb, from enrolling to deleting the account`, async () => {
    app = await run.createApp();
    const { client, sent } = clientOf(run, app, { mode });
    const email = someEmail();

    const enrolled = await client.enroll({ email, name: 'Ada', consent, descriptors: [faces.genuine(0)] });
    assert.equal(keys(enrolled), ['expiresAt', 'token', 'user']);
    assert.equal(keys(enrolled.user), USER);
    assert.equal([enrolled.user.email, enrolled.user.name], [email, 'Ada']);
    assert.instance(enrolled.user.createdAt, Date);
    assert.is(enrolled.expiresAt.getTime(), decoded(enrolled.token).claims.exp * 1_000);
    assert.equal(client.session, enrolled);
    assert.is(client.token, enrolled.token);

    const found = await client.signIn({
      descriptors: [Float32Array.from(faces.genuine(0, 1))],
      liveness: { score: 0.9, checks: ['blink'] },
    });
    assert.equal(found.user, enrolled.user);
    assert.ok(found.confidence > 0 && found.confidence <= 1);
    assert.is(client.token, found.token, 'the newer token counts');
    assert.equal(decoded(found.token).claims.amr, ['face']);
    assert.is(decoded(found.token).claims.livemode, mode === 'live');

    const profile = await client.profile();
    assert.equal(keys(profile), ['consent', 'enrolledAt', 'livemode', 'templateCount', 'user']);
    assert.equal(keys(profile.user), OWN);
    assert.equal([profile.templateCount, profile.livemode], [1, mode === 'live']);
    assert.equal([profile.consent.policyVersion, profile.user.emailVerified], ['2026-01', false]);
    for (const time of [profile.enrolledAt, profile.consent.acceptedAt, profile.user.lastSignInAt])
      assert.instance(time, Date);

    const renamed = await client.rename({ name: 'Ada L.' });
    assert.is(renamed.user.name, 'Ada L.');
    assert.is(client.session?.user.name, 'Ada L.');
    assert.equal(keys(client.session?.user ?? {}), USER);

    const newEmail = someEmail();
    assert.instance((await client.requestEmailChange({ newEmail })).expiresAt, Date);
    const code = await codeOf(newEmail, mode, 1);
    const wrong = code === '111111' ? '222222' : '111111';
    await refused(client.confirmEmailChange({ code: wrong }), 'invalid_code');
    const changed = await client.confirmEmailChange({ code });
    assert.equal([changed.user.email, changed.user.emailVerified], [newEmail, true]);
    assert.is(client.session?.user.email, newEmail);

    const added = await client.addTemplates({ descriptors: [faces.genuine(0, 2), faces.genuine(0, 3)] });
    assert.is(added.templateCount, 3);
    assert.is(client.token, added.token);
    assert.equal(keys(added), ['expiresAt', 'templateCount', 'token', 'user']);

    await client.signOut();
    assert.equal([client.session, client.token], [null, null]);
    const { json } = await verify(run, app, added.token, mode);
    assert.equal(json, { valid: false, reason: 'revoked' });

    assert.instance((await client.requestEmailCode(newEmail)).expiresAt, Date);
    const byCode = await client.signInWithEmailCode(newEmail, await codeOf(newEmail, mode, 2));
    assert.equal(
      [byCode.method, byCode.user.emailVerified, byCode.user.id, byCode.firstVerification],
      ['email_code', true, found.user.id, false],
    );
    assert.equal(decoded(byCode.token).claims.amr, ['otp']);

    await client.deleteAccount();
    assert.is(client.session, null);
    await refused(client.signIn({ descriptors: [faces.genuine(0)] }), 'no_match');
    assert.equal(routes(sent), [
      'POST /v1/challenges',
      'POST /v1/enroll',
      'POST /v1/challenges',
      'POST /v1/match',
      'GET /v1/me',
      'PATCH /v1/me',
      'POST /v1/me/email',
      'POST /v1/me/email/confirm',
      'POST /v1/me/email/confirm',
      'POST /v1/challenges',
      'POST /v1/me/templates',
      'POST /v1/me/logout',
      'POST /v1/email-codes',
      'POST /v1/email-codes/verify',
      'DELETE /v1/me',
      'POST /v1/challenges',
      'POST /v1/match',
    ]);
    for (const { path, headers } of sent) {
      const own = path.startsWith('/v1/me');
      assert.is(
        'X-Svc-Key' in headers,
        !own,
        `${path}: the key goes where it is asked for, and nowhere else`,
      );
      assert.is('Authorization' in headers, own, path);
    }
  });

test('a page captures by the encoder it gave, and sends descriptors and liveness of it alone', async () => {
  const own = await run.createApp();
  const encoder = syntheticEncoder({ person: 5 });
  const { client, sent } = clientOf(run, own, { encoder, capture: captureWithoutCamera });
  const enrolled = await client.enroll({ email: someEmail(), consent });
  assert.is(enrolled.user.name, '');
  assert.is((await client.signIn()).user.id, enrolled.user.id);
  assert.is((await client.addTemplates()).templateCount, 6);
  encoder.person = 6;
  await refused(client.signIn({ capture: { count: 3 } }), 'no_match');
  const bodies = sent.filter(({ path }) => !path.endsWith('challenges')).map(request => request.json);
  assert.equal(
    bodies.map(body => body.descriptors.length),
    [5, 1, 1, 3],
    'so many are captured by default',
  );
  assert.equal(keys(bodies[0]), ['challenge_id', 'consent', 'descriptors', 'email', 'liveness']);
  for (const body of bodies.slice(1)) assert.equal(keys(body), ['challenge_id', 'descriptors', 'liveness']);
});

test('what the service refuses keeps its code, with the sentence for people and its words for developers', async () => {
  const own = await run.createApp();
  const { client } = clientOf(run, own);
  const email = someEmail();
  const descriptors = [faces.genuine(0)];
  await client.enroll({ email, consent, descriptors });
  const errors = [
    await refused(client.enroll({ email, consent, descriptors: [faces.genuine(1)] }), 'email_taken'),
    await refused(client.enroll({ email: someEmail(), consent, descriptors }), 'face_already_enrolled'),
    await refused(client.enroll({ email: 'nobody', consent, descriptors }), 'invalid_request'),
    await refused(client.signIn({ descriptors: [faces.stranger(1)] }), 'no_match'),
    await refused(client.signInWithEmailCode(email, '000000'), 'invalid_code'),
    await refused(client.addTemplates({ descriptors: [faces.genuine(3)] }), 'no_match'),
  ];
  for (const error of errors) {
    assert.match(error.detail ?? '', /^POST \/v1\/[\w/-]+: 4\d\d: ./, error.code);
    assert.match(error.requestId ?? '', /^\S+$/, 'the request id, to find it in the log');
  }
  assert.equal(
    errors.map(error => error.status),
    [409, 409, 400, 401, 400, 401],
  );
  assert.match(errors[2]?.detail ?? '', /email: must be one email address/);
  assert.ok(client.session, 'a refusal of a face does not sign anybody out');
});

test('a used-up plan says how much and until when', async () => {
  const { client } = clientOf(run, await run.createApp({ plan: 'none' }));
  const error = await refused(client.signIn({ descriptors: [faces.genuine(0)] }), 'plan_limit_reached');
  assert.equal(error.plan, { limit: 0, used: 0, resetsAt: new Date('2026-04-01T00:00:00.000Z') });
});

test('limits say when to try again, and are not knocked at', async () => {
  await using strict = await startService({ env: { LIMIT_IP_PER_MINUTE: '2' } });
  const { client, sent } = clientOf(strict, await strict.createApp());
  await refused(client.signIn({ descriptors: [faces.genuine(0)] }), 'no_match');
  const error = await refused(client.signIn({ descriptors: [faces.genuine(0)] }), 'rate_limited');
  assert.equal([error.retryAfter, error.status], [60, 429]);
  assert.is(sent.length, 3);
});

test('a key or a page that the service does not take is a matter for the operator', async () => {
  const own = await run.createApp();
  const unknown = watched({ publishableKey: SOME_KEY, baseUrl: run.base }, own.origin).client;
  const error = await refused(unknown.requestEmailCode(someEmail()), 'key_refused');
  assert.is(error.status, 401);
  assert.match(error.detail ?? '', /unknown, revoked/);
  const elsewhere = clientOf(run, own, { origin: 'https://evil.example' }).client;
  const refusal = await refused(elsewhere.signIn({ descriptors: [faces.genuine(0)] }), 'origin_not_allowed');
  assert.match(refusal.detail ?? '', /https:\/\/evil\.example/);
  const lost = watched({ publishableKey: own.live.pk, baseUrl: `${run.base}/nowhere` }, own.origin).client;
  await refused(lost.requestEmailCode(someEmail()), 'unexpected_answer');
});

test('a token that was signed out elsewhere ends the session here; so does a user who is gone', async () => {
  const own = await run.createApp();
  const one = clientOf(run, own).client;
  const signIn = () => one.signIn({ descriptors: [faces.genuine(0)] });
  await one.enroll({ email: someEmail(), consent, descriptors: [faces.genuine(0)] });
  const logout = (token: string | null) =>
    fetch(`${run.base}/v1/me/logout`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });

  assert.is((await logout(one.token)).status, 204);
  await refused(one.profile(), 'token_revoked');
  assert.is(one.session, null);

  await signIn();
  await logout(one.token);
  await one.signOut();
  assert.is(one.session, null, '204 and 401 both mean signed out');

  const { user } = await signIn();
  const headers = { Authorization: `Bearer ${own.live.sk}` };
  assert.is((await fetch(`${run.base}/v1/users/${user.id}`, { method: 'DELETE', headers })).status, 204);
  await refused(one.rename({ name: 'x' }), 'not_found');
  assert.is(one.session, null);
});

test('deleting an account that is gone already is no failure', async () => {
  const own = await run.createApp();
  const { client } = clientOf(run, own);
  const { user } = await client.enroll({ email: someEmail(), consent, descriptors: [faces.genuine(0)] });
  const headers = { Authorization: `Bearer ${own.live.sk}` };
  await fetch(`${run.base}/v1/users/${user.id}`, { method: 'DELETE', headers });
  await client.deleteAccount();
  assert.is(client.session, null);
});

test('nobody signed in: verbs that need somebody say so, and send nothing', async () => {
  const { client, sent } = clientOf(run, await run.createApp());
  const verbs = [
    client.profile(),
    client.rename({ name: 'x' }),
    client.requestEmailChange({ newEmail: someEmail() }),
    client.confirmEmailChange({ code: '000000' }),
    client.addTemplates({ descriptors: [faces.genuine(0)] }),
    client.deleteAccount(),
  ];
  for (const verb of verbs) await refused(verb, 'not_signed_in');
  await client.signOut();
  assert.equal(sent, []);
});

test('a first-party page signs out by its cookie alone, after a reload', async () => {
  const own = await run.createApp({ firstParty: true });
  let cookie = '';
  const withCookies: typeof fetch = async (url, init) => {
    assert.is(init?.credentials, 'include');
    const headers = { ...(init?.headers as Record<string, string>), ...(cookie && { Cookie: cookie }) };
    const answer = await fetch(url, { ...init, headers });
    cookie = answer.headers.getSetCookie().at(-1)?.split(';')[0] ?? cookie;
    return answer;
  };
  const page = () => clientOf(run, own, { firstParty: true, fetch: withCookies }).client;
  const { token } = await page().enroll({ email: someEmail(), consent, descriptors: [faces.genuine(0)] });
  assert.match(cookie, /^svc_session=./);
  await page().signOut();
  const { json } = await verify(run, own, token);
  assert.equal(json, { valid: false, reason: 'revoked' });
});

test.run();
