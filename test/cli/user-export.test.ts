/** `user export`: everything that is kept of one person, nothing of anybody else, in a file for its owner alone. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { enrolled, faces, type Json, match } from '../support/client.ts';
import { requestCode, verifyCode } from '../support/codes.ts';
import { requestChange } from '../support/me.ts';
import { assertLike, ISO, tempFolder } from '../support/process.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: user export');
const IP = '198.51.100.7';
let ada: Json;
let bob: Json;

const run = serviceFor(test);
const app = appFor(test, run, { name: 'Shop' });
test.before(async () => {
  const person = (i: number, email: string) => ({
    descriptors: [faces.genuine(i)],
    fields: { email },
    ip: IP,
  });
  ada = await enrolled(run, app, person(0, 'ada@mail.example'));
  bob = await enrolled(run, app, person(1, 'bob@mail.example'));
  run.clock.advance(1_000);
  await match(run, app, { descriptors: [faces.genuine(0, 1)], ip: IP });
  run.clock.advance(1_000);
  await requestChange(run, ada.token, 'ada@new.example');
  await requestCode(run, app, 'ada@mail.example');
  await verifyCode(run, app, 'ada@mail.example', '111111');
});

const exported = async (...more: string[]) => (await run.cli(['user', 'export', ada.user.id, ...more])).json;

test('the document has all that is kept of the person, and how long', async () => {
  const document = await exported();
  const { events, app_events: told, templates, counters, kept, not_kept, ...rest } = document;
  assertLike(rest, {
    format: 'face-sign-in/user/1',
    exported_at: ISO,
    app: { id: app.id, name: 'Shop' },
    mode: 'live',
    user: {
      id: ada.user.id,
      email: 'ada@mail.example',
      name: 'Ada',
      email_verified: false,
      created_at: ISO,
      last_sign_in_at: ISO,
    },
    consent: { policy_version: '2026-01', accepted_at: ISO, ip: IP, user_agent: rest.consent.user_agent },
    pending_codes: [
      { kind: 'email_change', expires_at: ISO, wrong_attempts: 0, new_email: 'ada@new.example' },
      { kind: 'sign_in', expires_at: ISO, wrong_attempts: 1, new_email: null },
    ],
  });
  assert.equal(
    events.map(({ type }: Json) => type),
    ['enroll', 'match', 'email_code_failed'],
  );
  assert.equal(Object.keys(events[0]), ['id', 'type', 'at', 'ip', 'user_agent', 'liveness']);
  assert.is(events[1].ip, IP);
  assert.equal(
    told.map(({ type }: Json) => type),
    ['user.enrolled', 'user.signed_in'],
  );
  assert.equal(Object.keys(told[0]), ['id', 'seq', 'type', 'timestamp', 'data']);
  assert.equal(Object.keys(told[0].data), ['user_id', 'jti', 'expires_at']);
  assertLike(templates, [{ id: /^tpl_/, origin: 'enrolled', created_at: ISO }]);
  const about = counters.map(({ about: what, count }: Json) => `${count} ${what}`).join('\n');
  assert.match(about, /^1 failed sign-ins/m);
  assert.match(about, /^1 codes requested/m);
  assert.match(about, /^1 address changes requested by/m);
  assert.match(about, /^1 changes requested to the address ada@new\.example/m);
  assert.ok(counters.every(({ ends_at }: Json) => ISO.test(ends_at)));
  const parts = [
    ...['user', 'consent', 'templates', 'events', 'app_events'],
    ...['pending_codes', 'counters', 'backups'],
  ];
  assert.equal(Object.keys(kept), parts);
  assert.match(kept.events, /^400 days/);
  assert.match(kept.user, /3 years/);
  assert.ok(not_kept.some((line: string) => /pictures/.test(line)));
});

test('nothing of anybody else, no key and no hash is in it', async () => {
  const whole = JSON.stringify(await exported('--templates'));
  const hashes = run.rows('SELECT hash FROM email_codes UNION SELECT email_hash FROM users');
  assert.ok(hashes.length > 3);
  const foreign = [bob.user.id, 'bob@mail.example', ...hashes.map(({ hash }) => hash)];
  for (const marker of foreign) assert.not(whole.includes(marker), marker);
});

test('descriptors are opened only on demand, and are the ones that were stored', async () => {
  assert.not('descriptor' in (await exported()).templates[0]);
  const [{ descriptor }] = (await exported('--templates')).templates;
  assert.is(descriptor.length, 128);
  const sent = faces.genuine(0);
  const norm = Math.hypot(...sent);
  assert.equal(descriptor, [...Float32Array.from(sent, n => n / norm)]);
});

test('a file is for its owner alone and never in place of another one', async () => {
  const file = join(tempFolder(), 'ada.json');
  const printed = await exported(file);
  assert.equal(printed, { file, bytes: statSync(file).size });
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is(JSON.parse(readFileSync(file, 'utf8')).user.email, 'ada@mail.example');
  writeFileSync(file, 'mine');
  const { code, stderr } = await run.cli(['user', 'export', ada.user.id, file]);
  assert.is(code, 1);
  assert.match(stderr, /already exists/);
  assert.is(readFileSync(file, 'utf8'), 'mine');
});

test('nothing changes in the database', async () => {
  const before = run.rows('SELECT * FROM auth_events').length;
  await exported('--templates');
  assert.is(run.rows('SELECT * FROM auth_events').length, before);
});

test('a test user is told of the 30 days', async () => {
  const { user } = await enrolled(run, app, { mode: 'test', descriptors: [faces.genuine(3)] });
  const { json } = await run.cli(['user', 'export', user.id]);
  assert.is(json.mode, 'test');
  assert.match(json.kept.user, /30 days/);
});

test.run();
