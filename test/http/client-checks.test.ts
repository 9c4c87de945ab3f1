/** The checks that `call` makes of every answer: each fails on an answer with exactly that fault. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { call } from '../support/client.ts';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}
const test = suite('client-checks');
const origin = 'https://app.example';
let pretender: Server;
let reply: Reply;
let run: Running;
test.before(async () => {
  pretender = createServer((request, answer) => {
    request.resume();
    answer.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>(ready => pretender.listen(0, '127.0.0.1', ready));
  run = { base: `http://127.0.0.1:${(pretender.address() as AddressInfo).port}` } as Running;
});
test.after(() => {
  pretender.closeAllConnections();
  pretender.close();
});

const time = '2026-03-15T12:00:00.000Z';
const user = { id: `usr_${'a'.repeat(24)}`, email: 'a@b.example', name: '', created_at: time };
const success = { user, token: 'a.b.c', expires_at: time, confidence: 1 };

const good = (status = 200, body: object = success): Reply => ({
  status,
  headers: {
    'x-request-id': 'req_1',
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'X-Request-Id, Retry-After',
    vary: 'Accept, Origin',
  },
  body: JSON.stringify(body),
});
const failure = (status: number, code: string, more: object = {}): Reply =>
  good(status, { error: { code, message: 'So it is.', ...more } });
const limited = (wait: string): Reply => {
  const made = failure(429, 'rate_limited');
  return { ...made, headers: { ...made.headers, 'retry-after': wait } };
};
const header = (name: string, value?: string): Reply => {
  const { [name]: _, ...rest } = good().headers;
  return { ...good(), headers: value === undefined ? rest : { ...rest, [name]: value } };
};
const outcome = async (given: Reply): Promise<string> => {
  reply = given;
  return call(run, 'POST', '/v1/match', { headers: { origin }, json: {} }).then(
    () => 'accepted',
    thrown => (thrown instanceof assert.Assertion ? 'refused' : String(thrown)),
  );
};

const proper: [string, Reply][] = [
  ['a success', good()],
  ['a failure', failure(400, 'invalid_request')],
  ['a limit', limited('7')],
  [
    'a plan limit',
    failure(429, 'plan_limit_reached', { limit: 1, used: 1, resets_at: '2026-04-01T00:00:00.000Z' }),
  ],
  ['a confidence', good(200, { ...success, confidence: 0.75 })],
];
for (const [name, given] of proper) {
  test(`accepted: ${name}`, async () => assert.is(await outcome(given), 'accepted'));
}

const faulty: [string, Reply][] = [
  ['no request id', header('x-request-id')],
  ['an empty request id', header('x-request-id', '')],
  ['x-powered-by', header('x-powered-by', 'x')],
  ['another type', header('content-type', 'text/html')],
  ['no type', header('content-type')],
  ['a body that is not JSON', { ...good(), body: '{' }],
  ['no allowed origin', header('access-control-allow-origin')],
  ['any origin', header('access-control-allow-origin', '*')],
  ['another origin', header('access-control-allow-origin', `${origin}/`)],
  ['no Vary', header('vary')],
  ['another Vary', header('vary', 'X-Origin')],
  ['nothing exposed', header('access-control-expose-headers')],
  ['one exposed', header('access-control-expose-headers', 'Retry-After')],
  ['a failure without a body', { ...failure(400, 'invalid_request'), body: '' }],
  ['a failure that is a success', good(400)],
  ['a code of another status', failure(400, 'unauthorized')],
  ['a code that is none', failure(400, 'Invalid Request')],
  ['a code that no document has', failure(400, 'bad_request')],
  ['no message', failure(400, 'invalid_request', { message: undefined })],
  ['an empty message', failure(400, 'invalid_request', { message: '' })],
  ['an extra field of the error', failure(400, 'invalid_request', { details: [] })],
  [
    'an extra field beside the error',
    good(400, { error: { code: 'invalid_request', message: 'x' }, stack: 'x' }),
  ],
  ['a limit without its end', failure(429, 'rate_limited')],
  ['a limit that ends now', limited('0')],
  ['a limit that ends in half a second', limited('0.5')],
  ['a limit that ends at a date', limited('Sat, 21 Nov 2026 00:00:00 GMT')],
  ['a plan limit without its numbers', failure(429, 'plan_limit_reached')],
  ['a distance', good(200, { ...success, user: { ...user, distance: 1 } })],
  ['descriptors', good(200, { ...success, user: { ...user, descriptors: [[]] } })],
  ['a hash', good(200, { ...success, email_hash: 'x' })],
  ['a fraction', good(200, { ...success, score: 0.25 })],
  ['a status that the route does not have', failure(404, 'not_found')],
  ['a success of another route', good(201)],
  ['a code that the route does not have', failure(400, 'consent_required')],
  ['a field too many', good(200, { ...success, users: 1 })],
  ['a field too few', good(200, { ...success, token: undefined })],
  ['a field of another type', good(200, { ...success, confidence: '1' })],
  ['a time without milliseconds', good(200, { ...success, expires_at: '2026-03-15T12:00:00Z' })],
  ['a time that never was', good(200, { ...success, expires_at: '2026-02-30T12:00:00.000Z' })],
];
for (const [name, given] of faulty) {
  test(`refused: ${name}`, async () => assert.is(await outcome(given), 'refused'));
}

test.run();
