/** A user's own profile: what it shows, and what renaming may change. */
import * as assert from 'uvu/assert';
import {
  assertError,
  call,
  consent,
  decoded,
  enrolled,
  faces,
  iso,
  type Mode,
  match,
  server,
} from '../support/client.ts';
import { byCode } from '../support/codes.ts';
import { bearer, getMe, PROFILE_KEYS, profile, rename } from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-profile');
const run = serviceFor(test);

async function somebody(mode: Mode = 'live', fields: Record<string, unknown> = {}) {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app, { mode, fields })) };
}

for (const mode of ['live', 'test'] as const)
  test(`the profile of a user who has just enrolled (${mode})`, async () => {
    const at = run.clock.now();
    const { user, token } = await somebody(mode);
    run.clock.advance(5_000);
    const answer = await getMe(run, token);
    assert.is(answer.status, 200, answer.text);
    assert.equal(answer.json, {
      user: { ...user, email_verified: false, last_sign_in_at: null },
      enrolled_at: iso(at),
      template_count: 1,
      consent: { policy_version: consent.policy_version, accepted_at: iso(at) },
      livemode: mode === 'live',
    });
  });

test('the consent is the one that was given', async () => {
  const given = { policy_version: 'Notice 7 of May', accepted: true };
  const { token } = await somebody('live', { consent: given });
  assert.is((await profile(run, token)).consent.policy_version, 'Notice 7 of May');
});

test('it counts the templates that were enrolled', async () => {
  const app = await run.createApp();
  const descriptors = [0, 1, 2, 3].map(capture => faces.genuine(0, capture));
  const { token } = await enrolled(run, app, { descriptors });
  assert.is((await profile(run, token)).template_count, 4);
});

test('a sign-in by email code shows in last_sign_in_at and proves the address', async () => {
  const { app, user } = await somebody();
  run.clock.advance(7_000);
  const first = await byCode(run, app, user.email);
  const expected = () => ({ ...user, email_verified: true, last_sign_in_at: iso(run.clock.now()) });
  assert.equal((await profile(run, first.token)).user, expected());
  run.clock.advance(7_000);
  const second = await byCode(run, app, user.email);
  assert.equal((await profile(run, second.token)).user, expected());
  assert.equal((await profile(run, first.token)).user, expected(), 'by the other session');
});

test('a renamed user is answered in the shape of the profile, and renamed everywhere', async () => {
  const { app, user, token } = await somebody();
  await match(run, app);
  run.clock.advance(1_000);
  const before = await profile(run, token);
  const answer = await rename(run, token, 'Mary Somerville');
  assert.is(answer.status, 200, answer.text);
  assert.equal(answer.json, { user: { ...before.user, name: 'Mary Somerville' } });
  assert.equal(Object.keys(answer.json.user).sort(), PROFILE_KEYS);
  assert.equal(await profile(run, token), { ...before, user: answer.json.user });
  const seen = await call(run, 'GET', `/v1/users/${user.id}`, { headers: server(app) });
  const { email_verified: _, ...listed } = answer.json.user;
  assert.equal(seen.json, listed);
  assert.equal((await match(run, app)).json.user, { ...user, name: 'Mary Somerville' });
});

test('a name may be emptied', async () => {
  const { token } = await somebody();
  assert.is((await rename(run, token, '')).json?.user?.name, '');
  assert.is((await profile(run, token)).user.name, '');
});

test('a name is trimmed, and counted after that', async () => {
  const { token } = await somebody();
  for (const [given, stored] of [
    ['  Ada \n', 'Ada'],
    ['   ', ''],
    [` ${'😀'.repeat(200)} `, '😀'.repeat(200)],
  ] as const) {
    assert.is((await rename(run, token, given)).json?.user?.name, stored);
    assert.is((await profile(run, token)).user.name, stored);
  }
  assertError(await rename(run, token, '😀'.repeat(201)), 'invalid_request');
  assert.is((await profile(run, token)).user.name, '😀'.repeat(200), 'as it was');
});

test('of two names in one body the last one counts', async () => {
  const { token } = await somebody();
  const raw = '{"name":"First","name":"Last"}';
  const answer = await call(run, 'PATCH', '/v1/me', { headers: bearer(token), raw });
  assert.is(answer.json?.user?.name, 'Last', answer.text);
});

test('only the name can change, whatever else the body says', async () => {
  const { app, user, token } = await somebody();
  const before = await profile(run, token);
  const json = {
    name: 'Eve',
    id: 'usr_000000000000000000000000',
    email: 'eve@example.com',
    email_verified: true,
    created_at: iso(0),
    last_sign_in_at: iso(0),
    enrolled_at: iso(0),
    livemode: false,
    template_count: 0,
    consent: { policy_version: 'none', accepted: true },
    app_id: 'app_x',
  };
  const raw = JSON.stringify(json).replace('{', '{"__proto__":{"email_verified":true},');
  const answer = await call(run, 'PATCH', '/v1/me', { headers: bearer(token), raw });
  assert.equal(answer.json, { user: { ...before.user, name: 'Eve' } });
  assert.equal(await profile(run, token), { ...before, user: { ...before.user, name: 'Eve' } });
  assert.equal((await match(run, app)).json.user, { ...user, name: 'Eve' });
});

test('renaming touches nobody else', async () => {
  const app = await run.createApp();
  const one = await enrolled(run, app);
  const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  const before = await profile(run, other.token);
  await rename(run, one.token, 'Zoe');
  assert.equal(await profile(run, other.token), before);
});

test('neither reading nor renaming answers a token or a descriptor', async () => {
  const { token } = await somebody();
  for (const answer of [await getMe(run, token), await rename(run, token, 'Ida')]) {
    assert.is(answer.status, 200);
    assert.not.match(answer.text, /eyJ|descriptor|distance/);
    assert.is(answer.headers['set-cookie'], undefined);
  }
  assert.is(decoded(token).claims.name, undefined, 'nor does a token carry a name');
});

test.run();
