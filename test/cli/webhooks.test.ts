/** `webhook`: what people read, exit codes, and what the commands and the running server see of each other. */
import * as assert from 'uvu/assert';
import { enrolled, type Json } from '../support/client.ts';
import { text } from '../support/process.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { isSigned, type Receiver, receiver, until } from '../webhooks/receivers.ts';

const test = suite('cli: webhooks');
const run = serviceFor(test);
const app = appFor(test, run);
let shop: Receiver;
test.before(async () => {
  shop = await receiver();
});
test.after(() => shop?.close());

async function ok(...args: string[]): Promise<Json> {
  const { code, json, stderr } = await run.cli(['webhook', ...args]);
  assert.equal([code, stderr], [0, ''], args.join(' '));
  return json;
}
const shown = (...args: string[]) => text(['webhook', ...args], { DATA_DIR: run.dataDir });
const inTest = () => ['--app', app.id, '--mode', 'test'];

test('beside a running server: made by command, sent by the server, listed by command', async () => {
  const { webhook, secret } = await ok('create', ...inTest(), '--url', shop.url, '--event', 'user.enrolled');
  const { user } = await enrolled(run, app, { mode: 'test' });
  await until(async () => shop.arrived.length === 1, 'sent');
  const [arrived] = shop.arrived;
  assert.equal([arrived?.event.type, arrived?.event.data.user_id], ['user.enrolled', user.id]);
  assert.ok(arrived && isSigned(arrived, secret));
  let deliveries: Json[] = [];
  const listed = async () => {
    deliveries = (await ok('deliveries', webhook.id)).deliveries;
    return deliveries.length > 0;
  };
  await until(listed, 'recorded');
  assert.equal(
    deliveries.map(one => [one.event_id, one.attempt, one.status, one.error, one.next_at]),
    [[arrived?.event.id, 1, 204, null, null]],
  );
  assert.equal((await ok('replay', webhook.id, arrived?.event.id)).replayed, 1);
  await until(async () => shop.arrived.length === 2, 'sent again');
  assert.is(shop.arrived[1]?.headers['webhook-id'], arrived?.event.id);
  await ok('delete', webhook.id, '--yes');
});

test('a test that fails: its delivery all the same, and exit 1', async () => {
  const { webhook } = await ok('create', ...inTest(), '--url', shop.url);
  shop.answer = (_, answer) => void answer.writeHead(503).end();
  const { code, json, stderr } = await run.cli(['webhook', 'test', webhook.id]);
  shop.answer = (_, answer) => void answer.writeHead(204).end();
  assert.equal([code, stderr, json.delivery.status], [1, '', 503]);
  assert.is((await ok('test', webhook.id)).delivery.error, null);
  await ok('delete', webhook.id, '--yes');
});

test('changes: the list of types is replaced, off and on; the 11th is refused with exit 1', async () => {
  const { webhook } = await ok('create', ...inTest(), '--url', shop.url, '--description', 'Orders');
  assert.equal(webhook.events, ['*']);
  const types = ['--event', 'user.enrolled', '--event', 'user.deleted'];
  const changed = (await ok('update', webhook.id, ...types)).webhook;
  assert.equal(changed, { ...webhook, events: ['user.enrolled', 'user.deleted'] });
  assert.is((await ok('update', webhook.id, '--disable')).webhook.disabled_reason, 'operator');
  assert.is((await ok('update', webhook.id, '--enable')).webhook.disabled_at, null);
  for (let i = 1; i < 10; i++) await ok('create', ...inTest(), '--url', shop.url);
  const eleventh = await run.cli(['webhook', 'create', ...inTest(), '--url', shop.url]);
  assert.is(eleventh.code, 1);
  assert.match(eleventh.stderr, /the app has 10 test webhooks, and may have no more: delete one first/);
  for (const { id } of (await ok('list', ...inTest())).webhooks) await ok('delete', id, '--yes');
});

test('people read the secret with a warning that it is shown once, states, and what to do first', async () => {
  assert.match(
    await shown('list', ...inTest()),
    /no webhooks yet: create one with "webhook create --app app_\w+ --mode test --url URL"/,
  );
  const made = await shown('create', ...inTest(), '--url', shop.url);
  assert.match(made, /^secret +whsec_\S+\nKeep the secret now: it is not shown again\.$/m);
  const [id = ''] = /wh_\w+/.exec(made) ?? [];
  await ok('update', id, '--disable');
  assert.match(await shown('list', ...inTest()), /disabled \(operator\) 2026-03-15/);
  assert.match(await shown('deliveries', id), /^no such deliveries in the last 7 days/);
  assert.match(await shown('test', id), /^outcome +204$/m);
  assert.match(await shown('delete', id, '--yes'), /^deleted wh_/);
});

test.run();
