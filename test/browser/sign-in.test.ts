/** A real browser: a page of one origin calls the service on another, and reads what the service lets it read. */
import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { consent, faces, type Json, type Mode, someEmail } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { openBrowser, servePages } from './chromium.ts';

const test = suite('browser');
let context: BrowserContext;
let page: Page;

const pages = openedFor(test, () => servePages(() => '<!doctype html><title>app</title>'));
const run = serviceFor(test);
const strict = serviceFor(test, { env: { LIMIT_IP_PER_MINUTE: '3' } });
const browser = openedFor(test, () => openBrowser('none'));
test.before(async () => {
  ({ context, page } = browser);
});

const origin = (host = 'localhost') => `http://${host}:${pages.port}`;
interface PageAnswer {
  status: number;
  json: Json;
  requestId: string | null;
  retryAfter: string | null;
  other: string | null;
}

/** A fetch made by the page. Rejects when the browser keeps the answer from the script. */
function post(
  url: string,
  key: string,
  json?: unknown,
  credentials: RequestCredentials = 'omit',
): Promise<PageAnswer> {
  return page.evaluate(
    async ([url, key, text, credentials]) => {
      const headers: Record<string, string> = { 'X-Svc-Key': key };
      if (text !== undefined) headers['Content-Type'] = 'application/json';
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        credentials,
        ...(text !== undefined && { body: text }),
      });
      return {
        status: answer.status,
        json: await answer.json(),
        requestId: answer.headers.get('x-request-id'),
        retryAfter: answer.headers.get('retry-after'),
        other: answer.headers.get('x-unexposed'),
      };
    },
    [url, key, json === undefined ? undefined : JSON.stringify(json), credentials] as const,
  );
}

async function enrollAndMatch(
  base: string,
  app: TestApp,
  mode: Mode,
  credentials: RequestCredentials = 'omit',
) {
  const key = app[mode].pk;
  const fresh = async () =>
    (await post(`${base}/v1/challenges`, key, undefined, credentials)).json.challenge_id;
  const person = { email: someEmail(), name: 'Ada', consent, descriptors: [faces.genuine(0)] };
  const made = await post(`${base}/v1/enroll`, key, { challenge_id: await fresh(), ...person }, credentials);
  const probe = { challenge_id: await fresh(), descriptors: [faces.genuine(0, 1)] };
  return { made, found: await post(`${base}/v1/match`, key, probe, credentials) };
}

for (const mode of ['live', 'test'] as const) {
  test(`a page of a listed Origin enrolls and signs in with its ${mode} key`, async () => {
    const app = await run.createApp({ origins: [origin()] });
    await page.goto(origin());
    const { made, found } = await enrollAndMatch(run.base, app, mode);
    assert.is(made.status, 201, JSON.stringify(made.json));
    assert.is(found.status, 200, JSON.stringify(found.json));
    assert.equal(found.json.user, made.json.user);
    assert.match(found.requestId ?? '', /^\S+$/, 'the request id is exposed');
    assert.is(found.json.token.split('.').length, 3);
  });
}

test('a page learns why it was refused: an Origin that is not listed', async () => {
  const app = await run.createApp();
  await page.goto(origin());
  const answer = await post(`${run.base}/v1/challenges`, app.live.pk);
  assert.is(answer.status, 403);
  assert.is(answer.json.error.code, 'origin_not_allowed');
  assert.ok(answer.json.error.message.includes(origin()), answer.json.error.message);
  assert.match(answer.requestId ?? '', /^\S+$/);
});

for (const host of ['localhost', '127.0.0.1']) {
  test(`an unlisted page on ${host} works with the test key`, async () => {
    const app = await run.createApp();
    await page.goto(origin(host));
    const { made, found } = await enrollAndMatch(run.base, app, 'test');
    assert.is(made.status, 201, JSON.stringify(made.json));
    assert.is(found.status, 200, JSON.stringify(found.json));
    assert.is(
      (await post(`${run.base}/v1/challenges`, app.live.pk)).status,
      403,
      'but not with the live key',
    );
  });
}

test('a page reads every kind of failure: no key, bad fields, no match', async () => {
  const app = await run.createApp({ origins: [origin()] });
  await page.goto(origin());
  const { challenge_id } = (await post(`${run.base}/v1/challenges`, app.live.pk)).json;
  const failures: [string, unknown, string][] = [
    ['svc_pk_live_nonsense', {}, '401 unauthorized'],
    [app.live.pk, {}, '400 invalid_request'],
    [app.live.pk, { challenge_id, descriptors: [faces.stranger(1)] }, '401 no_match'],
    [app.live.pk, { challenge_id, descriptors: [faces.stranger(1)] }, '400 challenge_invalid'],
  ];
  for (const [key, json, wanted] of failures) {
    const answer = await post(`${run.base}/v1/match`, key, json);
    assert.is(`${answer.status} ${answer.json.error.code}`, wanted);
  }
});

test('a page reads how long it has to wait', async () => {
  const app = await strict.createApp({ origins: [origin()] });
  await page.goto(origin());
  for (let n = 0; n < 3; n++)
    assert.is((await post(`${strict.base}/v1/challenges`, app.live.pk)).status, 200);
  const answer = await post(`${strict.base}/v1/challenges`, app.live.pk);
  assert.is(answer.json.error.code, 'rate_limited');
  assert.is(answer.retryAfter, '60');
});

test('the page of a first-party app gets the session cookie, out of reach of its scripts', async () => {
  const app = await run.createApp({ origins: [origin()], firstParty: true });
  await page.goto(origin());
  const near = run.base.replace('127.0.0.1', 'localhost');
  const { found } = await enrollAndMatch(near, app, 'live', 'include');
  assert.is(found.status, 200, JSON.stringify(found.json));
  const cookies = await context.cookies(`${near.replace('http:', 'https:')}/v1/me/logout`);
  const cookie = cookies.find(one => one.name === 'svc_session');
  assert.ok(
    cookie?.httpOnly && cookie.secure && cookie.sameSite === 'Lax' && cookie.path === '/v1',
    JSON.stringify(cookies),
  );
  assert.not.match(await page.evaluate(() => document.cookie), /svc_session/);
});

test('the page of a third-party app may not send credentials', async () => {
  const app = await run.createApp({ origins: [origin('127.0.0.1')] });
  await page.goto(origin('127.0.0.1'));
  const outcome = await post(`${run.base}/v1/challenges`, app.live.pk, undefined, 'include').then(
    () => 'read',
    () => 'kept from the script',
  );
  assert.is(outcome, 'kept from the script');
});

test.run();
