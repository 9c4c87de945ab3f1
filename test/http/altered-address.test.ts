/**
 * Somebody who can write the database, but lacks its keys, wants the codes of somebody else: by the fields of their own
 * row, which do not open in another one, or by the hash under which a user is found, which fits no other address.
 */
import * as assert from 'uvu/assert';
import { assertError, call, enrolled, faces, match, server, soon } from '../support/client.ts';
import { byCode, requestCode, verifyCode } from '../support/codes.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('altered address');
const run = serviceFor(test);

type User = Awaited<ReturnType<typeof enrolled>>['user'];

async function victimAndAttacker(app: TestApp): Promise<[User, User]> {
  const [victim, attacker] = [
    await enrolled(run, app, { descriptors: [faces.genuine(0)] }),
    await enrolled(run, app, { descriptors: [faces.genuine(1)] }),
  ];
  return [victim.user, attacker.user];
}

async function assertNoCodes(app: TestApp, victim: User, emails: readonly string[]): Promise<void> {
  const before = run.mails().length;
  for (const email of emails) {
    assert.is((await requestCode(run, app, email)).status, 202, 'as for an address that nobody has');
    assertError(await verifyCode(run, app, email, '123456'), 'invalid_code');
  }
  assert.equal(run.rows('SELECT * FROM email_codes WHERE user_id = ?', victim.id), []);
  assert.is(run.mails().length, before);
}

test('fields of another row do not open: no code, no sign-in, and the user can be deleted', async () => {
  const app = await run.createApp();
  const [victim, attacker] = await victimAndAttacker(app);
  const [{ sealed }] = run.rows('SELECT sealed FROM users WHERE id = ?', victim.id);
  run.change(
    'UPDATE users SET sealed = (SELECT other.sealed FROM users AS other WHERE other.id = ?) WHERE id = ?',
    attacker.id,
    victim.id,
  );
  assert.not.equal(run.rows('SELECT sealed FROM users WHERE id = ?', victim.id), [{ sealed }]);
  await assertNoCodes(app, victim, [victim.email]);
  assertError(await match(run, app, { descriptors: [faces.genuine(0, 1)] }), 'service_unavailable');
  assert.is((await match(run, app, { descriptors: [faces.genuine(1, 1)] })).json.user.id, attacker.id);
  const headers = server(app);
  const listed = (await call(run, 'GET', '/v1/users', { headers })).json.users;
  assert.equal(
    listed.map(({ id, email }: { id: string; email: string }) => [id, email]).sort(),
    [
      [victim.id, ''],
      [attacker.id, attacker.email],
    ].sort(),
  );
  assertError(await call(run, 'GET', `/v1/users/${victim.id}`, { headers }), 'not_found');
  assert.is((await call(run, 'DELETE', `/v1/users/${victim.id}`, { headers })).status, 204);
  assertError(await match(run, app, { descriptors: [faces.genuine(0, 1)] }), 'no_match');
});

test('a user who is found by another address gets no code there', async () => {
  const app = await run.createApp();
  const [victim, attacker] = await victimAndAttacker(app);
  const hashOf = (id: string) => run.rows('SELECT email_hash FROM users WHERE id = ?', id)[0].email_hash;
  const hashes = [hashOf(victim.id), hashOf(attacker.id)];
  const put = (id: string, hash: string) =>
    run.change('UPDATE users SET email_hash = ? WHERE id = ?', hash, id);
  put(attacker.id, 'no hash');
  put(victim.id, hashes[1]);
  await assertNoCodes(app, victim, [victim.email, attacker.email]);
  put(victim.id, hashes[0]);
  await byCode(run, app, victim.email);
  await soon(async () => run.mails(victim.email).length > 0, 'the row is good again');
});

test.run();
