/** The page of the web app and its files: under every path of the app, with the strictest headers, and nothing else. */
import { request } from 'undici';
import * as assert from 'uvu/assert';
import { APP_PATHS } from '../../src/protocol/portal/paths.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: static');
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker";
const run = serviceFor(test, { env: { BASE_URL: 'http://127.0.0.1:8080' } });

const get = (path: string, headers: Record<string, string> = {}) => fetch(run.portal + path, { headers });

test('every path of the app answers the same page under its policy', async () => {
  const first = await (await get('/sign-in')).text();
  assert.match(first, /<div id="app"><\/div>/);
  for (const path of [...APP_PATHS, 'apps/app_x/test/keys', 'teams/team_x', 'installation/audit']) {
    const answer = await get(`/${path}`);
    assert.is(answer.status, 200, path);
    assert.is(await answer.text(), first, path);
    const header = (name: string) => answer.headers.get(name);
    assert.is(header('content-security-policy'), POLICY);
    assert.is(header('cross-origin-opener-policy'), 'same-origin');
    assert.is(header('cross-origin-resource-policy'), 'same-origin');
    assert.is(header('referrer-policy'), 'no-referrer');
    assert.match(String(header('permissions-policy')), /camera=\(\), microphone=\(\)/);
    assert.is(header('cache-control'), 'no-cache');
  }
  for (const path of ['/appsx', '/other', '/app/app_x']) assert.is((await get(path)).status, 404, path);
});

test('the page says where the API is, and holds no placeholder', async () => {
  const page = await (await get('/apps')).text();
  assert.match(page, /<meta name="issuer" content="http:\/\/127\.0\.0\.1:8080">/);
  assert.match(page, /integrity=&#34;sha384-/);
  assert.not.match(page, /\{\{/);
});

test('entries are asked for each time and compared, chunks are kept', async () => {
  const entry = await get('/assets/app.js');
  assert.is(entry.headers.get('cache-control'), 'no-cache');
  assert.match(String(entry.headers.get('content-type')), /^text\/javascript/);
  const etag = String(entry.headers.get('etag'));
  const again = await request(`${run.portal}/assets/app.js`, { headers: { 'if-none-match': etag } });
  assert.is(again.statusCode, 304);
  await again.body.dump();
  const chunk = /chunks\/[\w.-]+\.js/.exec(await entry.text())?.[0];
  const kept = await get(`/assets/${chunk}`);
  assert.is(kept.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.is((await get('/assets/app.css')).headers.get('content-type'), 'text/css; charset=utf-8');
});

test('a file that runs as a worker can ask nothing of anybody', async () => {
  const worker = await get('/assets/calibrate.js');
  assert.is(worker.headers.get('content-security-policy'), "default-src 'none'");
});

test('no path leads to another file', async () => {
  for (const path of [
    'index.html',
    '../stamps/portal',
    '%2e%2e/stamps/portal',
    'chunks/../app.js/..%2fapp.js',
    'chunks',
    'chunks/none.js',
    '__proto__',
  ])
    assert.is((await get(`/assets/${path}`)).status, 404, path);
});

test.run();
