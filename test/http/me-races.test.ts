/** A user's own routes, many at once: what may happen once happens once, and nothing is left half done. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import {
  assertError,
  atOnce,
  call,
  challenge,
  challenges,
  enroll,
  enrolled,
  faces,
  match,
  someEmail,
  tally,
  usage,
} from '../support/client.ts';
import { codeFor } from '../support/codes.ts';
import {
  addTemplates,
  bearer,
  changeCode,
  confirmChange,
  deleteMe,
  getMe,
  logout,
  profile,
  rename,
  requestChange,
  sessionCookie,
  storedBytes,
} from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-races');
const run = serviceFor(test);

async function somebody() {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app)) };
}
const templatesOf = (id: string): { origin: string }[] =>
  run.rows('SELECT * FROM templates WHERE user_id = ?', id);

test('one token signed out 200 times at once: one 204, the rest 401 token_revoked', async () => {
  const { app, token } = await somebody();
  const other = (await match(run, app)).json.token;
  // Nobody writes for a moment, so that more than one finds the token still good.
  const lock = new Database(join(run.dataDir, 'face-sign-in.db'));
  lock.exec('BEGIN IMMEDIATE');
  const answers = atOnce(200, () => logout(run, token));
  await new Promise(resolve => setTimeout(resolve, 300));
  lock.exec('ROLLBACK');
  lock.close();
  assert.equal(tally(await answers), { 204: 1, '401 token_revoked': 199 });
  assert.is((await getMe(run, other)).status, 200);
});

test('one session signed out by cookie and by token at once: one 204', async () => {
  const app = await run.createApp({ firstParty: true });
  const answer = await enroll(run, app);
  const cookie = `svc_session=${sessionCookie(answer).value}`;
  const answers = await atOnce(60, n =>
    call(run, 'POST', '/v1/me/logout', {
      headers: n % 2 ? { cookie, origin: app.origin } : bearer(answer.json.token),
    }),
  );
  assert.equal(tally(answers), { 204: 1, '401 token_revoked': 59 });
});

for (let round = 1; round <= 5; round++)
  test(`one challenge used 201 times at once by match, enroll and template add: exactly one proceeds (round ${round})`, async () => {
    const { app, user, token } = await somebody();
    const { challenge_id: challengeId } = await challenge(run, app);
    const before = usage(run, app);
    const answers = await atOnce(201, n => {
      if (n % 3 === 0) return addTemplates(run, app, token, [faces.genuine(0, 1)], { challengeId });
      if (n % 3 === 1) return match(run, app, { challengeId });
      return enroll(run, app, { challengeId, descriptors: [faces.genuine(n + 5)] });
    });
    const { '400 challenge_invalid': refused, ...rest } = tally(answers);
    assert.is(refused, 200, JSON.stringify(tally(answers)));
    assert.equal(Object.values(rest), [1]);
    const effects = usage(run, app).auths - before.auths + templatesOf(user.id).length - 1;
    assert.is(effects, 1, 'one auth or one template');
  });

test('30 template adds at once: never more than ten templates, and the enrolled ones stay', async () => {
  const app = await run.createApp();
  const descriptors = [0, 1, 2].map(n => faces.genuine(0, n));
  const { user, token } = await enrolled(run, app, { descriptors });
  const before = templatesOf(user.id).map(row => row.origin);
  const ids = await challenges(run, app, 30);
  const answers = await Promise.all(
    ids.map((challengeId, n) => {
      const added = Array.from({ length: (n % 3) + 1 }, (_, m) => faces.genuine(0, 10 + 3 * n + m));
      return addTemplates(run, app, token, added, { challengeId });
    }),
  );
  assert.equal(tally(answers), { 201: 30 });
  for (const { json } of answers) assert.ok(json.template_count >= 4 && json.template_count <= 10);
  const after = templatesOf(user.id).map(row => row.origin);
  assert.is(after.length, 10);
  assert.is(after.filter(origin => origin === before[0]).length, 3);
  assert.is((await profile(run, token)).template_count, 10);
  assert.is((await match(run, app)).json.user?.id, user.id);
});

for (const spelling of ['the same', 'another'])
  test(`two users confirm one address at once, in ${spelling} spelling: one gets it`, async () => {
    for (let round = 0; round < 5; round++) {
      const app = await run.createApp();
      const email = `pair${round}${spelling.length}@example.com`;
      const users = [];
      for (const person of [0, 1])
        users.push(await enrolled(run, app, { descriptors: [faces.genuine(person)] }));
      const codes: string[] = [];
      for (const [n, one] of users.entries())
        codes.push(
          await changeCode(run, one.token, n && spelling === 'another' ? email.toUpperCase() : email),
        );
      const answers = await Promise.all(users.map((one, n) => confirmChange(run, one.token, codes[n])));
      assert.equal(tally(answers), { 200: 1, '409 email_taken': 1 });
      const emails = [];
      for (const one of users) emails.push((await profile(run, one.token)).user.email);
      const loser = answers.findIndex(answer => answer.status === 409);
      assert.is(emails[loser], users[loser].user.email);
      assert.is(emails[1 - loser]?.toLowerCase(), email);
    }
  });

test('five changes asked for at once leave one code that works', async () => {
  const { token } = await somebody();
  const emails = Array.from({ length: 5 }, someEmail);
  const answers = await Promise.all(emails.map(email => requestChange(run, token, email)));
  assert.equal(tally(answers), { 202: 5 });
  await new Promise(resolve => setTimeout(resolve, 200));
  const codes = [...new Set(emails.map(email => codeFor(run, email)))];
  const tried = [];
  for (const code of codes) tried.push(await confirmChange(run, token, code));
  assert.is(tried.filter(answer => answer.status === 200).length, 1, JSON.stringify(tally(tried)));
});

test('a deletion amid every other route leaves no row behind, and nobody to find', async () => {
  for (let round = 0; round < 5; round++) {
    const { app, user, token } = await somebody();
    const [pending, next] = [`Pending.${someEmail()}`, `Next.${someEmail()}`];
    const code = await changeCode(run, token, pending);
    const ids = await challenges(run, app, 20);
    const answers = await Promise.all([
      ...ids.map((challengeId, n) =>
        n % 2
          ? addTemplates(run, app, token, [faces.genuine(0, n)], { challengeId })
          : match(run, app, { challengeId }),
      ),
      confirmChange(run, token, code),
      requestChange(run, token, next),
      rename(run, token, `Renamed in round ${round}`),
      deleteMe(run, token),
    ]);
    assert.is(answers.at(-1)?.status, 204);
    for (const { status, text } of answers) assert.ok(status < 500, text);
    for (const table of ['templates', 'consents', 'email_codes'])
      assert.equal(run.rows(`SELECT 1 FROM ${table} WHERE user_id = ?`, user.id), [], table);
    assert.equal(run.rows('SELECT 1 FROM users WHERE app_id = ?', app.id), []);
    const traced = 'SELECT 1 FROM auth_events WHERE app_id = ? AND user_id IS NOT NULL';
    assert.equal(run.rows(traced, app.id), [], 'events');
    const bytes = storedBytes(run);
    for (const mark of [user.email, pending, next, `Renamed in round ${round}`])
      assert.not.ok(bytes.includes(mark), mark);
    assertError(await match(run, app), 401, 'no_match');
    assert.is((await enroll(run, app)).status, 201);
  }
});

test('20 renames at once: one of the names stays, seen alike by everyone', async () => {
  const { app, token } = await somebody();
  const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`);
  const answers = await Promise.all(names.map(name => rename(run, token, name)));
  assert.equal(tally(answers), { 200: 20 });
  for (const [n, answer] of answers.entries()) assert.is(answer.json.user.name, names[n]);
  const { name } = (await profile(run, token)).user;
  assert.ok(names.includes(name));
  assert.is((await match(run, app)).json.user.name, name);
});

test.run();
