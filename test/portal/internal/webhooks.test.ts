/** Webhooks through the internal API: what operators set, what is refused, secrets, tests, deliveries, replays. */
import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { HOUR } from '../../../src/protocol/limits.ts';
import { assertError, enrolled, faces, type Json } from '../../support/client.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { serviceFor, type TestApp } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { type Arrived, isSigned, type Receiver, receiver } from '../../webhooks/receivers.ts';
import { NOBODY_LISTENS } from './requests.ts';

const test = suite('internal: webhooks');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
let admin: Session;
let app: TestApp;
let shop: Receiver;
test.before(async () => {
  shop = await receiver();
});
test.after(() => shop?.close());

const signIn = async () => {
  admin = await operators.create({ isAdmin: true });
};
const answering = (status: number) => (_: unknown, answer: ServerResponse) =>
  void answer.writeHead(status).end();
/** Those that have signed what arrived last. */
const signers = (secrets: readonly string[]) =>
  secrets.filter(secret => isSigned(shop.arrived.at(-1) as Arrived, secret));

/** Each test has an app of its own, and a session that has just begun. */
const withApp = (name: string, body: () => Promise<void>) =>
  test(name, async () => {
    await signIn();
    app = await run.createApp();
    await body();
  });

const at = (mode: string, rest = '') => `/apps/${app.id}/${mode}/webhooks${rest}`;
const send = (method: string, path: string, json?: object) =>
  ask(run, method, path, { as: admin, ...(json && { json }) });

async function created(fields: object = {}, mode = 'live'): Promise<Json> {
  const answer = await send('POST', at(mode), { url: shop.url, ...fields });
  assert.is(answer.status, 201, answer.text);
  return answer.json;
}
async function listed(mode = 'live'): Promise<Json[]> {
  return (await send('GET', at(mode))).json.webhooks;
}
withApp(
  'a webhook is made, listed, changed and deleted; its secret is in the answer that makes it alone',
  async () => {
    const { webhook, secret } = await created({
      description: ' Orders ',
      events: ['user.deleted', 'user.deleted'],
    });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, created_at, ...rest } = webhook;
    assert.match(id, /^wh_[0-9A-Za-z]{24}$/);
    assert.is(Date.parse(created_at), run.clock.now());
    assert.equal(rest, {
      ...{ url: shop.url, events: ['user.deleted'], description: 'Orders' },
      ...{ disabled_at: null, disabled_reason: null, failing_since: null },
    });
    assert.equal(await listed(), [webhook]);
    assert.equal(await listed('test'), []);
    const changed = await send('PATCH', at('live', `/${id}`), { events: ['*'], description: '' });
    assert.equal(changed.json, { webhook: { ...webhook, events: ['*'], description: '' } });
    assert.equal(await listed(), [changed.json.webhook]);
    for (const rows of [run.rows('SELECT * FROM webhooks'), run.rows('SELECT * FROM audit_log')])
      for (const plain of [secret.slice(6), shop.url])
        assert.not.ok(JSON.stringify(rows).includes(plain), plain);
    assertError(await send('DELETE', at('test', `/${id}`)), 'not_found', 'of the other mode');
    assert.is((await send('DELETE', at('live', `/${id}`))).status, 204);
    assert.equal(await listed(), []);
  },
);

withApp('of 20 made at once ten are taken; the other mode has ten of its own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send('POST', at('live'), { url: shop.url })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.is(refused.length, 10);
  for (const answer of refused) assertError(answer, 'webhook_limit');
  assert.is(
    refused[0]?.json.error.message,
    'The app has 10 live webhooks, and may have no more: delete one first.',
  );
  await created({}, 'test');
});

const TYPES = /^events(?:\[0\]|\.0)?: must be \* alone, or types: user\.enrolled, .*user\.deleted$/;
const REFUSED: readonly [fields: object, message: RegExp][] = [
  [{ url: undefined }, /^url: is required$/],
  [{ url: 7 }, /^url: must be a string$/],
  [{ url: `https://shop.example/${'x'.repeat(2_000)}` }, /^url: must have at most 2000 characters$/],
  [{ url: 'http://1.1.1.1/' }, /^url: .*https/],
  [{ url: 'https://10.0.0.1/' }, /^url: .*10\.0\.0\.1/],
  [{ events: [] }, TYPES],
  [{ events: ['user.moved'] }, TYPES],
  [{ events: ['*', 'user.deleted'] }, TYPES],
  [{ events: ['webhook.test'] }, TYPES],
  [{ events: '*' }, /^events: must be an array$/],
  [{ description: 'x'.repeat(201) }, /^description: must have at most 200 characters$/],
  [{ description: 'a\u202eb' }, /^description: must not contain control, direction or zero-width/],
  [{ description: '\ud800' }, /^description: must be well-formed Unicode/],
];

withApp('a wrong field is named with its rule, when it is made and when it is changed', async () => {
  const { webhook } = await created();
  for (const [fields, message] of REFUSED) {
    const json = { url: shop.url, ...fields };
    const answers = [await send('POST', at('live'), json)];
    if (!('url' in fields && fields.url === undefined))
      answers.push(await send('PATCH', at('live', `/${webhook.id}`), fields));
    for (const answer of answers) {
      assertError(answer, 'invalid_request', JSON.stringify(fields));
      assert.match(answer.json.error.message, message);
    }
  }
  assertError(await send('PATCH', at('live', `/${webhook.id}`), { enabled: 'no' }), 'invalid_request');
  assert.equal(await listed(), [webhook]);
});

withApp('one is disabled by an operator, tested, and enabled again', async () => {
  const { webhook } = await created();
  const path = at('live', `/${webhook.id}`);
  const { json } = await send('PATCH', path, { enabled: false, description: 'Off' });
  const off = { ...webhook, description: 'Off', disabled_reason: 'operator' };
  assert.equal(json.webhook, { ...off, disabled_at: new Date(run.clock.now()).toISOString() });
  assert.is((await send('POST', `${path}/test`)).json.delivery.status, 204);
  assertError(await send('POST', `${path}/replay`, { since: '2026-01-01' }), 'webhook_disabled');
  run.clock.advance(HOUR);
  await signIn();
  assert.equal((await send('PATCH', path, { enabled: false })).json, json, 'since when stays');
  assert.equal((await send('PATCH', path, { enabled: true })).json.webhook, {
    ...webhook,
    description: 'Off',
  });
});

withApp('a test is one attempt, answered as it came out, and in no feed', async () => {
  const { webhook, secret } = await created({ events: ['user.deleted'] });
  const path = at('live', `/${webhook.id}`);
  const good = (await send('POST', `${path}/test`)).json.delivery;
  const arrived = shop.arrived.at(-1);
  assert.ok(arrived);
  assert.ok(isSigned(arrived, secret));
  const { id, type, data } = arrived.event;
  assert.equal([arrived.headers['webhook-id'], type], [id, 'webhook.test']);
  assert.equal(data, { app_id: app.id, livemode: true, webhook_id: webhook.id });
  assert.equal(
    [good.event_id, good.type, good.attempt, good.status, good.error, good.next_at],
    [id, 'webhook.test', 1, 204, null, null],
  );
  run.clock.advance(1);
  shop.answer = answering(500);
  const bad = (await send('POST', `${path}/test`)).json.delivery;
  shop.answer = answering(204);
  assert.equal([bad.status, bad.error, bad.next_at], [500, 'status', null]);
  run.clock.advance(1);
  await send('PATCH', path, { url: NOBODY_LISTENS });
  const none = (await send('POST', `${path}/test`)).json.delivery;
  assert.equal([none.status, none.error], [null, 'connection']);
  assert.equal((await send('GET', `${path}/deliveries`)).json, { deliveries: [none, bad, good] });
  assert.equal((await send('GET', `${path}/deliveries?failed=true`)).json, { deliveries: [none, bad] });
  assert.equal((await send('GET', `${path}/deliveries?limit=1`)).json, { deliveries: [none] });
  assert.is(run.rows("SELECT * FROM outbox WHERE type = 'webhook.test'").length, 0);
  for (const query of ['failed=yes', 'limit=0', 'limit=1001', 'failed=true&failed=true'])
    assertError(await send('GET', `${path}/deliveries?${query}`), 'invalid_request', query);
});

withApp('a rolled secret signs for another day; a roll in that time ends the one before', async () => {
  const { webhook, secret: first } = await created();
  const path = at('live', `/${webhook.id}`);
  const roll = async () => (await send('POST', `${path}/roll`)).json.secret;
  const secrets = [first];
  const signing = async () => {
    await send('POST', `${path}/test`);
    return signers(secrets);
  };
  secrets.push(await roll());
  assert.equal(await signing(), secrets);
  secrets.push(await roll());
  assert.equal(await signing(), secrets.slice(1));
  run.clock.advance(24 * HOUR);
  await signIn();
  assert.equal(await signing(), secrets.slice(2));
});

withApp('of many rolls at once two secrets sign, and one of them is that of the last', async () => {
  const { webhook } = await created();
  const path = at('live', `/${webhook.id}`);
  const rolled = await Promise.all(Array.from({ length: 10 }, () => send('POST', `${path}/roll`)));
  await send('POST', `${path}/test`);
  const secrets = rolled.map(({ json }) => json.secret);
  assert.is(new Set(secrets).size, 10);
  assert.is(signers(secrets).length, 2);
});

withApp('events are sent again: one of any type, or all of its types since a moment', async () => {
  const { webhook } = await created({ events: ['user.deleted'] });
  const path = at('live', `/${webhook.id}`);
  const replay = (json: object) => send('POST', `${path}/replay`, json);
  await enrolled(run, app, { descriptors: [faces.genuine(0)] });
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  const told = run.rows("SELECT id FROM outbox WHERE type = 'user.enrolled' ORDER BY seq");
  assert.equal((await replay({ event_id: told[0].id })).json, { replayed: 1 });
  assert.equal((await replay({ since: '2026-03-01' })).json, { replayed: 0 });
  assert.is((await run.cli(['user', 'delete', user.id, '--yes'])).code, 0);
  assert.equal((await replay({ since: '2026-03-01T12:00:00Z' })).json, { replayed: 1 });
  const unknown = await replay({ event_id: told[1].id });
  assertError(unknown, 'not_found', 'it went with its user');
  assert.match(unknown.json.error.message, /^No such event of this app and mode is kept/);
  for (const json of [
    {},
    { event_id: told[0].id, since: '2026-03-01' },
    { since: 'yesterday' },
    { since: 1 },
  ])
    assertError(await replay(json), 'invalid_request', JSON.stringify(json));
  const { webhook: other } = await created({}, 'test');
  const elsewhere = await send('POST', at('test', `/${other.id}/replay`), { event_id: told[0].id });
  assertError(elsewhere, 'not_found');
});

test.run();
