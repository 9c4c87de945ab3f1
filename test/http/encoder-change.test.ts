/**
 * The documented way to another encoder: templates erased, sign-in by email code, and a face enrolled anew under the same
 * user id. Nobody else gets in that way, and nobody gets onto another person's face.
 */
import * as assert from 'uvu/assert';
import {
  assertError,
  assertLacks,
  atOnce,
  challenge,
  challenges,
  decoded,
  enroll,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  soon,
  tally,
  usage,
} from '../support/client.ts';
import { freshCode, signedIn } from '../support/codes.ts';
import { addTemplates, between, logout, profile, storedBytes, towards } from '../support/me.ts';
import { inFileOnly } from '../support/on-postgres.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('encoder-change');
const inFile = inFileOnly(test);
const run = serviceFor(test);

const OLD = 'encoder-1';
const NEW = 'encoder-2';
const named = (encoder: string) => ({ fields: { encoder } });

const reset = async (app: TestApp, mode: Mode = 'live'): Promise<Json> => {
  const words = ['--app', app.id, '--mode', mode, '--erase-templates', '--yes'];
  return (await run.cli(['app', 'encoder', 'reset', ...words])).json;
};
const show = async (app: TestApp) =>
  (await run.cli(['app', 'encoder', 'show', '--app', app.id, '--mode', 'live'])).json;
const byCode = async (app: TestApp, email: string): Promise<string> =>
  (await signedIn(run, app, email, await freshCode(run, app, email))).token;

/** An app with people 0, 1, … of the old encoder, whose templates are then erased. */
async function changed(people = 2) {
  const app = await run.createApp();
  const users: Json[] = [];
  for (let n = 0; n < people; n++)
    users.push(await enrolled(run, app, { descriptors: [faces.genuine(n)], ...named(OLD) }));
  assert.is((await match(run, app)).status, 200, 'the gallery is loaded');
  await reset(app);
  return { app, users };
}

test('reset, code, face: the same user signs in with the new encoder, and the old one is refused', async () => {
  const { app, users } = await changed();
  const [{ user }] = users;
  assertError(await match(run, app, named(OLD)), 'no_match');
  const before = usage(run, app);
  const token = await byCode(app, user.email);
  assert.is((await profile(run, token)).template_count, 0);
  const three = [0, 1, 2].map(n => faces.genuine(20, n));
  const answer = await addTemplates(run, app, token, three, named(NEW));
  assert.is(answer.status, 201, answer.text);
  assert.equal([answer.json.user, answer.json.template_count], [user, 3]);
  assert.equal(decoded(answer.json.token).claims.amr, ['face']);
  assert.equal(await show(app), { app_id: app.id, mode: 'live', encoder: NEW, users: 2, templates: 3 });
  const origins = run.rows('SELECT DISTINCT origin FROM templates WHERE user_id = ?', user.id);
  assert.equal(origins, [{ origin: 'enrolled' }]);
  const found = await match(run, app, { descriptors: [faces.genuine(20, 5)], ...named(NEW) });
  assert.is(found.json.user?.id, user.id, found.text);
  assertError(await match(run, app, named(OLD)), 'encoder_mismatch');
  assert.equal(usage(run, app), { ...before, auths: before.auths + 2, matches_ok: before.matches_ok + 1 });
  assert.equal((await profile(run, token)).consent.policy_version, '2026-01', 'the consent stays');
});

test('afterwards the user adds templates as everybody does', async () => {
  const { app, users } = await changed();
  const token = await byCode(app, users[0].user.email);
  assert.is((await addTemplates(run, app, token, [faces.genuine(20)], named(NEW))).status, 201);
  assertError(await addTemplates(run, app, token, [faces.genuine(21)], named(NEW)), 'no_match');
  const more = await addTemplates(run, app, token, [faces.genuine(20, 1)], named(NEW));
  assert.is(more.json.template_count, 2, more.text);
  const origins = run.rows(
    'SELECT origin FROM templates WHERE user_id = ? ORDER BY sequence',
    users[0].user.id,
  );
  assert.equal(origins, [{ origin: 'enrolled' }, { origin: 'learned' }]);
});

test('a token from the face that is gone is refused, and the failure is recorded', async () => {
  const { app, users } = await changed();
  const [{ user, token }] = users;
  for (const descriptor of [faces.genuine(0, 1), faces.genuine(20)])
    assertError(await addTemplates(run, app, token, [descriptor], named(NEW)), 'no_match');
  assert.is((await profile(run, token)).template_count, 0);
  const refused = run.rows(
    `SELECT 1 FROM auth_events WHERE user_id = ? AND type = 'templates_refused'`,
    user.id,
  );
  assert.is(refused.length, 2);
  assert.is((await show(app)).encoder, null);
});

test('who was signed out, or has templates, gets no face by a code', async () => {
  const { app, users } = await changed();
  const token = await byCode(app, users[0].user.email);
  await logout(run, token);
  assertError(await addTemplates(run, app, token, [faces.genuine(20)]), 'token_revoked');
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(5)] });
  const other = await byCode(app, user.email);
  assertError(await addTemplates(run, app, other, [faces.genuine(21)]), 'no_match');
});

test('a face within the threshold of anybody is refused, whichever of the descriptors it is', async () => {
  const { app, users } = await changed(1);
  await enrolled(run, app, { descriptors: [faces.genuine(5)], ...named(NEW) });
  await enrolled(run, app, { descriptors: [faces.genuine(6)], ...named(NEW) });
  const token = await byCode(app, users[0].user.email);
  const own = faces.genuine(20);
  const inside = towards(faces.genuine(5), faces.genuine(30), 0.349);
  const ofTwo = between(faces.genuine(5), faces.genuine(6), 0.34, 0.34);
  const cases = [[inside], [ofTwo], [inside, own], [own, own, inside]];
  for (const descriptors of cases) {
    const answer = await addTemplates(run, app, token, descriptors, named(NEW));
    assertError(answer, 'no_match');
    assertLacks(answer, ['usr_', '@']);
  }
  assert.is((await profile(run, token)).template_count, 0);
  const refused = run.rows(
    `SELECT 1 FROM auth_events WHERE app_id = ? AND type = 'templates_refused'`,
    app.id,
  );
  assert.is(refused.length, cases.length);
  const outside = towards(faces.genuine(5), faces.genuine(30), 0.351);
  assert.is((await addTemplates(run, app, token, [outside, own], named(NEW))).json?.template_count, 2);
});

test('of two adds at once one enrols, the other is judged by the face that is there then', async () => {
  for (let round = 0; round < 3; round++) {
    const { app, users } = await changed(1);
    const token = await byCode(app, users[0].user.email);
    const ids = await challenges(run, app, 2);
    const answers = await atOnce(2, n =>
      addTemplates(run, app, token, [faces.genuine(20 + n)], {
        challengeId: ids[n] as string,
        ...named(NEW),
      }),
    );
    assert.equal(tally(answers), { 201: 1, '401 no_match': 1 });
    assert.is((await profile(run, token)).template_count, 1);
  }
});

test('one face added at once by two encoders: the slower one is told of the encoder, and no failure is recorded', async () => {
  const { app, users } = await changed(2);
  const tokens = await Promise.all(users.map(({ user }) => byCode(app, user.email)));
  const ids = await challenges(run, app, 2);
  const answers = await atOnce(2, n =>
    addTemplates(run, app, tokens[n] as string, [faces.genuine(20, n)], {
      challengeId: ids[n] as string,
      ...named(n ? NEW : OLD),
    }),
  );
  assert.equal(tally(answers), { 201: 1, '409 encoder_mismatch': 1 });
  assert.equal(
    run.rows(`SELECT 1 FROM auth_events WHERE app_id = ? AND type = 'templates_refused'`, app.id),
    [],
  );
});

inFile('the running server forgets erased templates at once: in its memory, and in its files', async () => {
  const app = await run.createApp();
  await enrolled(run, app, named(OLD));
  assert.is((await match(run, app)).status, 200);
  const rows = run.rows('SELECT sealed FROM templates WHERE app_id = ?', app.id);
  const parts = rows.map(({ sealed }: Json) => Buffer.from(sealed).subarray(40, 72));
  assert.is(parts.length, 1);
  assert.ok(storedBytes(run).includes(parts[0] as Buffer), 'found before');
  assert.is((await reset(app)).erased_templates, 1);
  assert.not.ok(storedBytes(run).includes(parts[0] as Buffer));
  await soon(async () => (await match(run, app)).status === 401, 'nobody is recognised');
  // Somebody else with that face is new.
  assert.is((await enroll(run, app, named(NEW))).status, 201);
});

const remembered = async (app: TestApp) =>
  (await run.cli(['app', 'encoder', 'show', '--app', app.id, '--mode', 'live'])).json.encoder;

test('a page of users enrolled without a name is not locked out by somebody who names one', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const attack = { descriptors: [faces.genuine(7)], ...named('nonsense') };
  assert.is((await enroll(run, app, attack)).status, 201);
  assert.is(await remembered(app), null);
  assert.is((await match(run, app, named(OLD))).status, 200);
  const set = ['app', 'encoder', 'set', '--app', app.id, '--mode', 'live', '--encoder', OLD];
  assert.is((await run.cli(set)).json.encoder, OLD);
  assertError(await match(run, app, named(NEW)), 'encoder_mismatch');
  assert.is((await match(run, app, named(OLD))).status, 200);
  assert.is((await addTemplates(run, app, token, [faces.genuine(0, 2)], named(OLD))).status, 201);
});

test('an encoder that the operator has set is not decided by the first enrolment', async () => {
  const app = await run.createApp();
  await run.cli(['app', 'encoder', 'set', '--app', app.id, '--mode', 'live', '--encoder', OLD]);
  assertError(await enroll(run, app, named(NEW)), 'encoder_mismatch');
  assert.is((await enroll(run, app, named(OLD))).status, 201);
});

/** A descriptor as the SDK's MobileFaceNet makes it at this α, of any norm, and with this in place of its constant. */
function withConstant(alpha: number, last = Math.sqrt(1 - alpha), norm = 1): number[] {
  const own = faces.genuine(0).slice(0, 127);
  const length = Math.hypot(...own);
  return [...own.map(x => (x / length) * Math.sqrt(alpha) * norm), last * norm];
}

test('the constant of a known encoder is checked in every descriptor, and named by its field', async () => {
  const id = (alpha: number) => `mobilefacenet:192-svd127:five:${alpha}`;
  const [good, other] = [withConstant(0.863), withConstant(0.746)];
  for (const [encoder, descriptors, field] of [
    [id(0.863), [good], null],
    [id(0.863), [withConstant(0.863, undefined, 1e100)], null],
    [id(0.746), [other], null],
    [id(0.863), [other], 'descriptors[0][127]'],
    [id(0.863), [good, withConstant(0.863, 0)], 'descriptors[1][127]'],
    [id(0.863), [withConstant(0.863, -Math.sqrt(1 - 0.863))], 'descriptors[0][127]'],
    [id(0.863), [faces.genuine(0)], 'descriptors[0][127]'],
    [id(0.863), [[...Array(127).fill(0), 1]], 'descriptors[0][127]'],
    ['another', [faces.genuine(0)], null],
    [undefined, [faces.genuine(0)], null],
  ] as const) {
    const app = await run.createApp();
    const fields = { descriptors, ...(encoder && { encoder }) };
    const { challenge_id: challengeId } = await challenge(run, app);
    const of = { challengeId, descriptors: descriptors as never, fields };
    const answer = await enroll(run, app, of);
    const note = `${encoder} ${field}: ${answer.text}`;
    if (field === null) assert.is(answer.status, 201, note);
    else {
      assertError(answer, 'invalid_request', note);
      assert.ok(answer.json.error.message.startsWith(`${field}: must be the constant of this encoder`), note);
      const again = await enroll(run, app, { ...of, descriptors: [faces.genuine(0)] as never, fields: {} });
      assert.is(again.status, 201, `nothing was consumed: ${again.text}`);
    }
    if (field === null && encoder !== undefined && encoder !== 'another') {
      const wrong = { descriptors: [faces.genuine(0)], fields: { encoder } };
      assertError(await match(run, app, wrong), 'invalid_request', note);
      const { token } = answer.json;
      const added = await addTemplates(run, app, token, [faces.genuine(0)], { fields: { encoder } });
      assertError(added, 'invalid_request', note);
    }
  }
});

test.run();
