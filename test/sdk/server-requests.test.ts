/** One request of the server SDK: what is asked again, for how long, what is not followed, and what is no answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../src/sdk/server/index.ts';
import { type Request, type RequestSettings, request } from '../../src/sdk/server/request.ts';
import type { Json } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { listening } from '../support/listening.ts';
import { suite } from '../support/suite.ts';

const test = suite('server SDK: requests');
type Step = (response: ServerResponse, request: IncomingMessage) => void;
let steps: Step[] = [];
let seen: { at: number; headers: IncomingMessage['headers']; url: string; body: string }[] = [];
const server = openedFor(test, () =>
  listening((incoming, response) => {
    let body = '';
    incoming.on('data', part => {
      body += part;
    });
    incoming.on('end', () => {
      const { headers, url = '' } = incoming;
      seen.push({ at: performance.now(), headers, url, body });
      (steps.shift() ?? fine)(response, incoming);
    });
  }),
);

const answer =
  (status: number, json: Json, headers: Record<string, string> = {}): Step =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
const fine = answer(200, { fine: true });
const refusal = (status: number, code: string, headers = {}) =>
  answer(status, { error: { code, message: `${code}!` } }, { 'x-request-id': 'r1', ...headers });
const cut: Step = response => response.destroy();
const silent: Step = () => undefined;

async function ask(given: Step[], settings: Partial<RequestSettings> = {}, what: Partial<Request> = {}) {
  steps = given;
  seen = [];
  const usual = { fetch, timeoutMs: 2_000, retries: 2, ...settings };
  return request(usual, { method: 'GET', url: `${server.base}/x`, ...what });
}

async function refused(...of: Parameters<typeof ask>): Promise<ServiceError> {
  const error = await ask(...of).then(
    () => assert.unreachable('it was answered'),
    thrown => thrown,
  );
  assert.instance(error, ServiceError, String(error));
  return error;
}

test('what got no answer, a 5xx or a 429 is asked again, with the same words', async () => {
  for (const step of [
    cut,
    refusal(500, 'internal_error'),
    refusal(503, 'service_unavailable', { 'retry-after': '0' }),
    refusal(429, 'rate_limited', { 'retry-after': '0' }),
    answer(502, 'Bad gateway'),
  ]) {
    const { json } = await ask([step, step], {}, { method: 'POST', json: { token: 't' } });
    assert.equal(json, { fine: true });
    assert.is(seen.length, 3);
    assert.equal(new Set(seen.map(({ body }) => body)), new Set(['{"token":"t"}']));
    assert.is(seen[0]?.headers['content-type'], 'application/json');
  }
});

test('what will not change is not asked again', async () => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'origin_not_allowed'],
    [404, 'not_found'],
  ] as const) {
    const error = await refused([refusal(status, code)]);
    assert.equal(
      [error.code, error.message, error.status, error.requestId],
      [code, `${code}!`, status, 'r1'],
    );
    assert.is(seen.length, 1);
  }
});

test('no more often than told', async () => {
  const error = await refused([cut, cut, cut, cut], { retries: 1 });
  assert.is(error.code, 'unavailable');
  assert.ok(error.cause instanceof Error);
  assert.is(seen.length, 2);
  await refused([cut], { retries: 0 });
  assert.is(seen.length, 1);
});

test('Retry-After is kept, and not waited for beyond the time there is', async () => {
  await ask([refusal(503, 'service_unavailable', { 'retry-after': '1' })]);
  const waited = (seen[1]?.at ?? 0) - (seen[0]?.at ?? 0);
  assert.ok(waited >= 990, `${waited} ms`);
  const began = performance.now();
  const error = await refused([refusal(429, 'rate_limited', { 'retry-after': '30' })]);
  assert.equal([error.code, error.retryAfter, seen.length], ['rate_limited', 30, 1]);
  assert.ok(performance.now() - began < 1_000);
});

test('a silent service, and one that stops in the middle, end when the time is over', async () => {
  const half: Step = response => void response.writeHead(200).write('{"fi');
  for (const step of [silent, half]) {
    const began = performance.now();
    const error = await refused([step], { timeoutMs: 300 });
    const took = performance.now() - began;
    assert.ok(took >= 290 && took < 1_500, `${took} ms`);
    assert.is(error.code, 'unavailable');
    assert.match(error.message, /within 300 ms/);
    assert.is(seen.length, 1);
  }
});

test('no cache between is asked, as some frameworks put before the global fetch', async () => {
  const seen: (RequestInit | undefined)[] = [];
  const keeping: typeof fetch = (input, init) => {
    seen.push(init);
    return fetch(input, init);
  };
  await ask([], { fetch: keeping });
  assert.equal(
    seen.map(init => init?.cache),
    ['no-store'],
  );
});

test('no redirect is followed: the key stays where it belongs', async () => {
  const to: Step = response => response.writeHead(307, { location: `${server.base}/elsewhere` }).end();
  const error = await refused([to], { retries: 0 }, { headers: { authorization: 'Bearer secret' } });
  assert.is(error.code, 'unavailable');
  assert.equal(
    seen.map(({ url }) => url),
    ['/x'],
  );
});

test('an answer of something else is no answer of the service', async () => {
  const page: Step = response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  assert.is((await refused([page])).code, 'unexpected_answer');
  const missing: Step = response => response.writeHead(404).end('<html>');
  assert.equal([(await refused([missing])).code, seen.length], ['unexpected_answer', 1]);
  for (const json of [null, {}, { error: 'x' }, { error: { code: 1, message: 'x' } }])
    assert.is((await refused([answer(400, json)])).code, 'unexpected_answer');
});

test('an endless answer is cut off', async () => {
  let written = 0;
  const endless: Step = response => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && written < 1e9 && response.write('x'.repeat(65_536))) written += 65_536;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  const error = await refused([endless]);
  assert.is(error.code, 'unexpected_answer');
  assert.ok(written < 2e7, `${written} bytes`);
});

test('an empty 204 is an answer', async () => {
  const gone: Step = response => response.writeHead(204).end();
  assert.equal((await ask([gone], {}, { method: 'DELETE' })).json, undefined);
});

test('a deletion whose answer was lost is done when the next one finds nothing; the first one has to find it', async () => {
  const what = { method: 'DELETE', goneIsDone: true } as const;
  assert.is((await ask([cut, refusal(404, 'not_found')], {}, what)).status, 204);
  assert.is((await refused([refusal(404, 'not_found')], {}, what)).code, 'not_found');
  assert.is((await refused([cut, refusal(404, 'not_found')], {}, { method: 'GET' })).code, 'not_found');
});

test.run();
