/** What a request may carry without any effect. */
import * as assert from 'uvu/assert';
import { assertError, browser, call, challenge, enrolled, faces, match, server } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: requests');
const run = serviceFor(test);

test('no field of a request moves the threshold', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const wishes = {
    threshold: 2,
    match_threshold: 2,
    MATCH_THRESHOLD: '2',
    margin: 0,
    settings: { matchThreshold: 2 },
  };
  const outside = { descriptors: [faces.atDistance(0, 0.4)], fields: wishes };
  assertError(await match(run, app, outside), 'no_match', 'in the body');
  const { challenge_id } = await challenge(run, app);
  const sent = {
    headers: { ...browser(app), 'x-match-threshold': '2', 'match-threshold': '2' },
    json: { challenge_id, descriptors: outside.descriptors },
  };
  const answer = await call(run, 'POST', '/v1/match?threshold=2&match_threshold=2&margin=0', sent);
  assertError(answer, 'no_match', 'in query and headers');
  const strict = { descriptors: [faces.atDistance(0, 0.3)], fields: { threshold: 0.1, margin: 1 } };
  assert.is((await match(run, app, strict)).status, 200, 'nor the other way');
});

const routes: [string, string, (app: TestApp, id: string) => string, number][] = [
  ['GET', '/v1/users', () => '/v1/users', 200],
  ['GET', '/v1/users/{id}', (_, id) => `/v1/users/${id}`, 200],
  ['DELETE', '/v1/users/{id}', (_, id) => `/v1/users/${id}`, 204],
  ['GET', '/v1/usage', () => '/v1/usage', 200],
];
for (const [method, route, path, status] of routes) {
  test(`a body that nobody asked for is passed over: ${method} ${route}`, async () => {
    const app = await run.createApp();
    const { user } = await enrolled(run, app);
    const send = (raw: string, type: string | null = null) =>
      call(run, method, path(app, user.id), { headers: server(app), raw, type });
    assertError(await send('x'.repeat(65_537)), 'payload_too_large');
    const answer = await send('{"limit":0,"id":"usr_x"', 'text/plain');
    assert.is(answer.status, status, answer.text);
    if (method === 'GET') assert.is((await send('x'.repeat(65_536))).status, status);
  });
}

test.run();
