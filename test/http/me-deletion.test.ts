/** Deleting oneself: everything goes, at once and down to the bytes, and nobody else is touched. */
import * as assert from 'uvu/assert';
import {
  assertError,
  call,
  enroll,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  server,
  usage,
  verify,
} from '../support/client.ts';
import { freshCode } from '../support/codes.ts';
import {
  addTemplates,
  changeCode,
  changeEmail,
  deleteMe,
  getMe,
  profile,
  rename,
  sealedOf,
  storedBytes,
} from '../support/me.ts';
import { inFileOnly } from '../support/on-postgres.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-deletion');
const inFile = inFileOnly(test);
const run = serviceFor(test, { env: { BASE_URL: 'https://id.example.com' } });

async function somebody(mode: Mode = 'live', fields: Record<string, unknown> = {}) {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app, { mode, fields })) };
}
async function gone(token: string): Promise<void> {
  const answer = await deleteMe(run, token);
  assert.equal([answer.status, answer.text], [204, '']);
}
const events = (app: TestApp): Json[] =>
  run.rows('SELECT * FROM auth_events WHERE app_id = ? ORDER BY at, type', app.id);

for (const mode of ['live', 'test'] as const)
  test(`a deleted user is gone everywhere, at once (${mode})`, async () => {
    const { app, user, token } = await somebody(mode);
    const other = (await match(run, app, { mode })).json.token;
    await gone(token);
    const headers = server(app, mode);
    assertError(await call(run, 'GET', `/v1/users/${user.id}`, { headers }), 'not_found');
    assert.equal((await call(run, 'GET', '/v1/users', { headers })).json, { users: [], next_cursor: null });
    assertError(await match(run, app, { mode }), 'no_match');
    for (const one of [token, other]) {
      assertError(await getMe(run, one), 'not_found');
      assertError(await deleteMe(run, one), 'not_found', 'a second time');
      const answer = await verify(run, app, one, mode);
      assert.equal(answer.json, { valid: false, reason: 'user_not_found' });
    }
  });

test('no row of the user is left, and the rows of others are', async () => {
  const { app, user, token } = await somebody();
  const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  await addTemplates(run, app, token, [faces.genuine(0, 1), faces.genuine(0, 2)]);
  for (const one of [token, other.token]) await changeCode(run, one, `pending-${one.slice(-5)}@example.com`);
  await freshCode(run, app, user.email);
  const rowsOf = (id: string) => [
    run.rows('SELECT 1 FROM users WHERE id = ?', id).length,
    run.rows('SELECT 1 FROM templates WHERE user_id = ?', id).length,
    run.rows('SELECT 1 FROM consents WHERE user_id = ?', id).length,
    run.rows('SELECT 1 FROM email_codes WHERE user_id = ?', id).length,
  ];
  assert.equal(rowsOf(user.id), [1, 3, 1, 2]);
  const [before, mine] = [rowsOf(other.user.id), await profile(run, other.token)];
  await gone(token);
  assert.equal(rowsOf(user.id), [0, 0, 0, 0]);
  assert.equal(rowsOf(other.user.id), before);
  assert.equal(await profile(run, other.token), mine);
  assert.is((await match(run, app, { descriptors: [faces.genuine(1, 1)] })).json.user?.id, other.user.id);
});

test('a tombstone without personal data is kept, and earlier events lose theirs', async () => {
  const { app, user, token } = await somebody();
  const sent = { ip: '203.0.113.61' };
  await match(run, app, sent);
  assert.ok(events(app).some(event => event.user_id === user.id && event.sealed !== null));
  const [count, counted] = [events(app).length, usage(run, app)];
  run.clock.advance(1_000);
  await gone(token);
  const left = events(app);
  assert.is(left.length, count + 1);
  const { id: _, ...tombstone } = left.find(event => event.type === 'user_deleted');
  assert.equal(tombstone, {
    app_id: app.id,
    mode: 'live',
    type: 'user_deleted',
    at: run.clock.now(),
    user_id: null,
    sealed: null,
  });
  for (const event of left) assert.equal([event.user_id, event.sealed], [null, null]);
  assert.equal(usage(run, app), counted, 'counts stay');
});

test('email and face are free again, for somebody new', async () => {
  const { app, user, token } = await somebody('live', { email: 'Back@Example.com' });
  await gone(token);
  const again = await enroll(run, app, { fields: { email: 'back@example.COM' } });
  assert.is(again.status, 201, again.text);
  assert.is.not(again.json.user.id, user.id);
  assertError(await getMe(run, token), 'not_found', 'the old token is not theirs');
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'user_not_found' });
  const { user: now, template_count } = await profile(run, again.json.token);
  assert.equal([now.email_verified, now.last_sign_in_at, template_count], [false, null, 1]);
});

test('the deletion outlives a restart', async () => {
  const { app, token } = await somebody();
  await gone(token);
  await run.restart();
  assertError(await getMe(run, token), 'not_found');
  assertError(await match(run, app), 'no_match');
  assert.is((await enroll(run, app)).status, 201);
});

/** Those of these that the stored bytes hold, in any case of letters. */
function found(markers: Record<string, string | Buffer>): string[] {
  const bytes = storedBytes(run);
  const text = bytes.toString('latin1').toLowerCase();
  const holds = (marker: string | Buffer) =>
    typeof marker === 'string' ? text.includes(marker.toLowerCase()) : bytes.includes(marker);
  return Object.entries(markers)
    .filter(([, marker]) => holds(marker))
    .map(([what]) => what);
}

inFile(
  'no byte of email, name, address, consent or template is left in the database and its log',
  async () => {
    const app = await run.createApp();
    const person = {
      email: 'First.Marker@Marker-One.example',
      name: 'Markerella Original',
      consent: { policy_version: 'policy-marker-7', accepted: true },
      liveness: { score: 0.5, checks: ['check-marker'] },
    };
    const first = await enrolled(run, app, { ip: '203.0.113.199', fields: person });
    const { user, token } = first;
    // In the clear nothing of these is ever there.
    const clear: Record<string, string> = {
      'first email': person.email,
      'first name': person.name,
      liveness: 'check-marker',
      ip: '203.0.113.199',
      'second email': 'Second.Marker@Marker-Two.example',
      'second name': 'Markerella Renamed',
      'pending email': 'Third.Marker@Marker-Three.example',
      agent: 'agent-marker',
      added: 'added-marker',
    };
    const markers: Record<string, string | Buffer> = { policy: 'policy-marker-7' };
    /** With the ends of former values, which all have to go. */
    const remember = () => {
      for (const [what, end] of Object.entries(sealedOf(run, user.id)))
        markers[`${what}: ${end.toString('hex')}`] = end;
    };
    remember();
    assert.equal(found({ ...clear, ...markers }), Object.keys(markers), 'each was found before');

    await rename(run, token, 'Markerella Renamed');
    remember();
    await changeEmail(run, token, 'Second.Marker@Marker-Two.example');
    for (let n = 1; n <= 12; n++) {
      const answer = await addTemplates(run, app, token, [faces.genuine(0, n)], {
        headers: { 'user-agent': 'agent-marker' },
        fields: { liveness: { checks: ['added-marker'] } },
      });
      assert.is(answer.status, 201, answer.text);
      remember();
    }
    await changeCode(run, token, 'Third.Marker@Marker-Three.example');
    remember();
    const now = sealedOf(run, user.id);
    assert.equal(found(now), Object.keys(now), 'each was found before');
    assert.is(Object.keys(now).filter(what => what.startsWith('templates')).length, 10);
    assert.ok(Object.keys(now).some(what => what.startsWith('email_codes')));
    const kept = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
    const others = sealedOf(run, kept.user.id);

    await gone(token);
    assert.equal(found({ ...markers, ...clear }), []);
    assert.equal(found(others), Object.keys(others));
    assert.is((await getMe(run, kept.token)).status, 200);
  },
);

const otherEnds: [string, Mode, (app: TestApp, id: string) => Promise<unknown>][] = [
  [
    'by the secret key',
    'live',
    (app, id) => call(run, 'DELETE', `/v1/users/${id}`, { headers: server(app) }),
  ],
  ['with the app', 'live', app => run.cli(['app', 'delete', app.id, '--yes'])],
  [
    'by the job for test users',
    'test',
    () => {
      run.clock.advance(30 * 86_400_000 + 1);
      return run.cli(['job', 'run', 'test-users']);
    },
  ],
];
for (const [index, [how, mode, end]] of otherEnds.entries())
  inFile(`a user deleted ${how} leaves nothing of a pending change or a learned template`, async () => {
    const [email, pending] = [`ended${index}@example.com`, `Awaited${index}@example.com`];
    const { app, user, token } = await somebody(mode, { email });
    assert.is((await addTemplates(run, app, token, [faces.genuine(0, 1)], { mode })).status, 201);
    await changeCode(run, token, pending, mode);
    const markers = sealedOf(run, user.id);
    // Two templates, two events, the user, the consent and the change.
    assert.is(Object.keys(markers).length, 7);
    assert.equal(found({ ...markers, email, pending }), Object.keys(markers), 'each was found before');
    await end(app, user.id);
    assert.equal(found(markers), []);
    assert.equal(run.rows('SELECT 1 FROM email_codes WHERE user_id = ?', user.id), []);
  });

test('a descriptor is never stored in the clear', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  const added = [faces.genuine(0, 1), faces.genuine(0, 2)];
  await addTemplates(run, app, token, added);
  assert.is(run.rows('SELECT 1 FROM templates WHERE user_id = ?', user.id).length, 3);
  const bytes = storedBytes(run);
  for (const raw of [faces.genuine(0), ...added]) {
    const norm = Math.sqrt(raw.reduce((sum, x) => sum + x * x, 0));
    const { buffer } = Float32Array.from(raw, x => x / norm);
    for (const at of [0, 256, 496]) assert.not.ok(bytes.includes(Buffer.from(buffer, at, 16)));
    assert.not.ok(bytes.includes(String(raw[0]).slice(0, 12)));
  }
});

test.run();
