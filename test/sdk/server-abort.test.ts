/** The caller's AbortSignal in the server SDK: what it ends, how that is told, and what goes on for others. */
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import {
  createVerifier,
  ServiceError,
  VerificationError,
  type Verifier,
} from '../../src/sdk/server/index.ts';
import { request } from '../../src/sdk/server/request.ts';
import { enrolled, type Json } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { listening } from '../support/listening.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { countedFetch, KEYS, ONLINE, verifierOf } from './server-support.ts';

const test = suite('server SDK: abort');
/** A service that never answers, and the requests that wait for it. */
const open: ServerResponse[] = [];
let closed = 0;
const silent = openedFor(test, () =>
  listening((_, response) => {
    open.push(response);
    response.on('close', () => closed++);
  }),
);
let token = '';

const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  token = (await enrolled(run, app)).token;
});

const online = (more: object = {}) =>
  createVerifier({
    issuer: run.base,
    baseUrl: silent.base,
    appId: app.id,
    mode: 'live',
    secretKey: app.live.sk,
    now: run.clock.now,
    ...more,
  });

async function until(done: () => boolean): Promise<void> {
  for (let n = 0; !done(); n++) {
    assert.ok(n < 200, 'it does not come');
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

const thrown = (work: Promise<unknown>): Promise<Json> =>
  work.then(
    () => assert.unreachable('it was answered'),
    error => error,
  );

test('every call is given up at once: code, cause, and a closed connection', async () => {
  const calls: [string, (of: Verifier, signal: AbortSignal) => Promise<unknown>][] = [
    ['list', (of, signal) => of.users.list({ signal })],
    ['all', (of, signal) => of.users.all({ signal }).next()],
    ['get', (of, signal) => of.users.get('usr_x', { signal })],
    ['delete', (of, signal) => of.users.delete('usr_x', { signal })],
    ['usage', (of, signal) => of.usage({ signal })],
    ['app', (of, signal) => of.app({ signal })],
  ];
  for (const [at, [name, call]] of calls.entries()) {
    const ending = new AbortController();
    const waiting = thrown(call(online(), ending.signal));
    await until(() => open.length === at + 1);
    const reason = new Error('the person has left');
    ending.abort(reason);
    const error = await waiting;
    assert.instance(error, ServiceError, name);
    assert.equal([error.code, error.status], ['aborted', undefined], name);
    assert.is(error.cause, reason, name);
    await until(() => closed === at + 1);
  }
});

test('aborted before it begins: nobody is asked', async () => {
  const { fetch, asked } = countedFetch();
  const signal = AbortSignal.abort('no more');
  const verifier = verifierOf(run, app, 'live', { secretKey: app.live.sk, fetch });
  for (const call of [verifier.verify(token, { signal }), verifier.users.list({ signal })])
    assert.equal([(await thrown(call)).code, (await thrown(call)).cause], ['aborted', 'no more']);
  assert.equal(asked, {});
});

test('a verification that is given up is neither a refusal of the token nor an offline one', async () => {
  const counted = countedFetch();
  const options = { fetch: counted.fetch, secretKey: app.live.sk, whenUnavailable: 'offline' } as const;
  const verifier = verifierOf(run, app, 'live', options);
  assert.is((await verifier.verify(token)).checked, 'online');
  const ending = new AbortController();
  counted.instead = async path => {
    if (path === ONLINE) ending.abort();
    return undefined;
  };
  const error = await thrown(verifier.verify(token, { signal: ending.signal }));
  assert.instance(error, VerificationError);
  assert.equal([error.code, error.cause.name], ['aborted', 'AbortError']);
});

test('one that gives up does not end the fetch of the keys for the others', async () => {
  const counted = countedFetch();
  let go = () => {};
  const gate = new Promise<undefined>(done => {
    go = () => done(undefined);
  });
  counted.instead = () => gate;
  const verifier = verifierOf(run, app, 'live', { fetch: counted.fetch });
  const ending = new AbortController();
  const [first, second] = [
    thrown(verifier.verify(token, { signal: ending.signal })),
    verifier.verify(token, { signal: new AbortController().signal }),
  ];
  ending.abort();
  assert.is((await first).code, 'aborted');
  go();
  assert.is((await second).checked, 'offline');
  assert.equal(counted.asked, { [KEYS]: 1 });
});

test('the wait before a repetition ends too, and nothing of the signal is kept', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const busy = async () => {
    setTimeout(() => ending.abort(), 50);
    return new Response(null, { status: 503, headers: { 'retry-after': '3' } });
  };
  const began = performance.now();
  const what = { method: 'GET', url: silent.base, signal } as const;
  const error = await thrown(request({ fetch: busy, timeoutMs: 5_000, retries: 2 }, what));
  assert.is(error.code, 'aborted');
  assert.ok(performance.now() - began < 1_000);
  assert.equal(getEventListeners(signal, 'abort'), []);
});

test.run();
