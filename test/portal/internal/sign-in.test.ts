/** Signing in and out of the portal over HTTP: by link, passkey and recovery code; own passkeys, codes and sessions. */
import * as assert from 'uvu/assert';
import { HOUR, MINUTE } from '../../../src/protocol/limits.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { assertError, tally } from '../../support/client.ts';
import { ask, begunBy, cookiesOf, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: sign-in');
const run = serviceFor(test);
const operators = operatorsFor(test, run);

/** The cookies that an answer has set, as a browser sends them back. */
const sentBack = (answer: Parameters<typeof cookiesOf>[0]) =>
  Object.entries(cookiesOf(answer))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

test('a link signs in once', async () => {
  const { token } = await operators.link({ makesAdmin: true });
  const json = { token, name: 'Ada Lovelace', email: 'ada@mail.example' };
  const answer = await ask(run, 'POST', '/links/redeem', { json });
  const session = begunBy(answer);
  assert.equal(answer.json.operator, {
    ...{ id: session.id, name: 'Ada Lovelace', email: 'ada@mail.example', is_admin: true, teams: [] },
  });
  const own = await ask(run, 'GET', '/session', { as: session });
  assert.equal(own.json, {
    session: { expires_at: answer.json.session.expires_at },
    operator: answer.json.operator,
  });
  assertError(await ask(run, 'POST', '/links/redeem', { json }), 'link_used');
});

test('a link used 200 times at once signs in once', async () => {
  const { token } = await operators.link({ email: 'grace@mail.example' });
  const json = { token, name: 'Grace Hopper' };
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => ask(run, 'POST', '/links/redeem', { json })),
  );
  const counts = tally(answers);
  assert.is(counts[200], 1, JSON.stringify(counts));
  const refused = (counts['410 link_used'] ?? 0) + (counts['429 rate_limited'] ?? 0);
  assert.is(refused, 199, JSON.stringify(counts));
  run.clock.advance(15 * MINUTE);
});

test('a new operator needs a name, and the link is not used up without one', async () => {
  const { token } = await operators.link({});
  const bare = await ask(run, 'POST', '/links/redeem', { json: { token } });
  assertError(bare, 'invalid_request');
  const json = { token, name: 'Lin', email: 'lin@mail.example' };
  assert.is((await ask(run, 'POST', '/links/redeem', { json })).status, 200);
});

test('an invitation needs the session of an operator who exists, and adds the membership to it', async () => {
  const { id: team } = await operators.admin.deps.store
    .listTeams(null)
    .then(([first]) => first as { id: string });
  const someone = await operators.create({ email: 'invited@mail.example' });
  const { token } = await operators.link({ email: 'invited@mail.example', teamId: team, role: 'viewer' });
  assertError(await ask(run, 'POST', '/links/redeem', { json: { token } }), 'sign_in_first');
  const joined = await ask(run, 'POST', '/links/redeem', { json: { token }, as: someone });
  assert.is(joined.status, 200, joined.text);
  assert.is(joined.json.session.secret, undefined, 'the session goes on');
  assert.is(joined.headers['set-cookie'], undefined);
  assert.equal(
    joined.json.operator.teams.map((each: { role: string }) => each.role),
    ['viewer'],
  );
});

test('the session ends an hour after its last request, and twelve hours after its first', async () => {
  const session = await operators.create();
  const isOpen = async () => (await ask(run, 'GET', '/session', { as: session })).status === 200;
  for (let passed = 0; passed < 12 * HOUR; passed += 59 * MINUTE) {
    assert.ok(await isOpen());
    run.clock.advance(59 * MINUTE);
  }
  assert.not(await isOpen(), 'after twelve hours');
  const idle = await operators.create();
  run.clock.advance(HOUR);
  assertError(await ask(run, 'GET', '/session', { as: idle }), 'unauthorized');
});

test('sign-out ends the session and clears its cookie', async () => {
  const session = await operators.create();
  const answer = await ask(run, 'DELETE', '/session', { as: session });
  assert.is(answer.status, 204);
  assert.match(String(answer.headers['set-cookie']), /^svc_portal=; Max-Age=0;/);
  assertError(await ask(run, 'GET', '/session', { as: session }), 'unauthorized');
});

async function registered(session: Session) {
  const authenticator = createAuthenticator(run.portal);
  const options = await ask(run, 'POST', '/passkeys/options', { as: session });
  const credential = authenticator.register(options.json.options);
  const headers = { ...bothCookies(session, options) };
  const json = { credential, label: 'Laptop' };
  const answer = await ask(run, 'POST', '/passkeys', { as: session, headers, json });
  assert.is(answer.status, 201, answer.text);
  return { authenticator, passkey: answer.json.passkey };
}

const bothCookies = (session: Session, options: Parameters<typeof cookiesOf>[0]) => ({
  cookie: `svc_portal=${session.cookie}; ${sentBack(options)}`,
});

test('a passkey is registered, signs in, steps up, is renamed and deleted', async () => {
  const session = await operators.create();
  const { authenticator, passkey } = await registered(session);
  assert.is(passkey.label, 'Laptop');
  const options = await ask(run, 'POST', '/session/options');
  assert.match(String(options.headers['set-cookie']), /HttpOnly; SameSite=Strict$/);
  const json = { credential: authenticator.authenticate(options.json.options) };
  const headers = { cookie: sentBack(options) };
  const answer = await ask(run, 'POST', '/session', { json, headers });
  const byPasskey = begunBy(answer);
  assert.is(byPasskey.id, session.id);
  assertError(await ask(run, 'POST', '/session', { json, headers }), 'unauthorized', 'a second time');

  run.clock.advance(5 * MINUTE);
  const path = `/passkeys/${passkey.id}`;
  const label = { label: 'Old laptop' };
  assertError(await ask(run, 'PATCH', path, { as: byPasskey, json: label }), 'step_up_required');
  const again = await ask(run, 'POST', '/session/step-up/options', { as: byPasskey });
  const proof = { credential: authenticator.authenticate(again.json.options) };
  const cookies = bothCookies(byPasskey, again);
  const stepped = await ask(run, 'POST', '/session/step-up', {
    as: byPasskey,
    headers: cookies,
    json: proof,
  });
  assert.is(stepped.status, 204, stepped.text);
  const renamed = await ask(run, 'PATCH', path, { as: byPasskey, json: label });
  assert.is(renamed.json.passkey.label, 'Old laptop', renamed.text);
  const listed = await ask(run, 'GET', '/passkeys', { as: byPasskey });
  assert.equal(listed.json.passkeys, [renamed.json.passkey]);
  await ask(run, 'POST', '/recovery-codes', { as: byPasskey });
  assert.is((await ask(run, 'DELETE', path, { as: byPasskey })).status, 204);
  assert.equal((await ask(run, 'GET', '/passkeys', { as: byPasskey })).json.passkeys, []);
});

test('a passkey of somebody else is neither renamed nor deleted', async () => {
  const { passkey } = await registered(await operators.create());
  const other = await operators.create();
  const path = `/passkeys/${passkey.id}`;
  assertError(await ask(run, 'PATCH', path, { as: other, json: { label: 'Mine' } }), 'not_found');
  assertError(await ask(run, 'DELETE', path, { as: other }), 'not_found');
});

test('a recovery code signs in once, and such a session replaces passkeys and codes only', async () => {
  const session = await operators.create({ isAdmin: true, email: 'lost@mail.example' });
  const { codes } = (await ask(run, 'POST', '/recovery-codes', { as: session })).json;
  assert.is(new Set(codes).size, 10);
  assert.is((await ask(run, 'GET', '/account', { as: session })).json.account.recovery_codes, 10);
  const json = { email: 'LOST@mail.example', code: codes[0] };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => ask(run, 'POST', '/session/recovery', { json })),
  );
  assert.equal(tally(answers), { 200: 1, '401 unauthorized': 3 });
  const recovered = begunBy(answers.find(({ status }) => status === 200) as (typeof answers)[number]);
  assert.is((await ask(run, 'POST', '/passkeys/options', { as: recovered })).status, 200);
  assertError(
    await ask(run, 'POST', '/signing-keys/rotate', { as: recovered }),
    'step_up_required',
    'nothing else',
  );
  assertError(await ask(run, 'DELETE', '/sessions/ses_x', { as: recovered }), 'step_up_required');
  run.clock.advance(15 * MINUTE);
});

test('five recovery codes of a person in 15 minutes, wherever they come from', async () => {
  const json = { email: 'nobody@mail.example', code: 'q3Vt9XbYk2LmN8pRs5Tz' };
  for (let i = 0; i < 5; i++)
    assertError(await ask(run, 'POST', '/session/recovery', { json }), 'unauthorized');
  const refused = await ask(run, 'POST', '/session/recovery', { json });
  assertError(refused, 'rate_limited');
  assert.is(refused.headers['retry-after'], '900');
  run.clock.advance(15 * MINUTE);
});

test('own sessions are listed, and ended one by one', async () => {
  const first = await operators.create();
  const second = await operators.signIn(first.id);
  const { sessions } = (await ask(run, 'GET', '/sessions', { as: second })).json;
  assert.equal(sessions.map(({ current }: { current: boolean }) => current).sort(), [false, true]);
  const { id } = sessions.find(({ current }: { current: boolean }) => !current);
  const stranger = await operators.create();
  assertError(await ask(run, 'DELETE', `/sessions/${id}`, { as: stranger }), 'not_found');
  assert.is((await ask(run, 'DELETE', `/sessions/${id}`, { as: second })).status, 204);
  assertError(await ask(run, 'GET', '/session', { as: first }), 'unauthorized');
});

test('the 11th session ends the oldest', async () => {
  const first = await operators.create();
  const others: Session[] = [];
  for (let i = 0; i < 10; i++) {
    run.clock.advance(1_000);
    others.push(await operators.signIn(first.id));
  }
  assertError(await ask(run, 'GET', '/session', { as: first }), 'unauthorized');
  for (const other of others) assert.is((await ask(run, 'GET', '/session', { as: other })).status, 200);
});

test('the account is shown and changed, but for its address', async () => {
  const session = await operators.create({ name: 'Ada' });
  const patch = (json: object) => ask(run, 'PATCH', '/account', { as: session, json });
  const changed = await patch({ name: 'Ada King', language: 'es', theme: 'dark' });
  const { account } = changed.json;
  assert.equal([account.name, account.language, account.theme], ['Ada King', 'es', 'dark']);
  assert.equal((await patch({ language: null })).json.account.language, null);
  assert.is((await patch({ email: account.email })).status, 200);
  assertError(await patch({ email: 'other@mail.example' }), 'forbidden');
  assertError(await patch({ name: 'Ada\u202e' }), 'invalid_request');
  assertError(await patch({ theme: 'pink' }), 'invalid_request');
});

test('asking for a challenge stores nothing, and failed answers use up ten an address at most', async () => {
  run.clock.advance(60 * 60_000);
  const rows = () => run.rows('SELECT COUNT(*) AS n FROM ceremonies')[0].n;
  const before = rows();
  const cookies: string[] = [];
  for (let i = 0; i < 20; i++)
    cookies.push(
      String((await ask(run, 'POST', '/session/options')).headers['set-cookie']).split(';')[0] ?? '',
    );
  assert.is(new Set(cookies).size, 20);
  assert.is(rows(), before);
  const statuses = [];
  for (const cookie of cookies)
    statuses.push(
      (await ask(run, 'POST', '/session', { headers: { cookie }, json: { credential: {} } })).status,
    );
  assert.equal(statuses, [...Array(10).fill(401), ...Array(10).fill(429)]);
  assert.is(rows() - before, 10);
});

test.run();
