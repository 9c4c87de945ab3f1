import * as assert from 'uvu/assert';
import {
  assertError,
  assertLacks,
  consent,
  decoded,
  enroll,
  enrolled,
  faces,
  iso,
  match,
  someEmail,
  usage,
  verify,
} from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('enroll');
const run = serviceFor(test);

for (const mode of ['live', 'test'] as const) {
  test(`enroll answers the user, a token and its end (${mode})`, async () => {
    const app = await run.createApp();
    const email = someEmail();
    const answer = await enroll(run, app, { mode, fields: { email, name: 'Ada L.' } });
    assert.is(answer.status, 201, answer.text);
    assert.equal(Object.keys(answer.json).sort(), ['expires_at', 'token', 'user']);
    const { user, token, expires_at } = answer.json;
    assert.equal(user, { id: user.id, email, name: 'Ada L.', created_at: iso(run.clock.now()) });
    assert.match(user.id, /^usr_[0-9A-Za-z]{24}$/);
    assert.is(expires_at, iso(decoded(token).claims.exp * 1000));
    assert.match(String(answer.headers['cache-control']), /no-store/);
    assert.is((await verify(run, app, token, mode)).json.valid, true);
  });
}

test('the email is trimmed and kept as written; the name is trimmed and may be left out', async () => {
  const app = await run.createApp();
  const first = await enrolled(run, app, {
    fields: { email: '  Grace.Hopper@Example.COM ', name: '  Grace  H ' },
  });
  assert.is(first.user.email, 'Grace.Hopper@Example.COM');
  assert.is(first.user.name, 'Grace  H');
  assert.equal((await match(run, app)).json.user, first.user, 'as it was stored');
  const second = await enrolled(run, app, { descriptors: [faces.genuine(1)], fields: { name: undefined } });
  assert.is(second.user.name, '');
});

const spellings = ['Mary@Example.com', 'mary@example.com', 'MARY@EXAMPLE.COM', '  mary@example.com  '];
for (const spelling of spellings) {
  test(`an email is taken in any spelling: "${spelling}"`, async () => {
    const app = await run.createApp();
    const { user } = await enrolled(run, app, {
      fields: { email: 'Mary@example.com', name: 'Mary Somerville' },
    });
    const answer = await enroll(run, app, { descriptors: [faces.genuine(1)], fields: { email: spelling } });
    assertError(answer, 'email_taken');
    assertLacks(answer, [user.id, 'Somerville']);
    assert.equal(usage(run, app), { auths: 1, enrolls: 1, matches_ok: 0, matches_failed: 0 });
  });
}

test('a face enrolled before is refused without naming its user, and counts as an auth', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, { fields: { name: 'Somerville' } });
  const answer = await enroll(run, app, { descriptors: [faces.genuine(0, 1)] });
  assertError(answer, 'face_already_enrolled');
  assertLacks(answer, [user.id, user.email, 'Somerville']);
  assert.equal(usage(run, app), { auths: 2, enrolls: 1, matches_ok: 0, matches_failed: 0 });
});

const duplicates: [string, () => number[][], boolean][] = [
  ['just inside the threshold', () => [faces.atDistance(0, 0.345)], true],
  ['just outside the threshold', () => [faces.atDistance(0, 0.355)], false],
  [
    'the last of five descriptors',
    () => [...[5, 6, 7, 8].map(n => faces.genuine(n)), faces.genuine(0, 2)],
    true,
  ],
  ['within the threshold of two users, inside the margin', () => [faces.lookAlike(0, 1)], true],
  ['another person', () => [faces.genuine(5)], false],
  ['the same face on another scale', () => [faces.genuine(0).map(x => x * 1e6)], true],
];
for (const [name, descriptors, refused] of duplicates) {
  test(`a face enrolled before: ${name} is ${refused ? 'refused' : 'enrolled'}`, async () => {
    const app = await run.createApp();
    await enrolled(run, app, { descriptors: [faces.genuine(0)] });
    await enrolled(run, app, { descriptors: [faces.genuine(1)] });
    const answer = await enroll(run, app, { descriptors: descriptors() });
    if (refused) assertError(answer, 'face_already_enrolled');
    else assert.is(answer.status, 201, answer.text);
  });
}

test('each of up to five descriptors is a template to be found by', async () => {
  const app = await run.createApp();
  const five = [0, 1, 2, 3, 4].map(capture => faces.genuine(0, capture));
  const { user } = await enrolled(run, app, { descriptors: five });
  for (const one of five) {
    const found = await match(run, app, { descriptors: [one] });
    assert.is(found.json.user?.id, user.id, found.text);
    assert.is(found.json.confidence, 1);
  }
});

const ok = 'policy-1';
const consents: [unknown, string][] = [
  [undefined, 'consent_required'],
  [null, 'consent_required'],
  ['yes', 'consent_required'],
  [true, 'consent_required'],
  [[], 'consent_required'],
  [[consent], 'consent_required'],
  [{}, 'consent_required'],
  [{ policy_version: ok }, 'consent_required'],
  [{ policy_version: ok, accepted: false }, 'consent_required'],
  [{ policy_version: ok, accepted: null }, 'consent_required'],
  [{ policy_version: ok, accepted: 'true' }, 'consent_required'],
  [{ policy_version: ok, accepted: 1 }, 'consent_required'],
  [{ policy_version: ok, accepted: [true] }, 'consent_required'],
  [{ accepted: true }, 'invalid_request'],
  [{ policy_version: '', accepted: true }, 'invalid_request'],
  [{ policy_version: null, accepted: true }, 'invalid_request'],
  [{ policy_version: 3, accepted: true }, 'invalid_request'],
  [{ policy_version: 'v'.repeat(101), accepted: true }, 'invalid_request'],
  [{ policy_version: 'v\0', accepted: true }, 'invalid_request'],
  [{ policy_version: 'v\ud800', accepted: true }, 'invalid_request'],
];
for (const [given, code] of consents) {
  test(`consent ${JSON.stringify(given)?.slice(0, 60)}: ${code}`, async () => {
    const app = await run.createApp();
    const answer = await enroll(run, app, { fields: { consent: given } });
    assertError(answer, code);
    if (code === 'invalid_request') {
      assert.match(answer.json.error.message, /consent\.policy_version(?![\w.[])/);
      assertLacks(answer, ['vvv']);
    }
    assert.is(usage(run, app).auths, 0);
    assert.is((await enroll(run, app)).status, 201, 'nothing was stored');
  });
}

test('an enroll is recorded as an event of its user, with its liveness, without email and name', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, {
    fields: { name: 'Somerville', liveness: { checks: ['turn_left'] } },
  });
  const events = run.opened('auth_events').filter(({ user_id }) => user_id === user.id);
  assert.is(events.length, 1);
  assert.is(events[0].mode, 'live');
  const kept = JSON.stringify(events[0]);
  assert.match(kept, /turn_left/);
  for (const personal of [user.email, 'Somerville']) assert.not.ok(kept.includes(personal), kept);
});

test('an unknown field, app_id among them, changes nothing', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  const fields = {
    app_id: other.id,
    mode: 'test',
    livemode: false,
    user: { id: 'usr_x' },
    id: 'usr_y',
    templates: [1],
  };
  const { token } = await enrolled(run, app, { fields });
  const { claims } = decoded(token);
  assert.is(claims.app_id, app.id);
  assert.is(claims.livemode, true);
  assert.is((await enroll(run, other)).status, 201, 'the other app holds nothing');
});

test.run();
