/** End users through the internal API: pages, exact and partial search, one person, export and erasure. */
import * as assert from 'uvu/assert';
import { assertError, call, enrolled, faces, type Json, match, server } from '../../support/client.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { appFor, serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: people');
const run = serviceFor(test, { env: { LIMIT_MATCHES_PER_USER: '60' } });
const operators = operatorsFor(test, run);
const app = appFor(test, run);
let admin: Session;
const ids: string[] = [];

test.before(async () => {
  admin = await operators.create({ isAdmin: true });
  for (const [i, name] of [
    'Zoë Ärger',
    'Ada Lovelace',
    'Grace Hopper',
    '<script>alert(1)</script>',
  ].entries()) {
    const fields = { email: `person${i}@mail.example`, name };
    const of = { fields, descriptors: [faces.genuine(i)] };
    ids.push((await enrolled(run, app, of)).user.id);
    run.clock.advance(1_000);
  }
});

const users = async (query: string, mode = 'live') => {
  const answer = await ask(run, 'GET', `/apps/${app.id}/${mode}/users?${query}`, { as: admin });
  assert.is(answer.status, 200, answer.text);
  return answer.json;
};
const idsOf = (page: Json) => page.users.map(({ id }: { id: string }) => id);

test('users are listed newest first, or oldest first, page by page', async () => {
  assert.equal(idsOf(await users('')), ids.toReversed());
  assert.equal(idsOf(await users('order=oldest')), ids);
  const first = await users('limit=3');
  assert.equal(idsOf(first), ids.toReversed().slice(0, 3));
  const second = await users(`limit=3&cursor=${first.next_cursor}`);
  assert.equal([idsOf(second), second.next_cursor], [[ids[0]], null]);
  assert.equal(idsOf(await users('', 'test')), []);
});

test('a cursor belongs to its app and mode', async () => {
  const { next_cursor } = await users('limit=1');
  const elsewhere = await ask(run, 'GET', `/apps/${app.id}/test/users?cursor=${next_cursor}`, { as: admin });
  assertError(elsewhere, 'invalid_request');
  assert.match(elsewhere.json.error.message, /^cursor: /);
});

test('a user is found by exact address, and by a part of address or name whatever its case', async () => {
  assert.equal(idsOf(await users('email=PERSON1@mail.example')), [ids[1]]);
  assert.equal(idsOf(await users('email=person@mail.example')), []);
  assert.equal(idsOf(await users('contains=LOVE')), [ids[1]]);
  assert.equal(idsOf(await users(`contains=${encodeURIComponent('zoë ä')}`)), [ids[0]]);
  assert.equal(idsOf(await users('contains=person&limit=2')), ids.toReversed().slice(0, 2));
  assert.equal(idsOf(await users(`contains=${encodeURIComponent('%')}`)), []);
});

test('a session searches 60 times a minute', async () => {
  const session = await operators.create({ isAdmin: true });
  const search = () => ask(run, 'GET', `/apps/${app.id}/live/users?contains=ada`, { as: session });
  const answers = await Promise.all(Array.from({ length: 100 }, search));
  assert.is(answers.filter(({ status }) => status === 200).length, 60);
  const refused = answers.find(({ status }) => status !== 200) as (typeof answers)[number];
  assertError(refused, 'rate_limited');
  assert.is(refused.headers['retry-after'], '60');
  const exact = await ask(run, 'GET', `/apps/${app.id}/live/users?email=x@mail.example`, { as: session });
  assert.is(exact.status, 200, 'only contains is a search');
});

test('a person is shown with consent and counters, and only in the own app and mode', async () => {
  await match(run, app, { descriptors: [faces.genuine(1, 1)] });
  const path = `/apps/${app.id}/live/users/${ids[1]}`;
  const { user, consent, templates, counters } = (await ask(run, 'GET', path, { as: admin })).json;
  assert.equal([user.id, user.name, user.template_count], [ids[1], 'Ada Lovelace', templates.length]);
  assert.is(consent.policy_version, '2026-01');
  assert.ok(counters.some(({ about }: { about: string }) => about === 'sign-ins by face'));
  const inTest = `/apps/${app.id}/test/users/${ids[1]}`;
  for (const [method, suffix] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/export'],
  ] as const)
    assertError(await ask(run, method, `${inTest}${suffix}`, { as: admin }), 'not_found', method + suffix);
});

test('a person is exported without descriptors', async () => {
  const answer = await ask(run, 'GET', `/apps/${app.id}/live/users/${ids[0]}/export`, { as: admin });
  assert.is(answer.status, 200, answer.text);
  assert.is(answer.json.user.id, ids[0]);
  assert.not.match(answer.text, /"descriptor"/);
});

test('what people typed comes back as JSON and as nothing else', async () => {
  const answer = await ask(run, 'GET', `/apps/${app.id}/live/users`, { as: admin });
  assert.is(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.is(answer.json.users[0].name, '<script>alert(1)</script>');
});

test('a person is erased at once, also for the face', async () => {
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(9)] });
  const path = `/apps/${app.id}/live/users/${user.id}`;
  assert.is((await ask(run, 'DELETE', path, { as: admin })).status, 204);
  assertError(await ask(run, 'GET', path, { as: admin }), 'not_found');
  assertError(await ask(run, 'DELETE', path, { as: admin }), 'not_found');
  assertError(await match(run, app, { descriptors: [faces.genuine(9, 1)] }), 'no_match');
  const gone = await call(run, 'GET', `/v1/users/${user.id}`, { headers: server(app) });
  assertError(gone, 'not_found');
});

test.run();
