/** An app and mode remember the encoder of their templates: what is taken, what is refused, and what a refusal leaves alone. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  atOnce,
  browser,
  call,
  challenge,
  consent,
  enroll,
  enrolled,
  faces,
  type Mode,
  match,
  planFile,
  tally,
  usage,
} from '../support/client.ts';
import { addTemplates } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('encoder');
const run = serviceFor(test, {
  env: { LIMIT_IP_PER_MINUTE: '40', LIMIT_FAILED_MATCHES: '3', PLANS_FILE: planFile({ two: 2 }) },
});

const A = 'mobilefacenet-1';
const B = 'face-api:face_recognition_model:mean-0a1b2c3d';
const named = (encoder: unknown) => ({ fields: { encoder } });
let addresses = 0;
const address = () => `203.0.113.${++addresses}`;

const fresh = async (app: TestApp) => (await challenge(run, app, 'live', address())).challenge_id;

const remembered = async (app: TestApp, mode: Mode = 'live') =>
  (await run.cli(['app', 'encoder', 'show', '--app', app.id, '--mode', mode])).json.encoder;

/** An app in which person 0 is enrolled by encoder A, with the token. */
async function appOfA(plan = 'unlimited') {
  const app = await run.createApp({ plan });
  const { user, token } = await enrolled(run, app, { ...named(A), ip: address() });
  return { app, user, token };
}

function assertMismatch(answer: Answer, app: TestApp, other: string, mode: Mode = 'live'): void {
  assertError(answer, 'encoder_mismatch');
  const { message } = answer.json.error;
  assert.match(message, /^encoder: /);
  for (const part of [`"${A}"`, `"${other}"`, `app encoder reset --app ${app.id} --mode ${mode}`])
    assert.ok(message.includes(part), `${part}: ${message}`);
}

const good = [' ', '~', 'x'.repeat(100), ' a ', '"\\<>{}'];
for (const encoder of good)
  test(`a name that is taken, and compared as it is: ${JSON.stringify(encoder).slice(0, 20)}`, async () => {
    const app = await run.createApp();
    const { token } = await enrolled(run, app, { ...named(encoder), ip: address() });
    assert.is(await remembered(app), encoder);
    assert.is((await match(run, app, { ...named(encoder), ip: address() })).status, 200);
    const fields = { encoder };
    assert.is((await addTemplates(run, app, token, [faces.genuine(0, 2)], { fields })).status, 201);
    const nearly = encoder.length < 100 ? `${encoder} ` : encoder.slice(1);
    const other = await match(run, app, { ...named(nearly), ip: address() });
    assertError(other, 'encoder_mismatch');
  });

const wrong: [string, unknown][] = [
  ['null', null],
  ['a number', 7],
  ['a list', [A]],
  ['an object', { id: A }],
  ['empty', ''],
  ['101 characters', 'canary'.padEnd(101, 'x')],
  ['a line end behind it', 'canary\n'],
  ['a tab', 'canary\t1'],
  ['a control character', 'canary\u007f'],
  ['beyond ASCII', 'canary-é'],
  ['a lone surrogate', 'canary\ud800'],
];
for (const [what, encoder] of wrong)
  test(`a name that is refused on all three routes, and uses nothing: ${what}`, async () => {
    const { app, token } = await appOfA();
    const before = usage(run, app);
    const challengeId = await fresh(app);
    const of = { challengeId, fields: { encoder } };
    for (const answer of [
      await enroll(run, app, { ...of, ip: address() }),
      await match(run, app, { ...of, ip: address() }),
      await addTemplates(run, app, token, [faces.genuine(0, 2)], of),
    ]) {
      assertError(answer, 'invalid_request', what);
      assert.match(answer.json.error.message, /^encoder: must be /);
      assertLacks(answer, ['canary']);
    }
    assert.equal(usage(run, app), before);
    assert.is((await match(run, app, { challengeId, ip: address() })).status, 200, 'the challenge is good');
  });

for (const mode of ['live', 'test'] as const)
  test(`another encoder is refused on all three routes, and names both (${mode})`, async () => {
    const app = await run.createApp();
    const { token, user } = await enrolled(run, app, { ...named(A), mode, ip: address() });
    const before = usage(run, app, mode);
    const of = { ...named(B), mode };
    for (const answer of [
      await enroll(run, app, { ...of, ip: address() }),
      await match(run, app, { ...of, ip: address() }),
      await addTemplates(run, app, token, [faces.genuine(0, 2)], of),
    ]) {
      assertMismatch(answer, app, B, mode);
      assertLacks(answer, [user.id, user.email, token]);
    }
    assert.equal(usage(run, app, mode), before);
    assert.is(await remembered(app, mode), A);
    const same = { ...named(A), mode };
    assert.is((await match(run, app, { ...same, ip: address() })).status, 200);
    assert.is((await addTemplates(run, app, token, [faces.genuine(0, 2)], same)).status, 201);
  });

test('a caller who names none goes on as before, and an app without one takes any on match and template add', async () => {
  const { app, token } = await appOfA();
  assert.is((await enroll(run, app, { descriptors: [faces.genuine(1)], ip: address() })).status, 201);
  assert.is((await match(run, app, { ip: address() })).status, 200);
  assert.is((await addTemplates(run, app, token, [faces.genuine(0, 2)])).status, 201);
  assert.is(await remembered(app), A);

  const old = await run.createApp();
  const { token: oldToken } = await enrolled(run, old, { ip: address() });
  for (const encoder of [A, B]) {
    assert.is((await match(run, old, { ...named(encoder), ip: address() })).status, 200);
    assert.is((await addTemplates(run, old, oldToken, [faces.genuine(0, 2)], named(encoder))).status, 201);
  }
  assert.is(await remembered(old), null, 'only an enrolment records it');
});

test('an enrolment that does not succeed records nothing', async () => {
  const { app, user } = await appOfA();
  await run.cli(['app', 'encoder', 'reset', '--app', app.id, '--mode', 'live']);
  const used = await fresh(app);
  await match(run, app, { challengeId: used, ip: address() });
  const newFace = { descriptors: [faces.genuine(1)] };
  for (const [of, code] of [
    [named(B), 'face_already_enrolled'],
    [{ ...newFace, fields: { encoder: B, email: user.email } }, 'email_taken'],
    [{ ...newFace, fields: { encoder: B, consent: { ...consent, accepted: false } } }, 'consent_required'],
    [{ ...newFace, ...named(B), challengeId: used }, 'challenge_invalid'],
  ] as const)
    assert.is((await enroll(run, app, { ...of, ip: address() })).json.error?.code, code);
  assert.is(await remembered(app), null);
});

test('live and test, and every app, remember one of their own', async () => {
  const { app } = await appOfA();
  const other = await run.createApp();
  assert.is((await enroll(run, app, { ...named(B), mode: 'test', ip: address() })).status, 201);
  assert.is((await enroll(run, other, { ...named(B), ip: address() })).status, 201);
  assert.equal(
    [
      await remembered(app),
      await remembered(app, 'test'),
      await remembered(other),
      await remembered(other, 'test'),
    ],
    [A, B, B, null],
  );
  assertMismatch(await match(run, app, { ...named(B), ip: address() }), app, B);
  const answer = await match(run, other, { ...named(A), ip: address() });
  assertError(answer, 'encoder_mismatch');
  assertLacks(answer, [app.id]);
});

test('it is checked after the fields, and before consent, plan and challenge', async () => {
  const { app } = await appOfA('two');
  const unknown = `ch_${'A'.repeat(24)}`;
  const post = (json: object) =>
    call(run, 'POST', '/v1/enroll', { headers: browser(app), ip: address(), json });
  const person = { email: 'new@example.com', descriptors: [faces.genuine(3)], consent };
  const answer = await post({ ...person, challenge_id: unknown, encoder: B, descriptors: [[1]] });
  assertError(answer, 'invalid_request');
  assertMismatch(await post({ ...person, challenge_id: unknown, encoder: B, consent: {} }), app, B);
  assert.is((await match(run, app, { ip: address() })).status, 200);
  assert.is(usage(run, app).auths, 2);
  const spent = await match(run, app, { challengeId: unknown, ip: address() });
  assertError(spent, 'plan_limit_reached');
  for (const route of [enroll, match])
    assertMismatch(await route(run, app, { ...named(B), challengeId: unknown, ip: address() }), app, B);
});

test('a refusal consumes nothing: the same challenge works afterwards, and no failure is counted', async () => {
  const { app, token } = await appOfA();
  const challengeId = await fresh(app);
  const ip = address();
  const events = () => run.rows('SELECT * FROM auth_events WHERE app_id = ?', app.id).length;
  const windows = () => run.rows('SELECT * FROM windows WHERE app_id = ?', app.id);
  const before = [events(), windows()];
  const stranger = { descriptors: [faces.stranger(1)], challengeId, ...named(B) };
  for (let n = 0; n < 5; n++) {
    assertMismatch(await match(run, app, { ...stranger, ip }), app, B);
    assertMismatch(await enroll(run, app, { ...stranger, ip }), app, B);
    assertMismatch(await addTemplates(run, app, token, [faces.stranger(1)], stranger), app, B);
  }
  assert.equal([events(), windows()], before);
  assert.is((await match(run, app, { challengeId, ...named(A), ip })).status, 200);
});

test('requests that are refused for the encoder count for the address, as all do', async () => {
  const { app } = await appOfA();
  const ip = address();
  const post = () =>
    call(run, 'POST', '/v1/match', {
      headers: browser(app),
      ip,
      json: { challenge_id: 'ch_x', descriptors: [faces.genuine(0)], encoder: B },
    });
  const answers = await atOnce(50, post);
  assert.equal(tally(answers), { '409 encoder_mismatch': 40, '429 rate_limited': 10 });
});

for (const round of [1, 2, 3])
  test(`ten enrolments at once by two encoders: one encoder wins, and no other template comes in (round ${round})`, async () => {
    const app = await run.createApp();
    const ids = await atOnce(10, () => fresh(app));
    const answers = await atOnce(10, n =>
      enroll(run, app, {
        descriptors: [faces.genuine(n)],
        challengeId: ids[n] as string,
        ip: address(),
        ...named(n % 2 ? A : B),
      }),
    );
    assert.equal(tally(answers), { 201: 5, '409 encoder_mismatch': 5 });
    const winners = new Set(answers.flatMap(({ status }, n) => (status === 201 ? [n % 2] : [])));
    assert.is(winners.size, 1);
    assert.is(await remembered(app), winners.has(1) ? A : B);
    assert.equal(usage(run, app), { auths: 5, enrolls: 5, matches_ok: 0, matches_failed: 0 });
    assert.is(run.rows('SELECT * FROM users WHERE app_id = ?', app.id).length, 5);
    assert.is(run.rows('SELECT * FROM templates WHERE app_id = ?', app.id).length, 5);
  });

test('one face enrolled at once by two encoders: the slower one is told of the encoder, and no auth is counted', async () => {
  const app = await run.createApp();
  const ids = await atOnce(6, () => fresh(app));
  const answers = await atOnce(6, n =>
    enroll(run, app, { challengeId: ids[n] as string, ip: address(), ...named(n === 0 ? A : B) }),
  );
  const counts = tally(answers);
  assert.is(counts['201'], 1);
  // Those of the encoder that has won see the face, the others do not come so far.
  const seen = counts['409 face_already_enrolled'] ?? 0;
  assert.is(seen + (counts['409 encoder_mismatch'] ?? 0), 5);
  assert.is(usage(run, app).auths, 1 + seen);
  assert.equal(counts['409 encoder_mismatch'], answers[0]?.status === 201 ? 5 : 1);
});

test('a command beside the server counts with the next request', async () => {
  const { app } = await appOfA();
  const ask = () => match(run, app, { ...named(B), ip: address() });
  assertMismatch(await ask(), app, B);
  const { json } = await run.cli(['app', 'encoder', 'reset', '--app', app.id, '--mode', 'live']);
  assert.is(json.previous, A);
  assert.is((await ask()).status, 200);
});

test('a restart keeps it', async () => {
  const { app } = await appOfA();
  await run.restart();
  assertMismatch(await match(run, app, { ...named(B), ip: address() }), app, B);
  assert.is((await match(run, app, { ...named(A), ip: address() })).status, 200);
});

test('the log names no encoder, and a refusal is a line as any other', async () => {
  const app = await run.createApp();
  const from = run.logs.length;
  await enrolled(run, app, { ...named('canary-encoder-1'), ip: address() });
  assertError(await match(run, app, { ...named('canary-encoder-2'), ip: address() }), 'encoder_mismatch');
  const lines = run.logs.slice(from);
  assert.not.ok(lines.some(line => line.includes('canary')));
  assert.ok(
    lines.some(line => JSON.parse(line).code === 'encoder_mismatch'),
    lines.join(''),
  );
  assert.not.ok(lines.some(line => JSON.parse(line).level >= 40));
});

test.run();
