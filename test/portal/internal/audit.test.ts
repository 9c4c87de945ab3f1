/** What requests leave in the audit log, and who sees it. */
import * as assert from 'uvu/assert';
import { HOUR } from '../../../src/protocol/limits.ts';
import { assertError, enrolled, type Json } from '../../support/client.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { placeIn, setupFor } from './setup.ts';

const test = suite('internal: audit');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const setup = setupFor(test, operators);
let admin: Session;
test.before(async () => {
  admin = await operators.create({ isAdmin: true, name: 'Ada Admin' });
});

const entries = async (query = '', as = admin): Promise<Json[]> => {
  const answer = await ask(run, 'GET', `/audit?limit=100&${query}`, { as });
  assert.is(answer.status, 200, answer.text);
  return answer.json.entries;
};
const newest = async (query = ''): Promise<Json> => (await entries(query))[0];

test('a change has one entry: who, what, where, and from which session', async () => {
  const { team, app } = await placeIn(operators, 'Audited');
  const owner = await operators.create({ name: 'Olga', teams: { [team]: 'owner' } });
  const before = (await entries()).length;
  await ask(run, 'PATCH', `/apps/${app}`, { as: owner, json: { name: 'Renamed' } });
  await ask(run, 'PATCH', `/apps/${app}`, { as: owner, json: { name: 'Renamed' } });
  const entry = await newest(`app=${app}`);
  const { sessions } = (await ask(run, 'GET', '/sessions', { as: owner })).json;
  const { seq, at, ...rest } = entry;
  assert.is(at, new Date(run.clock.now()).toISOString());
  assert.equal(rest, {
    actor: `Olga <${owner.email}>`,
    actor_id: owner.id,
    action: 'app.change',
    target: app,
    team_id: team,
    app_id: app,
    ip: '127.0.0.1',
    session: sessions[0].id,
    outcome: 'ok',
    count: 1,
  });
  assert.ok(before > 0 && seq > 0);
});

test('what is created is the target of its entry, by its id; what was refused has its name', async () => {
  const { team, app } = await placeIn(operators, 'Creations');
  const make = async (path: string, json: object) =>
    (await ask(run, 'POST', path, { as: admin, json })).json as Json;
  const made = (await make('/apps', { team_id: team, name: 'Created' })).app.id;
  const entry = await newest(`app=${made}`);
  assert.equal([entry.action, entry.target, entry.team_id], ['app.create', made, team]);
  const other = (await make('/teams', { name: 'Created team' })).team.id;
  assert.equal((await newest(`team=${other}`)).target, other);
  const { key } = await make(`/apps/${app}/keys`, { type: 'secret', mode: 'test' });
  const ofKey = await newest(`app=${app}`);
  assert.equal([ofKey.action, ofKey.target], ['key.create', key.id]);

  const viewer = await operators.create({ teams: { [team]: 'viewer' } });
  await ask(run, 'POST', `/apps/${app}/keys`, { as: viewer, json: { type: 'secret', mode: 'test' } });
  const { target, outcome } = await newest(`actor=${viewer.id}`);
  assert.equal([target, outcome], [app, 'forbidden']);
});

test('a refused request has an entry with its code', async () => {
  const viewer = await operators.create({ teams: { [setup.own.team]: 'viewer' } });
  const made = await ask(run, 'POST', `/apps/${setup.own.app}/keys`, {
    as: viewer,
    json: { type: 'secret', mode: 'live' },
  });
  assertError(made, 'forbidden');
  assertError(await ask(run, 'GET', `/apps/${setup.own.app}/live/events`, { as: viewer }), 'forbidden');
  const found = (await entries(`actor=${viewer.id}`)).slice(0, 2);
  assert.equal(
    found.map(({ action, outcome, app_id }) => [action, outcome, app_id]),
    [
      ['people.read', 'forbidden', setup.own.app],
      ['key.create', 'forbidden', setup.own.app],
    ],
  );
});

test('failed sign-ins, refused links and requests of other pages have entries without a session', async () => {
  const json = { email: 'nobody@mail.example', code: 'q3Vt9XbYk2LmN8pRs5Tz' };
  await ask(run, 'POST', '/session/recovery', { json });
  await ask(run, 'POST', '/session', { json: { credential: {} } });
  await ask(run, 'POST', '/links/redeem', { json: { token: 'x'.repeat(43) } });
  await ask(run, 'GET', '/apps', { as: admin, headers: { origin: 'https://evil.example' } });
  const found = (await entries()).slice(0, 4);
  assert.equal(
    found.map(({ action, outcome, actor_id }) => [action, outcome, actor_id]),
    [
      ['request', 'origin_not_allowed', null],
      ['link.redeem', 'link_used', null],
      ['sign-in.passkey', 'unauthorized', null],
      ['sign-in.recovery', 'unauthorized', null],
    ],
  );
});

const FLOODS: readonly [string, string, string, () => Promise<object>][] = [
  ['turned away', 'request', '/session', async () => ({ headers: { host: 'evil.example' } })],
  ['a viewer', 'installation.read', '/health', async () => ({ as: await viewer() })],
  ['a viewer, of people', 'person.open', `/apps/APP/live/users/USER`, async () => ({ as: await viewer() })],
];
const viewer = () => operators.create({ teams: { [setup.own.team]: 'viewer' } });

for (const [who, action, template, credentials] of FLOODS)
  test(`equal refusals are two entries: the first, and the others with their count (${who})`, async () => {
    // Not those of the tests before.
    run.clock.advance(HOUR);
    admin = await operators.signIn(admin.id);
    const with_ = await credentials();
    const all = () => run.rows('SELECT outcome, count FROM audit_log WHERE action = ? ORDER BY seq', action);
    const before = all().length;
    for (let i = 0; i < 80; i++) {
      const path = template.replace('APP', setup.own.app).replace('USER', `usr_${i}`);
      assert.is((await ask(run, 'GET', path, with_)).status, 403);
    }
    const own = () => all().slice(before);
    assert.equal(
      own().map(({ count }) => count),
      [1],
    );
    await entries('', await viewer());
    assert.is(own().length, 1, 'only whoever sees all of it has it written');
    await entries();
    assert.equal(
      own().map(({ count }) => count),
      [1, 79],
    );
    assert.is(new Set(own().map(({ outcome }) => outcome)).size, 1);
  });

test('end users stand in it as keyed hashes', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  await ask(run, 'GET', `/apps/${app.id}/live/users/${user.id}/export`, { as: admin });
  await ask(run, 'DELETE', `/apps/${app.id}/live/users/${user.id}`, { as: admin });
  const found = (await entries(`app=${app.id}`)).slice(0, 2);
  assert.equal(
    found.map(({ action }) => action),
    ['person.erase', 'person.export'],
  );
  assert.is(found[0].target, found[1].target, 'the same person');
  assert.match(found[0].target, /^[\w-]{20,}$/);
  assert.not.match(JSON.stringify(run.rows('SELECT * FROM audit_log')), new RegExp(user.id));
});

test('admins see all of it, owners that of their teams, everybody their own', async () => {
  const { team, app } = await placeIn(operators, 'Seen');
  const owner = await operators.create({ teams: { [team]: 'owner' } });
  const developer = await operators.create({ teams: { [team]: 'developer' } });
  const stranger = await operators.create({ teams: { [setup.other.team]: 'owner' } });
  for (const [as, name] of [
    [owner, 'One'],
    [developer, 'Two'],
    [owner, 'Three'],
  ] as const)
    await ask(run, 'PATCH', `/apps/${app}`, { as, json: { name } });
  const actors = async (as: Session) => (await entries(`app=${app}`, as)).map(({ actor_id }) => actor_id);
  assert.equal(await actors(admin), [owner.id, developer.id, owner.id]);
  assert.equal(await actors(owner), [owner.id, developer.id, owner.id]);
  assert.equal(await actors(developer), [developer.id]);
  assert.equal(await actors(stranger), []);
  const own = await entries('', stranger);
  assert.ok(
    own.length > 0 &&
      own.every(entry =>
        [entry.actor_id, entry.team_id].some(id => [stranger.id, setup.other.team].includes(id)),
      ),
  );
});

test('it is paged by cursors of one’s own, and exported oldest first', async () => {
  const first = (await ask(run, 'GET', '/audit?limit=3', { as: admin })).json;
  const second = (await ask(run, 'GET', `/audit?limit=3&cursor=${first.next_cursor}`, { as: admin })).json;
  const seqs = [...first.entries, ...second.entries].map(({ seq }: { seq: number }) => seq);
  assert.equal(
    seqs,
    Array.from({ length: 6 }, (_, i) => Number(seqs[0]) - i),
  );
  const other = await operators.create({ isAdmin: true });
  assertError(await ask(run, 'GET', `/audit?cursor=${first.next_cursor}`, { as: other }), 'invalid_request');
  const file = await ask(run, 'GET', '/audit.jsonl', { as: admin });
  assert.is(file.headers['content-type'], 'application/jsonl; charset=utf-8');
  const lines = file.text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).seq);
  assert.equal(
    lines,
    lines.toSorted((a, b) => a - b),
  );
  assert.ok(lines.length > 10);
});

test('its chain holds after all of this', async () => {
  assert.is(await operators.admin.deps.store.verifyAudit(), null);
});

test.run();
