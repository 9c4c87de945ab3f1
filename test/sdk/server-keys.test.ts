/** How the server SDK keeps the key set: when it asks for it, when it does not, and what it does when there is none. */

import { generateKeyPairSync } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { KeySetAnswer } from '../../src/sdk/server/keys.ts';
import { createKeySet, fetchKeySet } from '../../src/sdk/server/keys.ts';
import { settingsOf } from '../../src/sdk/server/options.ts';
import { suite } from '../support/suite.ts';
import { codeOf } from './server-support.ts';

const MINUTE = 60_000;
const test = suite('server SDK: keys');

const key = (name: string) => ({ name }) as unknown as CryptoKey;

/** A key set over a service that publishes these, in a time that only the test moves. */
function setUp(...ids: string[]) {
  const service = {
    published: ids,
    time: 1_000_000,
    asked: 0,
    down: false,
    /** Ends the fetches that wait, when there is one. */
    gate: null as Promise<void> | null,
  };
  const load = async (): Promise<KeySetAnswer> => {
    service.asked += 1;
    const keys = new Map(service.published.map(id => [id, key(id)]));
    if (service.gate) await service.gate;
    if (service.down) throw new Error('down');
    return { keys, freshMs: 5 * MINUTE };
  };
  const set = createKeySet(load, () => service.time);
  const has = async (id: string) => (await set.find(id)) !== undefined;
  return { service, set, has };
}

function gate() {
  let open = () => {};
  const closed = new Promise<void>(done => {
    open = done;
  });
  return { closed, open };
}

test('a hundred at once share one fetch, and the set is kept for five minutes', async () => {
  const { service, has } = setUp('a');
  const found = await Promise.all(Array.from({ length: 100 }, () => has('a')));
  assert.ok(found.every(Boolean));
  service.time += 5 * MINUTE - 1;
  await has('a');
  assert.is(service.asked, 1);
  service.time += 1;
  await Promise.all([has('a'), has('a')]);
  assert.is(service.asked, 2);
});

test('a key that left the set is gone when the set is asked for again', async () => {
  const { service, has } = setUp('a', 'b');
  assert.ok(await has('a'));
  service.published = ['b'];
  service.time += 5 * MINUTE - 1;
  assert.ok(await has('a'));
  service.time += 1;
  assert.not.ok(await has('a'));
  assert.ok(await has('b'));
});

test('an unknown key of a set that was just fetched costs no second fetch', async () => {
  const { service, has } = setUp('a');
  assert.not.ok(await has('b'));
  assert.is(service.asked, 1);
});

test('a new key is found at once; made-up ones cost two fetches, and one more every five seconds', async () => {
  const { service, has } = setUp('a');
  await has('a');
  service.published = ['a', 'b'];
  assert.ok(await has('b'));
  assert.is(service.asked, 2);
  for (let n = 0; n < 1_000; n++) assert.not.ok(await has(`made-up ${n}`));
  assert.is(service.asked, 3);
  for (let second = 0; second < 60; second++) {
    service.time += 1_000;
    await Promise.all(Array.from({ length: 50 }, (_, n) => has(`made-up ${second} ${n}`)));
  }
  assert.is(service.asked, 3 + 12);
});

test('in the middle of such a flood a new key is found within five seconds', async () => {
  const { service, has } = setUp('a');
  await has('a');
  for (let n = 0; n < 100; n++) await has(`made-up ${n}`);
  service.published = ['a', 'b'];
  let ms = 0;
  for (; !(await has('b')); ms += 100) {
    service.time += 100;
    await has(`made-up ${ms}`);
    assert.ok(ms <= 5_000);
  }
});

test('known keys wait for nobody while unknown ones are asked for', async () => {
  const { service, has } = setUp('a');
  await has('a');
  const { closed, open } = gate();
  service.gate = closed;
  const unknown = has('b');
  assert.ok(await has('a'));
  open();
  assert.not.ok(await unknown);
});

test('an answer that was under way before a token came does not have the last word on its key', async () => {
  const { service, has } = setUp('a');
  const { closed, open } = gate();
  service.gate = closed;
  const first = has('a');
  service.published = ['a', 'b'];
  const second = has('b');
  open();
  assert.ok((await first) && (await second));
  assert.is(service.asked, 2);
});

test('while the set cannot be had the last one serves for an hour, without waiting, asked for every two seconds', async () => {
  const { service, has, set } = setUp('a');
  await has('a');
  service.down = true;
  service.time += 5 * MINUTE;
  assert.ok(await has('a'));
  assert.is(service.asked, 2);
  for (let n = 0; n < 100; n++) assert.ok(await has('a'));
  assert.is(service.asked, 2);
  for (let second = 0; second < 60; second++) {
    service.time += 1_000;
    assert.ok(await has('a'));
    await new Promise(setImmediate);
  }
  assert.is(service.asked, 2 + 30);
  const { closed, open } = gate();
  service.gate = closed;
  service.time += 2_000;
  assert.ok(await has('a'), 'nobody waits for what will fail');
  open();
  service.gate = null;
  service.time = 1_000_000 + 60 * MINUTE;
  assert.is(await codeOf(set.find('a')), 'keys_unavailable');
  service.down = false;
  service.time += 2_000;
  assert.ok(await has('a'));
});

test('an unknown key while the set cannot be had is not called a forgery', async () => {
  const { service, set, has } = setUp('a');
  await has('a');
  service.down = true;
  assert.is(await codeOf(set.find('b')), 'keys_unavailable');
  assert.ok(await has('a'));
  for (let n = 0; n < 20; n++) assert.is(await codeOf(set.find('b')), 'keys_unavailable', `${n}`);
  assert.is(service.asked, 3, 'and costs no more fetches than one that is made up');
  service.down = false;
  service.time += 5_000;
  assert.not.ok(await has('b'));
});

test('without any set nothing is known, and the service is not hammered', async () => {
  const { service, set, has } = setUp('a');
  service.down = true;
  for (let n = 0; n < 100; n++) assert.is(await codeOf(set.find('a')), 'keys_unavailable');
  assert.is(service.asked, 1);
  const error = await set.find('a').catch(thrown => thrown);
  assert.is(error.cause?.message, 'down');
  service.down = false;
  service.time += 2_000;
  assert.ok(await has('a'));
  assert.is(service.asked, 2);
});

test('a clock that is put back makes the set too old, not young for longer', async () => {
  const { service, has } = setUp('a');
  await has('a');
  service.published = ['b'];
  service.time -= 60 * MINUTE;
  assert.not.ok(await has('a'));
  assert.ok(await has('b'));
  assert.is(service.asked, 2);
});

const jwk = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
});
const good = { ...jwk(), kid: 'good' };

function answered(json: unknown, headers: Record<string, string> = {}) {
  const sent: RequestInit[] = [];
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    sent.push(init);
    return Response.json(json, { headers });
  };
  const settings = settingsOf({ issuer: 'https://face.example', appId: 'app_1', mode: 'live', fetch });
  return { sent, result: fetchKeySet(settings) };
}

for (const [headers, seconds] of [
  [{}, 300],
  [{ 'cache-control': 'public, max-age=300' }, 300],
  [{ 'cache-control': 'max-age=60' }, 60],
  [{ 'cache-control': 'public,max-age=60,immutable' }, 60],
  [{ 'cache-control': 'public, max-age=300', age: '200' }, 100],
  [{ 'cache-control': 'max-age=31536000' }, 300],
  [{ 'cache-control': 'max-age=0' }, 10],
  [{ 'cache-control': 'max-age=60', age: '3600' }, 10],
  [{ 'cache-control': 's-max-age=7' }, 300],
  [{ 'cache-control': 'max-age=soon', age: 'old' }, 300],
] as const) {
  test(`kept for ${seconds} s: ${JSON.stringify(headers)}`, async () => {
    const { freshMs } = await answered({ keys: [good] }, headers).result;
    assert.is(freshMs, seconds * 1_000);
  });
}

test('caches on the way are told to ask, and no key of ours goes along', async () => {
  const { sent, result } = answered({ keys: [good] });
  await result;
  const headers = new Headers(sent[0]?.headers);
  assert.equal([headers.get('cache-control'), headers.get('authorization')], ['no-cache', null]);
});

test('a set without a usable key, or with very many, is none', async () => {
  for (const json of [
    null,
    [],
    {},
    { keys: [] },
    { keys: 'x' },
    { keys: [null] },
    { keys: Array(17).fill(good) },
  ]) {
    const error = await answered(json).result.catch(thrown => thrown);
    assert.is(error.code, 'unexpected_answer', JSON.stringify(json)?.slice(0, 80));
  }
});

test.run();
