/** The limit of a user's own routes: 60 requests a minute and user, one budget over all of them. */
import * as assert from 'uvu/assert';
import {
  assertError,
  atOnce,
  call,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  tally,
} from '../support/client.ts';
import { addTemplates, bearer, getMe, logout, ME_ROUTES, rename } from '../support/me.ts';
import { serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const test = suite('me-limits');
const run = serviceFor(test, { env: { LIMIT_ME_PER_MINUTE: builtIn } });

async function somebody(mode: Mode = 'live'): Promise<{ app: TestApp; user: Json; token: string }> {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app, { mode })) };
}
const fill = (token: string, count = 60) => atOnce(count, () => getMe(run, token));

test('one budget over all the routes, and each of them is refused when it is full', async () => {
  const { app, token } = await somebody();
  const second = (await match(run, app)).json.token;
  const harmless = ME_ROUTES.filter(
    ([method, path]) => method !== 'DELETE' && !path.endsWith('logout') && !path.endsWith('face/confirm'),
  );
  assert.is((await logout(run, second)).status, 204);
  for (let n = 1; n < 60; n++) {
    const [method, path] = harmless[n % harmless.length] ?? ['GET', '/v1/me'];
    const answer = await call(run, method, path, {
      headers: bearer(token),
      ...(method !== 'GET' && { json: {} }),
    });
    assert.is(answer.status, method === 'GET' ? 200 : 400, `request ${n + 1}: ${answer.text}`);
  }
  for (const [method, path, json] of ME_ROUTES)
    assertError(
      await call(run, method, path, { headers: bearer(token), ...(json && { json }) }),
      'rate_limited',
      `${method} ${path}`,
    );
  run.clock.advance(60_000);
  assert.is((await getMe(run, token)).status, 200, 'neither signed out nor deleted');
  assert.is((await match(run, app)).status, 200);
});

test('a request counts whatever its answer, and a full budget is reported before the body', async () => {
  const { token } = await somebody();
  for (let n = 0; n < 60; n++) assertError(await rename(run, token, 1), 'invalid_request');
  for (const sent of [{ raw: '{' }, { raw: 'x', type: 'text/plain' }, { raw: ' '.repeat(70_000) }])
    assertError(await call(run, 'PATCH', '/v1/me', { headers: bearer(token), ...sent }), 'rate_limited');
});

test('all sessions of a user share the budget', async () => {
  const { app, token } = await somebody();
  const second = (await match(run, app)).json.token;
  await fill(token, 30);
  assert.equal(tally(await fill(second, 40)), { 200: 30, '429 rate_limited': 10 });
  assertError(await getMe(run, token), 'rate_limited');
});

test('each user has a budget of their own, wherever they call from', async () => {
  const { app, token } = await somebody();
  const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  await fill(token);
  assertError(
    await call(run, 'GET', '/v1/me', { headers: bearer(token), ip: '203.0.113.9' }),
    'rate_limited',
  );
  assert.is((await getMe(run, other.token)).status, 200);
});

test('a request that fails on its credential does not count', async () => {
  const { app, token } = await somebody();
  const spent = (await match(run, app)).json.token;
  assert.is((await logout(run, spent)).status, 204);
  for (let n = 0; n < 30; n++) {
    assertError(await getMe(run, spent), 'token_revoked');
    assertError(await getMe(run, `${token}x`), 'unauthorized');
  }
  assert.equal(tally(await fill(token)), { 200: 59, '429 rate_limited': 1 });
});

test('a revoked token is reported before the full budget', async () => {
  const { app, token } = await somebody();
  const spent = (await match(run, app)).json.token;
  await logout(run, spent);
  await fill(token);
  assertError(await getMe(run, spent), 'token_revoked');
});

test('the number is a setting, and the limits of address and app are not in play', async () => {
  await using own = await startService({
    env: { LIMIT_ME_PER_MINUTE: '7', LIMIT_IP_PER_MINUTE: '4', LIMIT_APP_PER_MINUTE: '1' },
  });
  const app = await own.createApp();
  const { token } = await enrolled(own, app);
  const answer = await addTemplates(own, app, token, [faces.genuine(0, 1)]);
  assert.is(answer.status, 201, answer.text);
  const answers = await atOnce(20, () => getMe(own, token));
  assert.equal(tally(answers), { 200: 6, '429 rate_limited': 14 });
});

test.run();
