/** Apps and keys through the internal API. */
import * as assert from 'uvu/assert';
import { HOUR, MINUTE } from '../../../src/protocol/limits.ts';
import { assertError, call, enrolled, faces, type Json, match } from '../../support/client.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { setupFor } from './setup.ts';

const test = suite('internal: apps');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const setup = setupFor(test, operators);
let owner: Session;
let developer: Session;
let admin: Session;
/** Sessions that have just begun. */
async function everybody(): Promise<void> {
  owner = await operators.create({ teams: { [setup.own.team]: 'owner' } });
  developer = await operators.create({ teams: { [setup.own.team]: 'developer' } });
  admin = await operators.create({ isAdmin: true });
}

async function newApp(json: object = {}, as = owner): Promise<Json> {
  const answer = await ask(run, 'POST', '/apps', {
    as,
    json: { team_id: setup.own.team, name: 'Shop', ...json },
  });
  assert.is(answer.status, 201, answer.text);
  return answer.json.app;
}

async function newKey(app: string, json: object, as = owner): Promise<Json> {
  const answer = await ask(run, 'POST', `/apps/${app}/keys`, { as, json });
  assert.is(answer.status, 201, answer.text);
  return answer.json.key;
}

const works = async (key: string) =>
  (await call(run, 'GET', '/v1/app', { headers: { authorization: `Bearer ${key}` } })).status === 200;

test('the list has live sign-ins by day, and says which apps are unsafe', async () => {
  const shop = await run.createApp();
  const of = async () => {
    await everybody();
    const { apps } = (await ask(run, 'GET', '/apps', { as: admin })).json;
    return apps.find(({ id }: Json) => id === shop.id);
  };
  assert.equal((await of()).auths_by_day, new Array(30).fill(0));
  await enrolled(run, shop, { descriptors: [faces.genuine(0)] });
  await enrolled(run, shop, { mode: 'test', descriptors: [faces.genuine(1)] });
  run.clock.advance(86_400_000);
  for (let i = 1; i <= 2; i++) await match(run, shop, { descriptors: [faces.genuine(0, i)] });
  await match(run, shop, { descriptors: [faces.stranger()] });
  const { auths_by_day, unsafe } = await of();
  assert.equal([auths_by_day.slice(-3), unsafe], [[0, 1, 2], false]);
});

test('an app is created in a team, and listed to its members and to admins', async () => {
  await everybody();
  const app = await newApp({ allowed_origins: ['https://shop.example'] });
  assert.is(app.team_id, setup.own.team);
  assert.equal(app.limits, { monthly_auths: 1_000, live_keys: 3, test_keys: 3 });
  const listed = async (as: Session) =>
    (await ask(run, 'GET', '/apps', { as })).json.apps.map(({ id }: { id: string }) => id);
  assert.ok((await listed(developer)).includes(app.id));
  assert.not((await listed(developer)).includes(setup.other.app));
  assert.ok((await listed(admin)).includes(setup.other.app));
  assert.equal((await ask(run, 'GET', `/apps/${app.id}`, { as: developer })).json.app, app);
});

test('an app is not created in a team of others', async () => {
  await everybody();
  const json = { team_id: setup.other.team, name: 'Shop' };
  assertError(await ask(run, 'POST', '/apps', { as: owner, json }), 'not_found');
  const viewer = await operators.create({
    teams: { [setup.own.team]: 'viewer', [setup.other.team]: 'owner' },
  });
  const own = { team_id: setup.own.team, name: 'Shop' };
  assertError(await ask(run, 'POST', '/apps', { as: viewer, json: own }), 'forbidden');
});

test('a new app asks for the right of each field, as a change does', async () => {
  await everybody();
  const make = (json: object, as: Session) =>
    ask(run, 'POST', '/apps', { as, json: { team_id: setup.own.team, name: 'Shop', ...json } });
  assertError(await make({ first_party: true }, developer), 'forbidden');
  assertError(await make({ plan: 'unlimited' }, owner), 'forbidden');
  assert.is((await make({ first_party: false, plan: 'free' }, developer)).status, 201);
  assert.is((await make({ first_party: true }, owner)).json.app.first_party, true);
  assert.is((await make({ plan: 'standard' }, admin)).json.app.plan, 'standard');
});

test('origins: localhost without a step-up, all others with one, each judged as the command line does', async () => {
  await everybody();
  const app = await newApp({ allowed_origins: ['https://shop.example'] });
  const patch = (json: object, as = developer) => ask(run, 'PATCH', `/apps/${app.id}`, { as, json });
  const wrong = await patch({ allowed_origins: ['https://shop.example/path'] });
  assertError(wrong, 'invalid_request');
  assert.match(wrong.json.error.message, /^allowed_origins: .*write https:\/\/shop\.example$/);
  run.clock.advance(5 * MINUTE);
  const local = ['https://shop.example', 'http://localhost:3000'];
  assert.equal((await patch({ allowed_origins: local })).json.app.allowed_origins, local);
  for (const allowed_origins of [[...local, 'https://two.example'], ['http://localhost:3000'], []])
    assertError(await patch({ allowed_origins }), 'step_up_required', allowed_origins.join());
  const fresh = await operators.signIn(developer.id);
  assert.is((await patch({ allowed_origins: [] }, fresh)).status, 200);
});

test('a change asks for the right of each field that changes, and of no other', async () => {
  await everybody();
  const app = await newApp();
  const patch = (json: object, as: Session) => ask(run, 'PATCH', `/apps/${app.id}`, { as, json });
  assertError(await patch({ first_party: true }, developer), 'forbidden');
  assertError(await patch({ name: 'Till', plan: 'unlimited' }, owner), 'forbidden', 'nothing of it');
  assert.is((await ask(run, 'GET', `/apps/${app.id}`, { as: owner })).json.app.name, 'Shop');
  const same = await patch(
    { name: 'Till', first_party: false, plan: 'free', team_id: app.team_id },
    developer,
  );
  assert.is(same.json.app.name, 'Till', same.text);
  assert.is((await patch({ first_party: true }, owner)).json.app.first_party, true);
  assert.is((await patch({ plan: 'standard' }, admin)).json.app.limits.monthly_auths, 50_000);
  assertError(await patch({ plan: 'no-such' }, admin), 'invalid_request');
  assertError(await patch({ team_id: 'team_none' }, admin), 'not_found');
  assert.is((await patch({ team_id: setup.other.team }, admin)).json.app.team_id, setup.other.team);
  assertError(await ask(run, 'GET', `/apps/${app.id}`, { as: owner }), 'not_found');
});

test('an app is deleted with its name only', async () => {
  await everybody();
  const app = await newApp({ name: 'Shop 2' });
  const { key } = await newKey(app.id, { type: 'secret', mode: 'live' });
  const remove = (name: unknown) => ask(run, 'DELETE', `/apps/${app.id}`, { as: owner, json: { name } });
  assertError(await remove('Shop'), 'invalid_request');
  assert.ok(await works(key));
  assert.is((await remove('Shop 2')).status, 204);
  assert.not(await works(key));
  assertError(await ask(run, 'GET', `/apps/${app.id}`, { as: owner }), 'not_found');
});

test('a key is shown once', async () => {
  await everybody();
  const app = await newApp();
  const made = await newKey(app.id, { type: 'secret', mode: 'live', label: 'Till' });
  assert.ok(await works(made.key));
  assert.is(made.last4, made.key.slice(-4));
  const listed = await ask(run, 'GET', `/apps/${app.id}/keys`, { as: developer });
  assert.not.match(listed.text, new RegExp(made.key));
  const [key] = listed.json.keys;
  assert.equal([key.label, key.created_by, key.ends_at, key.revoked_at], ['Till', owner.id, null, null]);
});

test('a developer makes and rolls live publishable keys, and no live secret ones', async () => {
  await everybody();
  const app = await newApp();
  const made = await newKey(app.id, { type: 'publishable', mode: 'live' }, developer);
  const keys = `/apps/${app.id}/keys`;
  const secret = await ask(run, 'POST', keys, { as: developer, json: { type: 'secret', mode: 'live' } });
  assertError(secret, 'forbidden');
  const roll = (seconds: number, as = developer) =>
    ask(run, 'POST', `${keys}/${made.id}/roll`, { as, json: { ends_in_seconds: seconds } });
  // Without time for the change, rolling is revoking.
  assertError(await roll(0), 'forbidden');
  const rolled = await roll(3_600);
  assert.is(rolled.status, 201, rolled.text);
  assertError(await ask(run, 'DELETE', `${keys}/${rolled.json.key.id}`, { as: developer }), 'forbidden');
  const stale = await operators.create({ teams: { [setup.own.team]: 'owner' } });
  run.clock.advance(5 * MINUTE);
  assertError(await roll(0, stale), 'step_up_required');
  assert.is((await roll(0, await operators.signIn(stale.id))).status, 201);
  const { id } = await newKey(app.id, { type: 'secret', mode: 'test' }, await operators.signIn(developer.id));
  const own = await ask(run, 'POST', `${keys}/${id}/roll`, { as: developer, json: { ends_in_seconds: 0 } });
  assert.is(own.status, 201, own.text);
  assert.is((await ask(run, 'DELETE', `${keys}/${id}`, { as: developer })).status, 204);
});

test('a plan’s number of keys holds under 20 requests at once, and rolling ignores it', async () => {
  await everybody();
  const app = await newApp();
  const json = { type: 'secret', mode: 'test' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(run, 'POST', `/apps/${app.id}/keys`, { as: owner, json })),
  );
  assert.is(answers.filter(({ status }) => status === 201).length, 3);
  assertError(answers.find(({ status }) => status !== 201) as (typeof answers)[number], 'too_many_keys');
  const [first] = answers.filter(({ status }) => status === 201);
  const path = `/apps/${app.id}/keys/${first?.json.key.id}/roll`;
  assert.is((await ask(run, 'POST', path, { as: owner, json: { ends_in_seconds: 3_600 } })).status, 201);
});

test('both keys of a rolled one work until the old one ends', async () => {
  await everybody();
  const app = await newApp();
  const old = await newKey(app.id, { type: 'secret', mode: 'test', label: 'Till' });
  const path = `/apps/${app.id}/keys/${old.id}`;
  const rolled = await ask(run, 'POST', `${path}/roll`, { as: owner, json: { ends_in_seconds: 3_600 } });
  const { key } = rolled.json;
  assert.equal([key.type, key.mode, key.label], ['secret', 'test', 'Till']);
  assert.equal([await works(old.key), await works(key.key)], [true, true]);
  run.clock.advance(HOUR);
  assert.equal([await works(old.key), await works(key.key)], [false, true]);
  const fresh = await operators.signIn(owner.id);
  const again = await ask(run, 'POST', `${path}/roll`, { as: fresh, json: { ends_in_seconds: 0 } });
  assertError(again, 'key_ended');
  const odd = await ask(run, 'POST', `${path}/roll`, { as: fresh, json: { ends_in_seconds: 60 } });
  assertError(odd, 'invalid_request');
});

test('the last use of a key is known by the hour, also after a stop; a refused Origin is no use', async () => {
  await everybody();
  const { id } = await newApp({ allowed_origins: ['https://shop.example'] });
  const [used, refused] = await Promise.all(
    [1, 2].map(() => newKey(id, { type: 'publishable', mode: 'live' })),
  );
  const from = (key: Json, origin: string) =>
    call(run, 'POST', '/v1/challenges', { headers: { 'x-svc-key': key.key, origin } });
  assert.is((await from(used, 'https://shop.example')).status, 200);
  assert.is((await from(refused, 'https://elsewhere.example')).status, 403);
  const at = Math.floor(run.clock.now() / HOUR) * HOUR;
  await run.restart();
  const { keys } = (await ask(run, 'GET', `/apps/${id}/keys`, { as: owner })).json;
  const lastUse = (key: Json) => keys.find((one: Json) => one.id === key.id).last_used_at;
  assert.equal([lastUse(used), lastUse(refused)], [new Date(at).toISOString(), null]);
});

test('a key is labelled and revoked, only as one of its own app', async () => {
  await everybody();
  const app = await newApp();
  const made = await newKey(app.id, { type: 'secret', mode: 'test' });
  const path = `/apps/${app.id}/keys/${made.id}`;
  const json = { label: 'Till' };
  assert.is((await ask(run, 'PATCH', path, { as: developer, json })).json.key.label, 'Till');
  const elsewhere = `/apps/${setup.own.app}/keys/${made.id}`;
  assertError(await ask(run, 'PATCH', elsewhere, { as: owner, json }), 'not_found');
  assertError(await ask(run, 'DELETE', elsewhere, { as: owner }), 'not_found');
  assert.ok(await works(made.key));
  for (let i = 0; i < 2; i++) assert.is((await ask(run, 'DELETE', path, { as: owner })).status, 204);
  assert.not(await works(made.key));
});

test.run();
