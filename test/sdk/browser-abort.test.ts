/** An AbortSignal stops a verb at every step: at once, with one code, and with nothing sent afterwards. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Captured, Client } from '../../src/sdk/browser/index.ts';
import { syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { suite } from '../support/suite.ts';
import {
  CHALLENGE,
  challengeAnswer,
  face,
  failure,
  json,
  MATCH,
  misbehavingFor,
  refused,
  signedIn,
  silent,
} from './browser-support.ts';

const test = suite('browser SDK: abort');
const { service, clientOf: newClient } = misbehavingFor(test);

const { descriptors } = face;
const reason = new Error('the person left');

/** Aborts as soon as so many requests have come in, and some time has passed. */
async function abortAfter(requests: number, verb: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const verbing = refused(verb(stop.signal), 'aborted');
  while (service.seen.length < requests) await delay(2);
  await delay(10);
  const began = performance.now();
  stop.abort(reason);
  assert.is((await verbing).cause, reason);
  assert.ok(performance.now() - began < 5_000, 'at once, and not when the answer is late');
  const { length } = service.seen;
  await delay(30);
  assert.is(service.seen.length, length, 'nothing follows');
}

test('before anything: no camera, no request', async () => {
  service.behave({});
  const encoder = syntheticEncoder();
  const capture = async () => Promise.reject<Captured>(new Error('captured'));
  const client = newClient({ encoder, capture });
  const signal = AbortSignal.abort(reason);
  const consent = { policyVersion: '1', accepted: true };
  const verbs = [
    client.signIn({ signal }),
    client.signIn({ signal, descriptors }),
    client.enroll({ signal, email: 'a@example.com', consent }),
    client.requestEmailCode('a@example.com', { signal }),
    client.signInWithEmailCode('a@example.com', '123456', { signal }),
  ];
  for (const verb of verbs) assert.is((await refused(verb, 'aborted')).cause, reason);
  assert.equal(service.seen, []);
});

test('while the face is captured, by a capture that listens and by one that does not', async () => {
  const listening = ({ signal }: { signal?: AbortSignal }) =>
    new Promise<Captured>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const deaf = () => new Promise<Captured>(() => undefined);
  const late = ({ signal }: { signal?: AbortSignal }) =>
    new Promise<Captured>(found => {
      const captured = { descriptors, liveness: { score: 1, checks: [] } };
      signal?.addEventListener('abort', () => setTimeout(found, 15, captured));
    });
  for (const capture of [listening, deaf, late]) {
    service.behave({ [CHALLENGE]: [challengeAnswer] });
    const client = newClient({ encoder: syntheticEncoder(), capture });
    await abortAfter(1, signal => client.signIn({ signal }));
    assert.equal(service.seen, [CHALLENGE]);
  }
});

test('while the challenge is fetched, while it is waited to try again, and while the match is under way', async () => {
  service.behave({ [CHALLENGE]: [silent] });
  await abortAfter(1, signal => newClient().signIn({ signal, descriptors }));
  service.behave({ [CHALLENGE]: [failure(503, 'service_unavailable', { 'Retry-After': '2' })] });
  await abortAfter(1, signal => newClient().signIn({ signal, descriptors }));
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [silent] });
  const client = newClient();
  await abortAfter(2, signal => client.signIn({ signal, descriptors }));
  assert.is(client.session, null);
});

test('while the body of an answer comes', async () => {
  service.behave({
    [CHALLENGE]: [
      (_, answer) => void answer.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
    ],
  });
  await abortAfter(1, signal => newClient().signIn({ signal, descriptors }));
});

test('every verb of somebody who is signed in, who stays so', async () => {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
  const client = newClient();
  const { token } = await client.signIn({ descriptors });
  const verbs: [string, (client: Client, signal: AbortSignal) => Promise<unknown>][] = [
    ['GET /v1/me', (c, signal) => c.profile({ signal })],
    ['PATCH /v1/me', (c, signal) => c.rename({ name: 'x', signal })],
    ['POST /v1/me/email', (c, signal) => c.requestEmailChange({ newEmail: 'b@example.com', signal })],
    ['POST /v1/me/email/confirm', (c, signal) => c.confirmEmailChange({ code: '123456', signal })],
    ['POST /v1/me/face/confirm', (c, signal) => c.confirmFace({ signal })],
    ['POST /v1/me/logout', (c, signal) => c.signOut({ signal })],
    ['DELETE /v1/me', (c, signal) => c.deleteAccount({ signal })],
  ];
  for (const [route, verb] of verbs) {
    service.behave({ [route]: [silent] });
    await abortAfter(1, signal => verb(client, signal));
    assert.equal(service.seen, [route]);
    assert.is(client.token, token, route);
  }
});

test('a signal that is kept for long gathers no listeners', async () => {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
  const stop = new AbortController();
  let listeners = 0;
  const { addEventListener: add, removeEventListener: remove } = stop.signal;
  stop.signal.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof add>) {
    listeners++;
    return add.apply(this, args);
  } as typeof add;
  stop.signal.removeEventListener = function (this: AbortSignal, ...args: Parameters<typeof remove>) {
    listeners--;
    return remove.apply(this, args);
  } as typeof remove;
  const encoder = syntheticEncoder();
  const capture = async () => ({ descriptors, liveness: { score: 1, checks: [] } });
  await newClient({ encoder, capture }).signIn({ signal: stop.signal });
  assert.is(listeners, 0);
});

test.run();
