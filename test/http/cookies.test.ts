/** First-party apps get their session as a cookie besides the token; nobody else gets a cookie. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  enroll,
  faces,
  match,
  server,
  soon,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cookies');
const run = serviceFor(test);

function cookie(answer: Answer): { value: string; attributes: Record<string, string> } {
  const [line = '', ...more] = answer.headers['set-cookie'] ?? [];
  assert.equal(more, [], 'one cookie');
  const [pair = '', ...rest] = line.split(/;\s*/);
  assert.match(pair, /^svc_session=[^;\s]+$/);
  const attributes = Object.fromEntries(
    rest.map(text => [text.split('=')[0]?.toLowerCase(), text.split('=')[1] ?? '']),
  );
  return { value: pair.slice('svc_session='.length), attributes };
}

for (const mode of ['live', 'test'] as const) {
  test(`a first-party app gets the session cookie with every token (${mode})`, async () => {
    const app = await run.createApp({ firstParty: true });
    const answers = [await enroll(run, app, { mode }), await match(run, app, { mode })];
    assert.equal(
      answers.map(answer => answer.status),
      [201, 200],
    );
    for (const answer of answers) {
      const { attributes } = cookie(answer);
      const { expires: _, ...given } = attributes;
      assert.equal(given, {
        httponly: '',
        secure: '',
        samesite: attributes.samesite,
        path: '/v1',
        'max-age': '3600',
      });
      assert.is(attributes.samesite?.toLowerCase(), 'lax');
      assert.is(answer.json.token.split('.').length, 3, 'the token is in the body as well');
      assert.match(String(answer.headers['cache-control']), /no-store/);
    }
    assert.is.not(cookie(answers[0] as Answer).value, cookie(answers[1] as Answer).value);
  });
}

test('a third-party app never gets a cookie', async () => {
  const app = await run.createApp();
  for (const answer of [await enroll(run, app), await match(run, app)]) {
    assert.ok(answer.json.token);
    assert.is(answer.headers['set-cookie'], undefined);
  }
});

test('an answer without a token sets no cookie', async () => {
  const app = await run.createApp({ firstParty: true });
  await enroll(run, app);
  const answers = [
    await call(run, 'POST', '/v1/challenges', { headers: browser(app) }),
    await match(run, app, { descriptors: [faces.stranger(1)] }),
    await enroll(run, app),
    await match(run, app, { challengeId: 'ch_unknown' }),
    await call(run, 'GET', '/v1/app', { headers: server(app) }),
    await call(run, 'POST', '/v1/match', {
      headers: browser(app, 'live', 'https://other.example'),
      json: {},
    }),
  ];
  for (const answer of answers) assert.is(answer.headers['set-cookie'], undefined, answer.text);
});

test('the cookie is no credential for a browser route or a server route', async () => {
  const app = await run.createApp({ firstParty: true });
  const { value } = cookie(await enroll(run, app));
  const headers = { cookie: `svc_session=${value}`, origin: app.origin };
  for (const [method, path] of [
    ['POST', '/v1/challenges'],
    ['POST', '/v1/enroll'],
    ['POST', '/v1/match'],
    ['POST', '/v1/tokens/verify'],
    ['GET', '/v1/app'],
  ] as const) {
    assertError(await call(run, method, path, { headers }), 401, 'unauthorized', path);
  }
});

test('a cookie sent along changes nothing', async () => {
  const app = await run.createApp();
  for (const value of ['', 'x', '%', '"', 'a.b.c', 'x'.repeat(4_000)]) {
    const headers = { ...browser(app), cookie: `svc_session=${value}; svc_session=2; =; ;` };
    assert.is((await call(run, 'POST', '/v1/challenges', { headers })).status, 200, value.slice(0, 9));
  }
});

test('an app that becomes first-party gets the cookie at once, and loses it again', async () => {
  const app: TestApp = await run.createApp();
  await enroll(run, app);
  const has = async () => (await match(run, app)).headers['set-cookie'] !== undefined;
  assert.is(await has(), false);
  await run.cli(['app', 'update', app.id, '--first-party']);
  await soon(has, 'the cookie');
  await run.cli(['app', 'update', app.id, '--no-first-party']);
  await soon(async () => !(await has()), 'no cookie');
});

test.run();
