/** Mistakes of a first integration: the message tells what to do instead, and nothing that a stranger should not learn. */
import * as assert from 'uvu/assert';
import { assertError, assertLacks, browser, call, challenge, faces, match } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('messages');
const run = serviceFor(test);
const app = appFor(test, run);

const MODES = ['live', 'test'] as const;

test('a publishable key as Bearer: told as such, whether or not there is one', async () => {
  const messages = new Set<string>();
  for (const key of [app.live.pk, app.test.pk, `svc_pk_live_${'A'.repeat(24)}`]) {
    const headers = { authorization: `Bearer ${key}` };
    for (const [method, path, json] of [
      ['GET', '/v1/app', undefined],
      ['POST', '/v1/tokens/verify', { token: 'x' }],
    ] as const) {
      const answer = await call(run, method, path, { headers, ...(json && { json }) });
      assertError(answer, 'unauthorized');
      assertLacks(answer, [key, key.slice(-8)]);
      messages.add(answer.json.error.message);
    }
  }
  assert.equal(
    [...messages],
    [
      'This is a publishable key, which is for pages. Send a secret key as "Authorization: Bearer <SECRET_KEY>".',
    ],
  );
});

const LEAKED = /^A secret key must never be in a page, where anybody can read it: revoke this one/;

test('a secret key from a page: told to revoke it, whatever the answer and whether or not there is one', async () => {
  const unknown = `svc_sk_live_${'A'.repeat(32)}`;
  for (const key of [app.live.sk, app.test.sk, unknown])
    for (const origin of [app.origin, 'https://other.example', 'http://localhost:3000', 'null']) {
      const byBearer = { authorization: `Bearer ${key}`, origin };
      const known = key !== unknown;
      const listed = origin === app.origin;
      const rows = [
        ['POST', '/v1/challenges', { 'x-svc-key': key, origin }, 'unauthorized'],
        ['POST', '/v1/enroll', { 'x-svc-key': key, origin }, 'unauthorized'],
        ['POST', '/v1/challenges', byBearer, 'unauthorized'],
        ['POST', '/v1/match', { ...byBearer, 'x-svc-key': app.live.pk.replace(/.$/, '!') }, 'unauthorized'],
        ['GET', '/v1/me', byBearer, 'unauthorized'],
        ['POST', '/v1/me/logout', byBearer, 'unauthorized'],
        ['GET', '/v1/app', byBearer, known ? 'origin_not_allowed' : 'unauthorized'],
        ['DELETE', '/v1/users/usr_x', byBearer, known ? 'origin_not_allowed' : 'unauthorized'],
      ] as const;
      for (const [method, path, headers, code] of rows) {
        if (code === 'origin_not_allowed' && listed) continue;
        const answer = await call(run, method, path, { headers });
        assertError(answer, code, `${method} ${path} ${origin}`);
        assert.match(answer.json.error.message, LEAKED, `${method} ${path} ${origin}`);
        assertLacks(answer, [key, key.slice(-8)]);
        if (code === 'origin_not_allowed')
          assert.ok(answer.json.error.message.includes(JSON.stringify(origin)));
      }
    }
});

test('a secret key from a server, and a publishable one from a page, are not told so', async () => {
  for (const headers of [
    { 'x-svc-key': app.live.sk },
    browser(app, 'live', 'https://other.example'),
    { authorization: `Bearer ${app.live.pk}`, origin: app.origin },
    { authorization: 'Bearer svc_sk_live_x', origin: app.origin },
  ])
    assert.not.match((await call(run, 'POST', '/v1/challenges', { headers })).json.error.message, LEAKED);
});

test('a request without an Origin: where to send one, and what a test key takes', async () => {
  for (const mode of MODES) {
    const headers = { 'x-svc-key': app[mode].pk };
    const answer = await call(run, 'POST', '/v1/challenges', { headers });
    assertError(answer, 'origin_not_allowed');
    const { message } = answer.json.error;
    assert.match(message, /Outside a browser, send it yourself/);
    assert.is(
      message.includes('a test key accepts "Origin: http://localhost:3000"'),
      mode === 'test',
      message,
    );
    assertLacks(answer, [app.origin]);
  }
  const fromLocalhost = browser(app, 'test', 'http://localhost:3000');
  assert.is((await call(run, 'POST', '/v1/challenges', { headers: fromLocalhost })).status, 200);
});

test('a page of this machine that has to be listed: the message and the description say which', async () => {
  const rule =
    /http:\/\/localhost:PORT.* and .*http:\/\/127\.0\.0\.1:PORT.*port written out; https and port 80/;
  for (const origin of ['http://localhost', 'https://localhost:3000']) {
    const headers = browser(app, 'test', origin);
    const answer = await call(run, 'POST', '/v1/challenges', { headers });
    assertError(answer, 'origin_not_allowed');
    assert.match(answer.json.error.message, rule);
  }
  const { json } = await call(run, 'GET', '/openapi.json');
  assert.match(json.components.securitySchemes.publishableKey.description, rule);
});

test('a challenge that is not good says for how long and how often one is', async () => {
  const { challenge_id: challengeId } = await challenge(run, app);
  await match(run, app, { challengeId });
  const answer = await match(run, app, { challengeId });
  assertError(answer, 'challenge_invalid');
  assert.match(answer.json.error.message, /60 seconds and one call/);
});

test('one descriptor where a list of them belongs is reported as such', async () => {
  const face = faces.genuine(0);
  for (const flat of [face, face.slice(0, 2), [0.123456]]) {
    const answer = await match(run, app, { challengeId: 'ch_x', descriptors: flat as unknown as number[][] });
    assertError(answer, 'invalid_request');
    assert.match(answer.json.error.message, /descriptors: must be a list of lists of 128 numbers/);
    assertLacks(answer, [String(flat[0])]);
  }
});

test.run();
