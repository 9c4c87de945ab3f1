/**
 * A page that asks the owner of an address whether the enrolled face is theirs: until the answer the question comes again
 * with every code, and the face gets no token that calls the address verified. What Yes ends, and what it does not take.
 */
import * as assert from 'uvu/assert';
import {
  assertError,
  browser,
  call,
  decoded,
  enrolled,
  faces,
  type Mode,
  match,
  verify,
} from '../support/client.ts';
import { freshCode, verifyCode } from '../support/codes.ts';
import { bearer, deleteMe, getMe, profile } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('face confirmation');
const run = serviceFor(test);

async function asked(app: TestApp, email: string, mode: Mode = 'live', asks_owner: unknown = true) {
  const code = await freshCode(run, app, email, { mode });
  const json = { email, code, asks_owner };
  return call(run, 'POST', '/v1/email-codes/verify', { headers: browser(app, mode), json });
}
const confirm = (token: string) => call(run, 'POST', '/v1/me/face/confirm', { headers: bearer(token) });
const verifiedBy = (token: string) => decoded(token).claims.email_verified;
const byFace = async (app: TestApp, mode: Mode = 'live') => {
  run.clock.advance(1_000);
  return (await match(run, app, { mode })).json.token;
};

for (const mode of ['live', 'test'] as const)
  test(`left open, the question comes again, and the face gets no verified token; Yes ends that (${mode})`, async () => {
    const app = await run.createApp();
    const { user, token: enrolling } = await enrolled(run, app, { mode });
    const first = await asked(app, user.email, mode);
    assert.is(first.status, 200, first.text);
    assert.is(first.json.first_verification, true);
    assert.is(first.json.user.email_verified, true);
    assert.is(verifiedBy(first.json.token), true, 'of the code');
    assert.is((await profile(run, first.json.token)).user.email_verified, true);
    assertError(await getMe(run, enrolling), 401, 'token_revoked');

    const face = await byFace(app, mode);
    assert.is(verifiedBy(face), false);
    assert.is((await profile(run, face)).user.email_verified, false);
    assert.is((await verify(run, app, face, mode)).json.valid, true, 'the face signs in as before');
    assertError(await confirm(face), 401, 'unauthorized');
    assert.is(verifiedBy(await byFace(app, mode)), false, 'a face confirms no face');

    const again = await asked(app, user.email, mode);
    assert.is(again.json.first_verification, true, 'after a reload');
    assert.is(again.json.user.created_at, user.created_at);
    assertError(await getMe(run, face), 401, 'token_revoked');

    const late = await byFace(app, mode);
    const yes = await confirm(again.json.token);
    assert.is(yes.status, 200, yes.text);
    assert.equal([yes.json.user.id, yes.json.user.email_verified], [user.id, true]);
    assertError(await getMe(run, late), 401, 'token_revoked');
    assert.is(verifiedBy(await byFace(app, mode)), true);
    const after = await asked(app, user.email, mode);
    assert.is(after.json.first_verification, undefined, 'asked no more');
    for (const { json } of [first, again, after]) assert.is((await confirm(json.token)).status, 200, 'again');
    assert.is((await getMe(run, again.json.token)).status, 200, 'and nothing of the owner is revoked');
  });

test('No deletes the account while the question is open', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const { json } = await asked(app, user.email);
  assert.is((await deleteMe(run, json.token)).status, 204);
  assertError(await match(run, app), 401, 'no_match');
  assertError(await confirm(json.token), 404, 'not_found');
});

test('a page that does not ask has the address verified at once, also after one that asked', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  await asked(app, user.email);
  const face = await byFace(app);
  const answer = await asked(app, user.email, 'live', false);
  assert.is(answer.json.first_verification, true);
  assertError(await getMe(run, face), 401, 'token_revoked');
  assert.is(verifiedBy(await byFace(app)), true);
});

test('it holds over a restart, and the mail goes on to name the day', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  await asked(app, user.email);
  await run.restart();
  assert.is((await asked(app, user.email)).json.first_verification, true);
  assert.match(run.mails().at(-1)?.text ?? '', /A face was enrolled with this address on/);
  assert.is(verifiedBy(await byFace(app)), false);
});

test('asks_owner of another type is refused by its name, and the code stays good', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  const code = await freshCode(run, app, user.email);
  for (const asks_owner of ['true', 1, null]) {
    const json = { email: user.email, code, asks_owner };
    const answer = await call(run, 'POST', '/v1/email-codes/verify', { headers: browser(app), json });
    assertError(answer, 400, 'invalid_request');
    assert.match(answer.json.error.message, /^asks_owner: must be true or false/);
  }
  assert.is((await verifyCode(run, app, user.email, code)).status, 200);
});

test.run();
