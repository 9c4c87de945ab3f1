/** Servers that take long, or lie, each beside a good one that does not wait for them. */
import type { RequestListener } from 'node:http';
import * as assert from 'uvu/assert';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { deliveriesOf, newcomer, receiver, until, webhookTo } from './receivers.ts';

const test = suite('webhooks: hostile');
const run = serviceFor(test, { isAlone: true });
const EVENTS = 12;

const WAYS: readonly (readonly [name: string, answer: RequestListener, error: string | null])[] = [
  ['never answers', () => undefined, 'timeout'],
  ['answers 200 after 20 s', (_, res) => void setTimeout(() => res.writeHead(200).end(), 20_000), 'timeout'],
  [
    'sends a header a second',
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = setInterval(() => socket.write('x-more: 1\r\n'), 1_000);
      socket.on('close', () => clearInterval(more));
    },
    'timeout',
  ],
  [
    'sends a body for ever',
    (_, res) => {
      res.writeHead(200);
      const more = setInterval(() => res.write('x'), 100);
      res.on('close', () => clearInterval(more));
    },
    null,
  ],
  ['redirects to itself', (_, res) => void res.writeHead(308, { location: '/hook' }).end(), 'status'],
];

test('a server that takes long or lies delays no other', async () => {
  // All at once: each takes half a minute of waiting.
  await Promise.all(WAYS.map(([name, answer, error]) => delaysNoOther(name, answer, error)));
});

async function delaysNoOther(name: string, answer: RequestListener, error: string | null): Promise<void> {
  const app = await run.createApp();
  await using bad = await receiver(answer);
  await using good = await receiver();
  const webhook = await webhookTo(run, app, bad.url);
  await webhookTo(run, app, good.url);
  for (let n = 0; n < EVENTS; n++) await newcomer(run, app);
  await until(async () => good.arrived.length === EVENTS, `${name}: all events at the good one`);
  if (error === 'timeout') assert.ok(bad.arrived.length <= 4, `${name}: not through with the first ones`);
  await until(async () => (await deliveriesOf(run, webhook.id)).length >= 4, `${name}: attempts`);
  for (const made of await deliveriesOf(run, webhook.id)) {
    assert.is(made.error, error, name);
    if (error === 'timeout')
      assert.ok(Number(made.durationMs) >= 15_000 && made.status === null, `${name}: ${made.durationMs}`);
  }
  if (error !== 'timeout') return;
  const before = bad.arrived.length;
  await until(async () => bad.arrived.length > before, `${name}: the next one`);
  await new Promise(later => setTimeout(later, 3_000));
  assert.is(bad.arrived.length, before + 1, `${name}: one at a time now`);
}

test('more slow servers than there are requests at once leave room for the others', async () => {
  const slow = await Promise.all(Array.from({ length: 40 }, () => receiver(() => undefined)));
  try {
    const apps = [];
    for (let n = 0; n < 4; n++) apps.push(await run.createApp());
    for (const [n, each] of slow.entries()) await webhookTo(run, apps[n % 4] as (typeof apps)[0], each.url);
    for (const app of apps) for (let n = 0; n < 3; n++) await newcomer(run, app);
    await until(async () => slow.reduce((sum, each) => sum + each.arrived.length, 0) >= 64, 'all are busy');
    // Once they are known to be slow.
    await until(
      async () => (await Promise.all(slow.map(each => each.arrived.length))).some(n => n > 1),
      'more',
    );
    await new Promise(later => setTimeout(later, 20_000));
    const app = await run.createApp();
    await using good = await receiver();
    await webhookTo(run, app, good.url);
    for (let n = 0; n < 5; n++) await newcomer(run, app);
    const began = performance.now();
    await until(async () => good.arrived.length === 5, 'all events at the good one');
    assert.ok(performance.now() - began < 10_000, 'without waiting for anybody');
  } finally {
    await Promise.all(slow.map(each => each.close()));
  }
});

test.run();
