/** Waiting in the feeds: what is held, what ends it, and how many of a key may. */
import { request } from 'node:http';
import * as assert from 'uvu/assert';
import { type Answer, assertError, atOnce, call, enrolled, match, soon } from '../support/client.ts';
import { bearer, logout } from '../support/me.ts';
import { type Running, serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('feeds: waiting');
const run = serviceFor(test);
/** What is counted by node. */
const alone = serviceFor(test, { isAlone: true });

type App = Pick<TestApp, 'live'>;

const get = (on: Running, { live: { sk } }: App, path: string): Promise<Answer> =>
  call(on, 'GET', `/v1/${path}`, { headers: bearer(sk) });

/** Resolves when ten requests are under way, and have had the time to look into the store. */
async function tenUnderWay({ portal }: Running): Promise<void> {
  const underWay = async () => (await fetch(`${portal}/metrics`)).text();
  await soon(
    async () => /requests_in_flight(?:\{[^}]*\})? 10$/m.test(await underWay()),
    'ten are under way',
    10_000,
  );
  await new Promise(resume => setTimeout(resume, 300));
}

/** Ten that wait in both feeds. */
async function tenWaiting(on: Running, app: App): Promise<Promise<Answer>[]> {
  const cursor = (await get(on, app, 'revocations')).json.next_after;
  const paths = [`revocations?after=${cursor}&wait=25`, 'events?after=1&wait=25'];
  const ten = await atOnce(10, async n => ({ answer: get(on, app, paths[n % 2] as string) }));
  await tenUnderWay(on);
  return ten.map(({ answer }) => answer);
}

test('a reader who waits hears of what comes, on whichever node', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const cursor = (await get(run, app, 'revocations')).json.next_after;
  const readers = await atOnce(4, async n => ({
    answer: get(run, app, n < 2 ? 'events?after=1&wait=25' : `revocations?after=${cursor}&wait=25`),
  }));
  await logout(run, token);
  for (const [n, { answer }] of readers.entries()) {
    const { status, json, text } = await answer;
    assert.is(status, 200, text);
    const [heard] = n < 2 ? json.events : json.revocations;
    assert.is(n < 2 ? heard.type : heard.kind, n < 2 ? 'user.signed_out' : 'token');
  }
});

test('a reader of one type sleeps through others, and misses none', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const reader = get(run, app, 'events?after=0&wait=25&types=user.signed_out');
  for (let n = 0; n < 3; n++) await match(run, app);
  await logout(run, token);
  const { json } = await reader;
  assert.equal([json.events.map((one: { seq: number }) => one.seq), json.next_after], [[5], 5]);
});

test('when nothing comes in time the answer is empty, and says how far the reader is', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const began = performance.now();
  const events = (await get(run, app, 'events?after=0&wait=1&types=user.deleted')).json;
  assert.equal(events, { events: [], next_after: 1, oldest: 1 });
  assert.ok(performance.now() - began >= 1_000);
  const cursor = (await get(run, app, 'revocations')).json.next_after;
  assert.equal((await get(run, app, `revocations?after=${cursor}&wait=1`)).json.revocations, []);
});

test('without "after" nobody waits, and neither where there is something', async () => {
  const app = await alone.createApp();
  const waiting = [];
  await enrolled(alone, app);
  for (let n = 0; n < 12; n++)
    for (const path of ['events?wait=25', 'revocations?wait=25', 'events?after=0&wait=25'])
      waiting.push(get(alone, app, path));
  for (const { status } of await Promise.all(waiting)) assert.is(status, 200);
});

test('ten readers of a key wait over both feeds, the eleventh is told to come again', async () => {
  const [app, other] = [await alone.createApp(), await alone.createApp()];
  const { token } = await enrolled(alone, app);
  await enrolled(alone, other);
  const ten = await tenWaiting(alone, app);
  const eleventh = await get(alone, app, 'events?after=1&wait=25');
  assertError(eleventh, 'rate_limited');
  assert.is(eleventh.headers['retry-after'], '5');
  assert.is((await get(alone, app, 'events?after=1')).status, 200, 'without waiting');
  assert.is((await get(alone, other, 'events?after=1&wait=1')).status, 200, 'another key');
  await logout(alone, token);
  for (const { status, text } of await Promise.all(ten)) assert.is(status, 200, text);
});

test('readers who leave are forgotten', async () => {
  const app = await alone.createApp();
  await enrolled(alone, app);
  const sent = await atOnce(10, async () => {
    const leaver = request(`${alone.base}/v1/events?after=1&wait=25`, {
      headers: { authorization: `Bearer ${app.live.sk}` },
    });
    leaver.on('error', () => undefined).end();
    return leaver;
  });
  const probe = async () => (await get(alone, app, 'events?after=1&wait=1')).status;
  await tenUnderWay(alone);
  assert.is(await probe(), 429);
  for (const leaver of sent) leaver.destroy();
  await soon(async () => (await probe()) === 200, 'room again', 10_000);
});

const ENDS: readonly [name: string, end: (key: string) => Promise<unknown>][] = [
  ['is revoked', key => alone.cli(['key', 'revoke', key])],
  [
    'has ended',
    async key => {
      await alone.cli(['key', 'roll', key, '--ends-in', '1h']);
      alone.clock.advance(3_600_000);
    },
  ],
];
for (const [name, end] of ENDS)
  test(`a key that ${name} meanwhile gets no answer`, async () => {
    const app = await alone.createApp();
    await enrolled(alone, app);
    const made = await alone.cli(['key', 'create', '--app', app.id, '--type', 'secret', '--mode', 'live']);
    const ten = await tenWaiting(alone, { live: { pk: '', sk: made.json.key } });
    const other = get(alone, app, 'events?after=1&wait=25');
    await end(made.json.id);
    await logout(alone, (await match(alone, app)).json.token);
    for (const answer of ten) assertError(await answer, 'unauthorized');
    assert.is((await other).status, 200);
  });

test('a service that stops answers those who wait at once', async () => {
  const own = await startService({ isAlone: true });
  const app = await own.createApp();
  await enrolled(own, app);
  const ten = await tenWaiting(own, app);
  await own.close();
  for (const { status, json } of await Promise.all(ten))
    assert.equal([status, (json.events ?? json.revocations).length], [200, 0]);
});

test.run();
