/**
 * The page to try the service, on the operators' address: who gets it and its key, and which files it gives. What a person does
 * on it is in test/browser/try.test.ts.
 */
import { readdirSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { ENCODER_ID, FIX, WEIGHTS } from '../../src/encoder/published.ts';
import { sha256 } from '../../src/encoder/source.ts';
import { installed } from '../../src/portal/try/files.ts';
import { isInstalled, withModel } from '../encoder/installed.ts';
import { call } from '../support/client.ts';
import { type Running, serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('portal: try');

const run = serviceFor(test, { env: { DEMO: 'on' } });
const off = serviceFor(test);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function get(path: string, headers: Record<string, string> = {}, of = run): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(of.portal);
    const sending = request({ host, port, path, headers }, answer => {
      let text = '';
      answer.setEncoding('latin1').on('data', part => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sending.on('error', reject).end();
  });
}
const setup = async (of = run) => JSON.parse((await get('/try/setup.json', {}, of)).text);

test('without DEMO=on there is neither page nor key, and no way to it', async () => {
  for (const path of [
    '/try',
    '/try/setup.json',
    '/try/page/page.js',
    '/try/model/face_recognition_model.bin',
    '/try/encoder/mobilefacenet.f16',
  ]) {
    const answer = await get(path, {}, off);
    assert.is(answer.status, 404, path);
    assert.match(answer.text, /DEMO=on/);
  }
  assert.match((await get('/', {}, off)).text, /<p class="off"><a href="\/try">/);
  assert.match((await get('/')).text, /<p class="on"><a href="\/try">/);
});

test('DEMO=on is refused unless the portal listens on loopback, as its keys need no session', () => {
  const settings = { DEMO: 'on', PORTAL_URL: 'https://portal.example' };
  assert.ok(loadConfig({ ...settings, PORTAL_HOST: '127.0.0.1' }).demo);
  for (const host of ['0.0.0.0', '::', '192.0.2.1'])
    assert.throws(() => loadConfig({ ...settings, PORTAL_HOST: host }), /DEMO must be off/, host);
});

test('its key is a test one, works from its own address, is stored nowhere and survives a restart', async () => {
  const service = await startService({ env: { DEMO: 'on' } });
  let again: Running | undefined;
  try {
    const { app } = await setup(service);
    assert.match(app.publishable_key, /^svc_pk_test_[0-9A-Za-z]{24}$/);
    assert.is((await setup(service)).app.publishable_key, app.publishable_key, 'one for each app');
    const ask = (of: Running, origin: string) =>
      call(of, 'POST', '/v1/challenges', { headers: { 'x-svc-key': app.publishable_key, origin } });
    assert.is((await ask(service, service.portal)).status, 200);
    assert.is((await ask(service, 'https://evil.example')).status, 403);
    const last4 = app.publishable_key.slice(-4);
    assert.equal(service.rows('SELECT id FROM api_keys WHERE last4 = ?', last4), []);
    again = await service.restart();
    assert.is((await ask(again, again.portal)).status, 200, 'after a restart, before anybody opens the page');
    assert.is((await setup(again)).app.publishable_key, app.publishable_key);
    assert.is.not((await setup()).app.publishable_key, app.publishable_key, 'another app has another');
  } finally {
    await (again ?? service).close();
  }
});

test('an app is chosen by name; one that is deleted takes its key along', async () => {
  const shop = await run.createApp({ name: 'Shop' });
  const { apps, app } = await setup();
  assert.is(app.name, 'Demo');
  assert.ok(apps.some((one: { id: string }) => one.id === shop.id));
  const chosen = JSON.parse((await get(`/try/setup.json?app=${shop.id}`)).text).app;
  const ask = () =>
    call(run, 'POST', '/v1/challenges', {
      headers: { 'x-svc-key': chosen.publishable_key, origin: run.portal },
    });
  assert.is((await ask()).status, 200);
  assert.is((await run.cli(['app', 'delete', shop.id, '--yes'])).code, 0);
  assert.is((await ask()).status, 401);
  for (const unknown of ['app_nobody', shop.id, '', '__proto__', `${app.id}&app=${app.id}`]) {
    const answer = await get(`/try/setup.json?app=${unknown}`);
    assert.is(JSON.parse(answer.text).app, null, unknown);
    assert.not.match(answer.text, /svc_pk_/, unknown);
  }
});

test('pages elsewhere get nothing', async () => {
  for (const path of ['/try', '/try/setup.json', '/try/sdk/element.js', '/try/verify.json']) {
    assert.is((await get(path, { host: 'evil.example' })).status, 403, path);
    assert.is((await get(path, { origin: 'https://evil.example' })).status, 403, path);
  }
  for (const site of ['cross-site', 'same-site'])
    assert.is((await get('/try/setup.json', { 'sec-fetch-site': site })).status, 403, site);
  const { headers } = await get('/try/setup.json');
  assert.is(headers['access-control-allow-origin'], undefined);
  assert.is(headers['cross-origin-resource-policy'], 'same-origin');
  assert.is(headers['cache-control'], 'no-store');
});

test('the page has the headers that the encoder needs and a policy without inline code', async () => {
  const { status, headers } = await get('/try');
  assert.is(status, 200);
  assert.is(headers['cross-origin-opener-policy'], 'same-origin');
  assert.is(headers['cross-origin-embedder-policy'], 'require-corp');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'/);
  assert.not.match(policy, /unsafe-inline|'unsafe-eval'|\*/);
});

test('files are those that are listed, each of its type, and no path leads elsewhere', async () => {
  const types: [string, RegExp][] = [
    ['/try/page/page.css', /^text\/css/],
    ['/try/sdk/element.js', /^text\/javascript/],
    ['/try/face-api/face-api.esm.js', /^text\/javascript/],
    ['/try/model/face_recognition_model-weights_manifest.json', /^application\/json/],
    ['/try/model/face_recognition_model.bin', /^application\/octet-stream/],
    ['/try/wasm/tfjs-backend-wasm-simd.wasm', /^application\/wasm/],
  ];
  for (const [path, type] of types) {
    const answer = await get(path);
    assert.is(answer.status, 200, path);
    assert.match(String(answer.headers['content-type']), type);
    assert.is(Number(answer.headers['content-length']), answer.text.length, path);
    const { etag = '' } = answer.headers;
    assert.is(answer.headers['cache-control'], 'no-cache', path);
    assert.is((await get(path, { 'if-none-match': etag })).status, 304, path);
  }
  const none = [
    '/try/page/page.html',
    '/try/page/../routes.ts',
    '/try/page/..%2froutes.ts',
    '/try/page/%2e%2e/routes.ts',
    '/try/sdk/package.json',
    '/try/sdk/chunks/../package.json',
    '/try/sdk/chunks/',
    '/try/model/',
    '/try/model/..%2f..%2fpackage.json',
    '/try/model/..\\package.json',
    '/try/model//etc/passwd',
    '/try/wasm/%00',
    '/try/encoder/',
    '/try/encoder/..%2fsdk/browser/index.js',
    '/try/encoder/mobilefacenet.f16.draft',
    '/try//etc/passwd',
    '/try/face-api/face-api.esm.js%00',
    '/try/constructor',
    '/try/__proto__',
  ];
  for (const path of none) assert.ok([400, 404].includes((await get(path)).status), path);
});

test('the page is told where the weights of MobileFaceNet are, or which command brings them', async () => {
  const there = {
    weights: '/try/encoder/mobilefacenet.f16',
    notice: '/try/encoder/mobilefacenet.NOTICE.txt',
  };
  const all = { id: ENCODER_ID, ...there, fix: null };
  const none = { id: ENCODER_ID, weights: null, notice: null, fix: FIX };
  assert.equal(installed(() => true).mobilefacenet, all);
  assert.equal(installed(path => path !== 'dist/encoder/mobilefacenet.f16').mobilefacenet, none);
  assert.equal(
    installed(path => path !== 'dist/encoder/mobilefacenet.NOTICE.txt').mobilefacenet,
    none,
    'no weights without their notice',
  );
  assert.is(installed(path => !path.startsWith('dist/encoder')).encoder, true, 'face-api needs none of it');
  const reported = (await setup()).installed.mobilefacenet;
  assert.equal(reported, isInstalled ? all : none);
});

test('a file whose name has its hash may be kept forever', async () => {
  const [chunk] = readdirSync(join(import.meta.dirname, '../../dist/sdk/browser/chunks'));
  const { status, headers } = await get(`/try/sdk/chunks/${chunk}`);
  assert.equal([status, headers['cache-control']], [200, 'private, max-age=31536000, immutable']);
});

test(
  'the weights and their notice are served, each as what it is, and asked about each time',
  withModel(async () => {
    const weights = await get('/try/encoder/mobilefacenet.f16');
    assert.is(weights.status, 200);
    assert.is(weights.headers['content-type'], 'application/octet-stream');
    assert.is(weights.headers['cache-control'], 'no-cache');
    assert.ok(weights.headers.etag);
    assert.is(sha256(Buffer.from(weights.text, 'latin1')), WEIGHTS.sha256);
    const notice = await get('/try/encoder/mobilefacenet.NOTICE.txt');
    assert.equal([notice.status, notice.headers['content-type']], [200, 'text/plain; charset=utf-8']);
    assert.match(notice.text, /MS1M-refine/);
  }),
);

test('what the page keeps of a request with a face has no descriptors', async () => {
  const { faceOf } = await import('../../src/portal/try/page/after.js' as string);
  const sent = { descriptors: [[0.125], [0.25]], liveness: { score: 0.5, checks: [] } };
  const kept = faceOf(sent, { confidence: 0.75, token: 'TOKEN' });
  assert.equal(kept, { pictures: 2, confidence: 0.75, liveness: sent.liveness });
});

test.run();
