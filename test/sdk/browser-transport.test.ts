/** What can go wrong on the way: what is repeated and what never is, what becomes of answers that nobody expects. */
import * as assert from 'uvu/assert';
import type { Client, FaceSignInErrorCode } from '../../src/sdk/browser/index.ts';
import { suite } from '../support/suite.ts';
import {
  type Behaviour,
  CHALLENGE,
  challengeAnswer,
  cut,
  face,
  failure,
  half,
  json,
  MATCH,
  misbehavingFor,
  profileAnswer,
  raw,
  refused,
  SOME_KEY,
  session,
  signedIn,
  silent,
  startMisbehaving,
  watched,
} from './browser-support.ts';

const test = suite('browser SDK: transport');
const { service, clientOf, signedInWith } = misbehavingFor(test);
const { random } = Math;
test.before(() => {
  // The shortest pauses that may be drawn.
  Math.random = () => 0;
});
test.after(() => {
  Math.random = random;
});

const done: Behaviour = (_, answer) => void answer.writeHead(204).end();

const repeatable: [
  name: string,
  route: string,
  good: Behaviour,
  verb: (client: Client) => Promise<unknown>,
][] = [
  ['a challenge', CHALLENGE, challengeAnswer, client => client.addTemplates(face)],
  ['the profile', 'GET /v1/me', json(200, profileAnswer), client => client.profile()],
  ['a sign-out', 'POST /v1/me/logout', done, client => client.signOut()],
];
const added = { 'POST /v1/me/templates': [json(201, { ...session(), template_count: 2 })] };
const passing: [name: string, behaviour: Behaviour][] = [
  ['no answer', cut],
  ['half an answer', half],
  ['503', failure(503, 'service_unavailable')],
  ['503 of a proxy', raw(503, '<h1>busy</h1>')],
  ['502 of a proxy', raw(502, '')],
  ['429 with a short wait', failure(429, 'rate_limited', { 'Retry-After': '0' })],
];
for (const [name, route, good, verb] of repeatable) {
  for (const [fault, behaviour] of passing)
    test(`${name} is asked for again after ${fault}`, async () => {
      const client = await signedInWith({ ...added, [route]: [behaviour, good] });
      await verb(client);
      assert.equal(service.seen.slice(0, 2), [route, route]);
    });
  test(`${name} is asked for three times and no more`, async () => {
    const client = await signedInWith({ ...added, [route]: [failure(503, 'service_unavailable')] });
    await refused(verb(client), 'service_unavailable');
    assert.equal(service.seen, [route, route, route]);
  });
  test(`${name} is not asked for again where the wait is long, or waiting is no use`, async () => {
    const faults: [Behaviour, FaceSignInErrorCode, number?][] = [
      [failure(429, 'rate_limited', { 'Retry-After': '3' }), 'rate_limited', 3],
      [failure(429, 'rate_limited'), 'rate_limited'],
      [failure(503, 'service_unavailable', { 'Retry-After': '10' }), 'service_unavailable', 10],
      [failure(500, 'internal_error'), 'internal_error'],
      [failure(400, 'invalid_request'), 'invalid_request'],
    ];
    for (const [behaviour, code, retryAfter] of faults) {
      const client = await signedInWith({ ...added, [route]: [behaviour] });
      assert.is((await refused(verb(client), code)).retryAfter, retryAfter);
      assert.equal(service.seen, [route]);
    }
  });
}

const once: [route: string, verb: (client: Client) => Promise<unknown>][] = [
  [
    'POST /v1/enroll',
    client =>
      client.enroll({ ...face, email: 'a@example.com', consent: { policyVersion: '1', accepted: true } }),
  ],
  [MATCH, client => client.signIn(face)],
  ['POST /v1/email-codes', client => client.requestEmailCode('a@example.com')],
  ['POST /v1/email-codes/verify', client => client.signInWithEmailCode('a@example.com', '123456')],
  ['PATCH /v1/me', client => client.rename({ name: 'x' })],
  ['POST /v1/me/email', client => client.requestEmailChange({ newEmail: 'b@example.com' })],
  ['POST /v1/me/email/confirm', client => client.confirmEmailChange({ code: '123456' })],
  ['POST /v1/me/templates', client => client.addTemplates(face)],
  ['DELETE /v1/me', client => client.deleteAccount()],
];
const faults: [behaviour: Behaviour, code: FaceSignInErrorCode][] = [
  [cut, 'offline'],
  [half, 'offline'],
  [failure(503, 'service_unavailable', { 'Retry-After': '0' }), 'service_unavailable'],
  [failure(429, 'rate_limited', { 'Retry-After': '0' }), 'rate_limited'],
  [raw(502, ''), 'service_unavailable'],
  [json(200, {}), 'unexpected_answer'],
];
for (const [route, verb] of once)
  test(`${route} is never sent again by itself: it may have been done`, async () => {
    for (const [behaviour, code] of faults) {
      if (route === 'DELETE /v1/me' && code === 'unexpected_answer') continue;
      const client = await signedInWith({ [route]: [behaviour] });
      const { token } = client;
      await refused(verb(client), code, route);
      assert.equal(
        service.seen.filter(seen => seen === route),
        [route],
      );
      assert.is(client.token, token, 'and who was signed in still is');
    }
  });

test('pauses are drawn, so that all who were turned away do not come back together', async () => {
  const { setTimeout } = globalThis;
  const pauses: number[] = [];
  globalThis.setTimeout = ((work: () => void, ms: number, ...more: unknown[]) => {
    const ofFetch = more.length > 0 || ms >= 3_000 || ms < 100;
    if (!ofFetch) pauses.push(ms);
    return setTimeout(work, ofFetch ? ms : 0, ...more);
  }) as typeof setTimeout;
  try {
    for (const drawn of [0, 0.5, 0.999]) {
      Math.random = () => drawn;
      for (const headers of [{}, { 'Retry-After': '2' }] as Record<string, string>[]) {
        const busy = failure(503, 'service_unavailable', headers);
        service.behave({ [CHALLENGE]: [busy, busy, challengeAnswer], [MATCH]: [json(200, signedIn(0))] });
        await clientOf().signIn(face);
      }
    }
  } finally {
    globalThis.setTimeout = setTimeout;
    Math.random = () => 0;
  }
  const wanted = [200, 400, 2_000, 2_000, 400, 800, 2_200, 2_200, 600, 1_199, 2_400, 2_400];
  assert.equal(pauses.filter(ms => ms > 0).map(Math.round), wanted);
});

test('a refused challenge is replaced once: by then nothing was done', async () => {
  for (const [route, verb] of once.filter(([name]) => /enroll|match|templates/.test(name))) {
    const answer = json(200, { ...signedIn(), template_count: 2 });
    const refusal = failure(400, 'challenge_invalid');
    const again = await signedInWith({ [route]: [refusal, answer] });
    await verb(again);
    assert.equal(service.seen, [CHALLENGE, route, CHALLENGE, route]);
    const never = await signedInWith({ [route]: [refusal] });
    await refused(verb(never), 'challenge_invalid');
    assert.equal(service.seen, [CHALLENGE, route, CHALLENGE, route]);
  }
});

test('a challenge that is refused after a lost answer is not replaced', async () => {
  const client = await signedInWith({ [MATCH]: [cut, json(200, signedIn())] });
  await refused(client.signIn(face), 'offline');
  assert.equal(service.seen, [CHALLENGE, MATCH]);
});

test('who does not answer is given up on, and not asked again', async () => {
  const client = await signedInWith({ 'GET /v1/me': [silent], [MATCH]: [silent] }, { timeout: 700 });
  for (const verb of [client.profile(), client.signIn(face)])
    assert.match((await refused(verb, 'timeout')).detail ?? '', /no response in 700 ms/);
  assert.equal(service.seen.filter(route => route !== CHALLENGE).sort(), ['GET /v1/me', MATCH]);
  const stalled: Behaviour = (_, answer) => void answer.writeHead(200).write('{');
  const slow = await signedInWith({ 'GET /v1/me': [stalled] }, { timeout: 700 });
  await refused(slow.profile(), 'timeout', 'the body counts too');
});

test('a device without a network is told so at once', async () => {
  const client = await signedInWith({ 'GET /v1/me': [cut] });
  const before = Object.getOwnPropertyDescriptor(navigator, 'onLine');
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  try {
    const error = await refused(client.profile(), 'offline');
    assert.match(error.detail ?? '', /^GET http:\/\/127\.0\.0\.1:\d+\/v1\/me: the device has no network/);
    assert.equal(service.seen, ['GET /v1/me']);
  } finally {
    if (before) Object.defineProperty(navigator, 'onLine', before);
    else Reflect.deleteProperty(navigator, 'onLine');
  }
});

test('a service that is not there tells where it was sought, and keeps the cause', async () => {
  const gone = await startMisbehaving();
  await gone.close();
  const client = watched({ publishableKey: SOME_KEY, baseUrl: gone.base }).client;
  const error = await refused(client.requestEmailCode('a@example.com'), 'offline');
  assert.instance(error.cause, TypeError);
  assert.match(error.detail ?? '', /could not be reached\. Check that the service runs at baseUrl/);
});

test('a redirect is not followed: key, token and face go to the service alone', async () => {
  await using target = await startMisbehaving();
  target.behave({ [MATCH]: [json(200, signedIn())] });
  for (const status of [301, 302, 307, 308]) {
    service.behave({
      [CHALLENGE]: [challengeAnswer],
      [MATCH]: [raw(status, '', { Location: `${target.base}/v1/match` })],
    });
    await refused(clientOf().signIn(face), 'offline');
  }
  assert.equal(target.seen, []);
});

test.run();
