/**
 * A page that asks the owner of an address whether the enrolled face is theirs: until the answer the question comes again
 * with every code, and the face gets no token that calls the address verified, and can neither change nor delete the
 * account. What Yes ends, and what it does not take.
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
import { freshCode, TEST_CODE, verifyCode } from '../support/codes.ts';
import {
  addTemplates,
  bearer,
  changeEmail,
  confirmChange,
  deleteMe,
  getMe,
  logout,
  profile,
  rename,
  requestChange,
} from '../support/me.ts';
import { NO_LIMITS } from '../support/no-limits.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('face confirmation');
const run = serviceFor(test, { env: NO_LIMITS });

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

/**
 * What each verb of /v1/me answers while an account that a stranger's face may have enrolled is in each state, by token:
 * `face` is a new sign-in by face, `code` the token of the code, and `early` the token of the enrolment. In `unasked` a
 * second code came from a page that does not ask. The face has
 * requested a change of address before the code, which `confirm` enters. R: 401 token_revoked, U: 401 unauthorized,
 * X: 400 invalid_code, N: 404 not_found.
 */
const VERBS = `
               before  open               unasked    yes         no          never
               early   early face code    face code  face code   early code  face code
  get          200     R     200  200     200  200   200  200    R     N     200  200
  rename       200     R     U    200     U    200   200  200    R     N     U    200
  request      202     R     U    202     U    202   202  202    R     N     U    202
  confirm      200     R     U    X       U    X     X    X      R     N     U    X
  templates    201     R     U    201     U    201   201  201    R     N     U    201
  confirm-face U       R     U    200     U    200   U    200    R     N     U    200
  logout       204     R     204  204     204  204   204  204    R     N     204  204
  delete       204     R     U    204     U    204   204  204    R     N     U    204
`;

interface Person {
  readonly app: TestApp;
  readonly face: number;
}

const CALLS: Record<string, (of: Person, token: string) => ReturnType<typeof call>> = {
  get: (_, token) => getMe(run, token),
  rename: (_, token) => rename(run, token, 'Renamed'),
  request: ({ face }, token) => requestChange(run, token, `other${face}@example.com`),
  confirm: (_, token) => confirmChange(run, token, TEST_CODE),
  templates: ({ app, face }, token) =>
    addTemplates(run, app, token, [faces.genuine(face, 3)], { mode: 'test' }),
  'confirm-face': (_, token) => confirm(token),
  logout: (_, token) => logout(run, token),
  delete: (_, token) => deleteMe(run, token),
};
const MEANING: Record<string, string> = {
  R: '401 token_revoked',
  U: '401 unauthorized',
  X: '400 invalid_code',
  N: '404 not_found',
};

const [stateLine = '', tokenLine = '', ...verbLines] = VERBS.trim().split('\n');
const words = (line: string) => [...line.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, index }));
const columns = words(tokenLine).map(({ word: token, index }) => {
  // The first line lost its margin to trim().
  const state = words(stateLine).findLast(one => one.index + tokenLine.search(/\S/) <= index)?.word ?? '';
  return { state, token };
});

/** Enrolls somebody by face, who asks for another address, brings the account into the state, and gives a token. */
async function tokenIn(app: TestApp, face: number, { state, token }: (typeof columns)[number]) {
  const of = { mode: 'test' as const, descriptors: [faces.genuine(face)] };
  const email = `owner${face}@example.com`;
  const { token: early } = await enrolled(run, app, { ...of, fields: { email } });
  assert.is((await requestChange(run, early, `stranger${face}@example.com`)).status, 202);
  if (state === 'before') return early;
  const byOwner = async (asks = true) => (await asked(app, email, 'test', asks)).json.token;
  const code = await byOwner();
  if (state === 'unasked') {
    const unasked = await byOwner(false);
    run.clock.advance(1_000);
    return token === 'face' ? (await match(run, app, of)).json.token : unasked;
  }
  if (state === 'yes') assert.is((await confirm(code)).status, 200);
  if (state === 'no') assert.is((await deleteMe(run, code)).status, 204);
  // A later second: the code revokes what its own second issued with an unverified address.
  run.clock.advance(state === 'never' ? 3 * 86_400_000 : 1_000);
  if (token === 'early') return early;
  if (token === 'face') return (await match(run, app, of)).json.token;
  return state === 'never' ? byOwner() : code;
}

for (const line of verbLines) {
  const [verb = '', ...cells] = line.trim().split(/\s+/);
  test(`${verb}: before the code, while the question is open, after yes, after no, never answered`, async () => {
    const app = await run.createApp();
    assert.is(cells.length, columns.length);
    for (const [face, cell] of cells.entries()) {
      const column = columns[face] as (typeof columns)[number];
      const answer = await CALLS[verb]?.({ app, face }, await tokenIn(app, face, column));
      const got = `${answer?.status} ${answer?.json?.error?.code ?? ''}`.trim();
      assert.is(got, MEANING[cell] ?? cell, `${column.state}, ${column.token}: ${answer?.text}`);
      if (cell === 'U') assert.match(answer?.json.error.message, /email code/);
    }
  });
}

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
    assertError(await getMe(run, enrolling), 'token_revoked');

    const face = await byFace(app, mode);
    assert.is(verifiedBy(face), false);
    assert.is((await profile(run, face)).user.email_verified, false);
    assert.is((await verify(run, app, face, mode)).json.valid, true, 'the face signs in as before');
    assertError(await confirm(face), 'unauthorized');
    assert.is(verifiedBy(await byFace(app, mode)), false, 'a face confirms no face');

    const again = await asked(app, user.email, mode);
    assert.is(again.json.first_verification, true, 'after a reload');
    assert.is(again.json.user.created_at, user.created_at);
    assertError(await getMe(run, face), 'token_revoked');

    const late = await byFace(app, mode);
    const yes = await confirm(again.json.token);
    assert.is(yes.status, 200, yes.text);
    assert.equal([yes.json.user.id, yes.json.user.email_verified], [user.id, true]);
    assertError(await getMe(run, late), 'token_revoked');
    assert.is(verifiedBy(await byFace(app, mode)), true);
    const after = await asked(app, user.email, mode);
    assert.is(after.json.first_verification, undefined, 'asked no more');
    for (const { json } of [first, again, after]) assert.is((await confirm(json.token)).status, 200, 'again');
    assert.is((await getMe(run, again.json.token)).status, 200, 'and nothing of the owner is revoked');
  });

test('the face is refused before its body is read, and its session stays', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  await asked(app, user.email);
  const face = await byFace(app);
  assertError(await rename(run, face, 7), 'unauthorized');
  assertError(await addTemplates(run, app, face, [], { challengeId: 'no' }), 'unauthorized');
  assert.is((await getMe(run, face)).status, 200);
});

test('the owner moves the account to another address, and the question moves along', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const own = (await asked(app, user.email)).json.token;
  const moved = await changeEmail(run, own, 'moved@example.com');
  assert.is(moved.user.email_verified, true);
  const face = await byFace(app);
  assert.is(verifiedBy(face), false);
  assertError(await deleteMe(run, face), 'unauthorized');
  assert.is((await asked(app, 'moved@example.com')).json.first_verification, true);
});

test('No deletes the account while the question is open', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const { json } = await asked(app, user.email);
  assert.is((await deleteMe(run, json.token)).status, 204);
  assertError(await match(run, app), 'no_match');
  assertError(await confirm(json.token), 'not_found');
});

test('a page that does not ask has the address verified at once', async () => {
  const app = await run.createApp();
  const { user, token } = await enrolled(run, app);
  const answer = await asked(app, user.email, 'live', false);
  assert.is(answer.json.first_verification, true);
  assertError(await getMe(run, token), 'token_revoked');
  assert.is(verifiedBy(await byFace(app)), true);
});

for (const mode of ['live', 'test'] as const)
  test(`once asked, a page that does not ask answers no question for the owner (${mode})`, async () => {
    const app = await run.createApp();
    const { user } = await enrolled(run, app, { mode });
    await asked(app, user.email, mode);
    const face = await byFace(app, mode);
    const unasked = await asked(app, user.email, mode, false);
    assert.is(unasked.json.first_verification, undefined, 'nothing that this page could ask');
    assert.is(unasked.json.user.email_verified, true);
    assert.is(verifiedBy(unasked.json.token), true, 'the code proves the address');
    assertError(await getMe(run, face), 'token_revoked');
    const late = await byFace(app, mode);
    assert.is(verifiedBy(late), false, 'and not the face');
    assertError(await deleteMe(run, late), 'unauthorized');
    assert.is((await asked(app, user.email, mode)).json.first_verification, true, 'asked where a page asks');
    assert.is((await confirm(unasked.json.token)).status, 200, 'any token of a code confirms');
    assert.is(verifiedBy(await byFace(app, mode)), true);
  });

test('asks_owner of another type is refused by its name, and the code stays good', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  const code = await freshCode(run, app, user.email);
  for (const asks_owner of ['true', 1, null]) {
    const json = { email: user.email, code, asks_owner };
    const answer = await call(run, 'POST', '/v1/email-codes/verify', { headers: browser(app), json });
    assertError(answer, 'invalid_request');
    assert.match(answer.json.error.message, /^asks_owner: must be true or false/);
  }
  assert.is((await verifyCode(run, app, user.email, code)).status, 200);
});

test.run();
