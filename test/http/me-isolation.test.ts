/** Two apps, two modes, one person in each: what one token does is seen in its own tenant only. And what the log may hold. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  call,
  challenge,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  server,
  usage,
  verify,
} from '../support/client.ts';
import { freshCode, TEST_CODE, verifyCode, wrongCode } from '../support/codes.ts';
import {
  addTemplates,
  bearer,
  changeCode,
  changeEmail,
  confirmChange,
  deleteMe,
  getMe,
  loggedSecret,
  logout,
  ME_ROUTES,
  profile,
  rename,
  requestChange,
} from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

interface Tenant {
  app: TestApp;
  mode: Mode;
  user: Json;
  token: string;
}
const test = suite('me-isolation');
const run = serviceFor(test, { env: { LOG_LEVEL: 'debug' } });

let round = 0;
/** The same email and the same face in two apps and two modes. */
async function fourTenants(): Promise<Tenant[]> {
  const email = `everywhere${++round}@example.com`;
  const tenants: Tenant[] = [];
  for (const app of [await run.createApp({ name: 'One' }), await run.createApp({ name: 'Two' })])
    for (const mode of ['live', 'test'] as const) {
      const fields = { email, name: `${app.name} ${mode}` };
      tenants.push({ app, mode, ...(await enrolled(run, app, { mode, fields })) });
    }
  return tenants;
}
/** Does something in each tenant in turn, and sees to it that the three others stay as they were. */
async function apart(act: (own: Tenant, tenants: Tenant[]) => Promise<void>): Promise<void> {
  for (let index = 0; index < 4; index++) {
    const tenants = await fourTenants();
    const own = tenants[index] as Tenant;
    const others = tenants.filter(one => one !== own);
    const seen = () =>
      Promise.all(
        others.map(async ({ app, mode, token }) => [await profile(run, token), usage(run, app, mode)]),
      );
    const before = await seen();
    await act(own, tenants);
    assert.equal(await seen(), before);
    for (const { app, mode, user, token } of others) {
      assert.is((await verify(run, app, token, mode)).json.valid, true);
      assert.is((await match(run, app, { mode })).json.user?.id, user.id);
    }
  }
}

test('a profile is that of the own tenant, and names nothing of the others', () =>
  apart(async (own, tenants) => {
    const answer = await getMe(run, own.token);
    assert.equal([answer.json.user.id, answer.json.livemode], [own.user.id, own.mode === 'live']);
    const foreign = tenants.filter(one => one !== own).flatMap(one => [one.user.id, one.user.name]);
    assertLacks(answer, foreign);
  }));

test('a rename stays in its tenant', () =>
  apart(async own => assert.is((await rename(run, own.token, 'Only here')).status, 200)));

test('a logout stays in its tenant', () =>
  apart(async own => {
    assert.is((await logout(run, own.token)).status, 204);
    assertError(await getMe(run, own.token), 401, 'token_revoked');
  }));

test('a deletion stays in its tenant', () =>
  apart(async own => {
    assert.is((await deleteMe(run, own.token)).status, 204);
    assertError(await match(run, own.app, { mode: own.mode }), 401, 'no_match');
  }));

test('a template add stays in its tenant', () =>
  apart(async ({ app, mode, token }) => {
    const answer = await addTemplates(run, app, token, [faces.genuine(0, 1)], { mode });
    assert.is(answer.json?.template_count, 2, answer.text);
  }));

test('a template learned in one tenant recognises nobody in the others', () =>
  apart(async ({ app, mode, token }, tenants) => {
    const learned = faces.atDistance(0, 0.3, 1);
    assert.is((await addTemplates(run, app, token, [learned], { mode })).status, 201);
    for (const one of tenants)
      assert.is((await profile(run, one.token)).template_count, one.token === token ? 2 : 1);
  }));

test('an email change stays in its tenant, where an address taken elsewhere is free', () =>
  apart(async own => {
    const email = `moved${round}@example.com`;
    const other = await run.createApp();
    await enrolled(run, other, { mode: own.mode, fields: { email } });
    const { user } = await changeEmail(run, own.token, email, own.mode);
    assert.equal([user.id, user.email], [own.user.id, email]);
  }));

test('a challenge of another tenant is invalid', async () => {
  const tenants = await fourTenants();
  for (const own of tenants)
    for (const other of tenants.filter(one => one !== own)) {
      const { challenge_id: challengeId } = await challenge(run, other.app, other.mode);
      const answer = await addTemplates(run, own.app, own.token, [faces.genuine(0, 1)], { challengeId });
      assertError(answer, 400, 'challenge_invalid');
    }
});

test('a code of another tenant changes nothing, that of test mode not in live mode', async () => {
  const tenants = await fourTenants();
  const live = tenants.filter(one => one.mode === 'live');
  const [one, two] = live as [Tenant, Tenant];
  const code = await changeCode(run, one.token, 'code-one@example.com');
  const second = await changeCode(run, two.token, 'code-two@example.com');
  if (code !== second) assertError(await confirmChange(run, two.token, code), 400, 'invalid_code');
  for (const tested of tenants.filter(one => one.mode === 'test')) {
    assertError(await confirmChange(run, tested.token, TEST_CODE), 400, 'invalid_code', 'not asked for');
    assert.is((await requestChange(run, tested.token, 'code-test@example.com')).status, 202);
  }
  if (code !== TEST_CODE) assertError(await confirmChange(run, one.token, TEST_CODE), 400, 'invalid_code');
  assert.is((await confirmChange(run, one.token, code)).status, 200);
});

test('failures in one tenant lock nobody out in another', async () => {
  const tenants = await fourTenants();
  const own = tenants[0] as Tenant;
  for (let n = 0; n < 5; n++)
    assertError(await addTemplates(run, own.app, own.token, [faces.stranger(n)]), 401, 'no_match');
  for (const { app, mode, user } of tenants) {
    const code = await freshCode(run, app, user.email, { mode });
    const answer = await verifyCode(run, app, user.email, code, { mode });
    if (app === own.app && mode === own.mode) assertError(answer, 429, 'rate_limited');
    else assert.is(answer.status, 200, answer.text);
  }
});

test('a key sent along, of whichever tenant, moves no request to it', async () => {
  const tenants = await fourTenants();
  for (const own of tenants)
    for (const { app, mode } of tenants) {
      const headers = { ...bearer(own.token), 'x-svc-key': app[mode].pk, origin: app.origin };
      assert.is((await call(run, 'GET', '/v1/me', { headers })).json?.user?.id, own.user.id);
    }
});

test('no token, email, name, code or face is logged, whatever becomes of the request', async () => {
  const app = await run.createApp({ firstParty: true });
  const person = { email: 'mary.somerville@example.com', name: 'Mary Somerville' };
  const first = await enrolled(run, app, { fields: person });
  const token = first.token;
  const second = (await match(run, app)).json.token;
  const answers: Answer[] = [await getMe(run, token), await rename(run, token, 'Caroline Herschel')];
  answers.push(await rename(run, token, 'Ada\u0000Lovelace'));
  const taken = await enrolled(run, app, {
    descriptors: [faces.genuine(1)],
    fields: { email: 'taken.person@example.com' },
  });
  answers.push(await requestChange(run, token, taken.user.email));
  answers.push(await requestChange(run, token, 'no.address@'));
  const code = await changeCode(run, token, 'caroline.herschel@example.com');
  const wrong = wrongCode(code);
  answers.push(await confirmChange(run, token, wrong), await confirmChange(run, token, code));
  const added = await addTemplates(run, app, token, [faces.genuine(0, 3)]);
  answers.push(added, await addTemplates(run, app, token, [faces.stranger(3)]));
  for (const [method, path] of ME_ROUTES)
    for (const raw of [`{"name":"${person.name}"`, `"${token}"`])
      if (method !== 'DELETE' && !path.endsWith('logout'))
        answers.push(await call(run, method, `${path}?token=${token}`, { headers: bearer(token), raw }));
  answers.push(await call(run, 'GET', '/v1/me', { headers: bearer(`${token}x`) }));
  answers.push(
    await call(run, 'POST', '/v1/me/logout', {
      headers: { cookie: `svc_session=${second}`, origin: app.origin },
    }),
  );
  answers.push(await logout(run, token), await logout(run, token));
  answers.push(await deleteMe(run, added.json.token), await getMe(run, added.json.token));
  await call(run, 'GET', '/v1/app', { headers: server(app) });
  const statuses = new Set(answers.map(answer => answer.status));
  for (const status of [200, 201, 204, 400, 401, 404, 409])
    assert.ok(statuses.has(status), `an answer ${status}`);
  assert.ok(run.logs.length > answers.length, 'requests are logged');
  const secrets = [
    ...[token, second, added.json.token].flatMap((one: string) => [one, one.split('.')[2] ?? '']),
    ...[person.email, 'caroline.herschel@example.com', 'taken.person@example.com', 'no.address'],
    ...['Somerville', 'Herschel', 'Lovelace', code, wrong],
    ...[0, 64, 127].map(index => String(faces.genuine(0, 3)[index])),
  ];
  assert.is(loggedSecret(run, secrets), undefined);
});

test.run();
