/**
 * An address that somebody else enrolled with first: the owner's first code ends every token from before it, in whatever
 * second, and the owner may have the face erased. In both modes, over a restart and many at once.
 */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  call,
  challenges,
  decoded,
  enrolled,
  faces,
  type Mode,
  match,
  someEmail,
  verify,
} from '../support/client.ts';
import { byCode, freshCode, member, verifyCode } from '../support/codes.ts';
import {
  addTemplates,
  changeEmail,
  deleteMe,
  getMe,
  ME_ROUTES,
  profile,
  storedBytes,
} from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('first verification');
const run = serviceFor(test, { env: { BASE_URL: 'https://id.example.com' } });

async function assertDead(app: TestApp, token: string, mode: Mode = 'live', note = ''): Promise<void> {
  assertError(await getMe(run, token), 'token_revoked', note);
  assert.equal((await verify(run, app, token, mode)).json, { valid: false, reason: 'revoked' }, note);
}

async function assertGood(app: TestApp, token: string, mode: Mode = 'live', note = ''): Promise<void> {
  assert.is((await getMe(run, token)).status, 200, note);
  assert.is((await verify(run, app, token, mode)).json.valid, true, note);
}

/** Every text of every row that belongs to the user. */
const rowsOf = (id: string): unknown[] =>
  ['users', 'templates', 'consents', 'email_codes', 'auth_events'].flatMap(table =>
    run.rows(`SELECT * FROM ${table} WHERE ${table === 'users' ? 'id' : 'user_id'} = ?`, id),
  );

for (const mode of ['live', 'test'] as const) {
  test(`an attacker enrolls with somebody's address: what the owner's first code ends, and what No ends (${mode})`, async () => {
    const app = await run.createApp();
    const email = someEmail();
    const attacker = { mode, descriptors: [faces.genuine(7)] };
    const { user, token: enrolling } = await enrolled(run, app, { ...attacker, fields: { email } });
    const matching = (await match(run, app, attacker)).json.token;
    const adding = (await addTemplates(run, app, matching, [faces.genuine(7, 3)], { mode })).json.token;
    const earlier = [enrolling, matching, adding];
    for (const token of earlier) await assertGood(app, token, mode, 'before');

    const code = await freshCode(run, app, email, { mode });
    const last = (await match(run, app, attacker)).json.token;
    const answer = await verifyCode(run, app, email, code, { mode });
    assert.is(answer.status, 200, answer.text);
    assert.is(answer.json.first_verification, true);
    assert.is(answer.json.user.created_at, user.created_at, 'when the face was enrolled');
    const own = answer.json.token;
    for (const token of [...earlier, last]) {
      assert.is(decoded(token).claims.iat, decoded(own).claims.iat, 'all of one second');
      await assertDead(app, token, mode);
    }
    for (const [method, path, json] of ME_ROUTES) {
      const headers = { authorization: `Bearer ${enrolling}` };
      assertError(await call(run, method, path, { headers, ...(json && { json }) }), 'token_revoked', path);
    }
    await assertGood(app, own, mode);

    // The face stays until the owner says that it is somebody else's.
    const again = await match(run, app, attacker);
    assert.is(again.status, 200, again.text);
    assert.is(again.json.user.id, user.id);
    assert.is(decoded(again.json.token).claims.email_verified, true);
    await assertGood(app, again.json.token, mode, 'after');

    assert.ok(rowsOf(user.id).length > 4, 'rows to be erased');
    assert.is((await deleteMe(run, own)).status, 204);
    assertError(await match(run, app, attacker), 'no_match');
    assert.equal(rowsOf(user.id), []);
    assert.not.ok(storedBytes(run).includes(email), 'no byte of the address');
    assert.equal((await verify(run, app, again.json.token, mode)).json, {
      valid: false,
      reason: 'user_not_found',
    });
    await assertDead(app, enrolling, mode, 'outlives the user');
    assert.is((await member(run, app, { face: 8, mode, email })).email, email, 'the address is free');
  });

  test(`only the first verification is reported, and ends anything (${mode})`, async () => {
    const app = await run.createApp();
    const { email } = await member(run, app, { mode });
    const first = await byCode(run, app, email, mode);
    const face = (await match(run, app, { mode })).json.token;
    const second = await byCode(run, app, email, mode);
    assert.is(first.first_verification, true);
    assert.equal(Object.keys(second).sort(), ['expires_at', 'method', 'token', 'user']);
    for (const { token } of [first, { token: face }, second]) await assertGood(app, token, mode);
  });
}

test('the other users of the app, and the same person in the other mode, keep their tokens', async () => {
  const app = await run.createApp();
  const email = someEmail();
  const live = await enrolled(run, app, { fields: { email } });
  const testing = await enrolled(run, app, { mode: 'test', fields: { email } });
  const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  await byCode(run, app, email);
  await assertDead(app, live.token);
  await assertGood(app, testing.token, 'test');
  await assertGood(app, other.token);
});

test('a confirmed change of address verifies it, is no first verification and ends no token', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const other = (await match(run, app)).json.token;
  const email = someEmail();
  const changed = await changeEmail(run, token, email);
  assert.is(changed.user.email_verified, true);
  assert.equal(Object.keys(changed), ['user']);
  for (const one of [token, other]) await assertGood(app, one);
  assert.is((await byCode(run, app, email)).first_verification, undefined);
  for (const one of [token, other]) await assertGood(app, one);
});

test('faces and the first code at the same moment: each token is from before, and dead, or from after, and good', async () => {
  for (let round = 0; round < 4; round++) {
    const app = await run.createApp();
    const { email } = await member(run, app);
    const code = await freshCode(run, app, email);
    const warmUp = await match(run, app);
    const during = await challenges(run, app, 24);
    let verifying: Promise<Answer> | undefined;
    const answers = await atOnce(during.length, async n => {
      const answer = await match(run, app, { challengeId: during[n] ?? '' });
      // From the first answer on, while the others are on their way.
      verifying ??= verifyCode(run, app, email, code);
      return answer;
    });
    const verified = (await verifying) as Answer;
    const ids = await challenges(run, app, 3);
    const afterwards = await atOnce(ids.length, n => match(run, app, { challengeId: ids[n] ?? '' }));
    assert.is(verified.json.first_verification, true, verified.text);
    for (const { status, text, json } of [warmUp, ...answers, verified, ...afterwards]) {
      assert.is(status, 200, text);
      if (decoded(json.token).claims.email_verified) await assertGood(app, json.token);
      else await assertDead(app, json.token);
    }
    assert.is(decoded(warmUp.json.token).claims.email_verified, false);
    for (const { json } of afterwards) assert.is(decoded(json.token).claims.email_verified, true);
  }
});

test('it holds over a restart', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  const own = await byCode(run, app, user.email);
  await run.restart();
  await assertDead(app, token);
  await assertGood(app, own.token);
  assert.is((await profile(run, own.token)).user.email_verified, true);
  assert.is((await byCode(run, app, user.email)).first_verification, undefined);
});

test('it holds until the last token from before has expired, whatever the hourly job takes away', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  run.clock.advance(1_000);
  const late = (await match(run, app)).json.token;
  await byCode(run, app, user.email);
  run.clock.advance(59 * 60_000);
  assert.is((await run.cli(['job', 'run', 'tokens'])).code, 0);
  await assertDead(app, late);
});

test.run();
