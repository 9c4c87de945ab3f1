/** Users and usage want what every server route wants: a secret key, no foreign Origin, and room in the key's minute. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  enrolled,
  type Headers,
  server,
  tally,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: server routes');
const run = serviceFor(test, { env: { LIMIT_SECRET_KEY_PER_MINUTE: '30' } });

const routes: [string, string, number][] = [
  ['GET', '/v1/users', 200],
  ['GET', '/v1/users/{id}', 200],
  ['DELETE', '/v1/users/{id}', 204],
  ['GET', '/v1/usage', 200],
];

for (const [method, route, good] of routes) {
  test(`${method} ${route} wants a secret key, from a listed Origin or none`, async () => {
    const app: TestApp = await run.createApp();
    const { user, token } = await enrolled(run, app);
    const send = (headers: Headers): Promise<Answer> =>
      call(run, method, route.replace('{id}', user.id), { headers });
    const none: Headers[] = [
      {},
      browser(app),
      { authorization: `Bearer ${app.live.pk}` },
      { authorization: `Bearer ${token}` },
      { authorization: app.live.sk },
      { authorization: `Bearer ${app.live.sk}A` },
      { 'x-svc-key': app.live.sk, origin: app.origin },
      { cookie: `svc_session=${token}` },
    ];
    for (const headers of none)
      assertError(await send(headers), 401, 'unauthorized', Object.keys(headers).join());
    for (const origin of ['https://other.example', 'null', 'http://localhost:5173'])
      assertError(await send({ ...server(app), origin }), 403, 'origin_not_allowed', origin);
    const answer = await send({ ...server(app), origin: app.origin });
    assert.is(answer.status, good, answer.text);
    if (method === 'GET') assert.is((await send(server(app))).status, good, 'without an Origin');
  });
}

test('every server route takes from the one budget of its key', async () => {
  for (const [method, route] of routes) {
    const app = await run.createApp();
    const send = () => call(run, method, route.replace('{id}', 'usr_x'), { headers: server(app) });
    const other = () => call(run, 'GET', '/v1/app', { headers: server(app) });
    const answers = [];
    for (let n = 0; n < 29; n++) answers.push(await (n % 2 ? other() : send()));
    assert.is(tally(answers)['429 rate_limited'], undefined, `${method} ${route}`);
    assert.is((await other()).status, 200, 'the thirtieth');
    const answer = await send();
    assertError(answer, 429, 'rate_limited', `${method} ${route}`);
    assert.is(answer.headers['retry-after'], '60');
  }
});

test.run();
