/**
 * The browser SDK as it is published, in a real browser under a strict policy for content: its modules and its script enroll
 * and sign in from an allowed page, and everything that leaves the page is watched.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page, Request } from 'playwright-core';
import * as assert from 'uvu/assert';
import { buildPackage } from '../../src/sdk/build/build.ts';
import { PACKAGES, type SdkPackage } from '../../src/sdk/build/packages.ts';
import { faces, someEmail, verify } from '../support/client.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Browser, fileIn, openBrowser, type PageServer, servePages } from './chromium.ts';

const test = suite('browser SDK in Chromium');
let run: Running;
let app: TestApp;
let folder: string;
let pages: PageServer;
let browser: Browser;
let origin: string;
let context: BrowserContext;
let page: Page;
let asked: Request[] = [];

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'face-sign-in-sdk-'));
  const of = PACKAGES.find(one => one.folder === 'browser') as SdkPackage;
  const [, service] = await Promise.all([buildPackage(of, folder), startService()]);
  run = service;
  pages = await servePages(
    path => {
      if (path.endsWith('.js')) return fileIn({ '/': join(folder, 'browser') }, path);
      const script = path === '/script' ? '<script src="/face-sign-in.js"></script>' : '';
      return `<!doctype html><title>app</title><link rel="icon" href="data:,">${script}`;
    },
    () => ({
      'content-security-policy': `default-src 'none'; script-src 'self'; img-src data:; connect-src ${run.base}`,
    }),
  );
  origin = pages.origin;
  app = await run.createApp({ origins: [origin] });
  browser = await openBrowser('none');
  ({ context, page } = browser);
  context.on('request', request => asked.push(request));
});
test.after(async () => {
  await browser?.close();
  await Promise.all([run?.close(), pages?.close()]);
  await rm(folder, { recursive: true, force: true });
});

async function open(path: string): Promise<void> {
  await page.goto(origin + path);
  asked = [];
}

/** What the page asked for: `METHOD /path` of the API with the fields of the body, and the files that it loaded. */
function watched(): { api: string[]; files: string[] } {
  const api: string[] = [];
  const files: string[] = [];
  for (const request of asked) {
    const url = request.url();
    if (url.startsWith(`${origin}/`)) files.push(url.slice(origin.length));
    else {
      assert.ok(url.startsWith(`${run.base}/v1/`), `the page asked for ${url}`);
      assert.is(request.resourceType(), 'fetch');
      const body = request.postData();
      const names = body === null ? [] : Object.keys(JSON.parse(body)).sort();
      if (body !== null) assert.is(request.headers()['content-type'], 'application/json');
      api.push([`${request.method()} ${url.slice(run.base.length)}`, ...names].join(' '));
    }
  }
  return { api, files };
}

test('the modules enroll, sign in and out; only descriptors and what belongs to them leave the page', async () => {
  await open('/');
  const email = someEmail();
  const { token, ...result } = await page.evaluate(
    async ([baseUrl, publishableKey, email]) => {
      const [main, testing]: string[] = ['/index.js', '/testing.js'];
      const { createClient } = await import(main as string);
      const { captureWithoutCamera, syntheticEncoder } = await import(testing as string);
      const encoder = syntheticEncoder({ person: 7 });
      const client = createClient({ publishableKey, baseUrl, encoder, capture: captureWithoutCamera });
      const consent = { policyVersion: '2026-01', accepted: true };
      const enrolled = await client.enroll({ email, name: 'Ada', consent });
      const found = await client.signIn();
      const { user } = await client.profile();
      const storage = [
        localStorage.length,
        sessionStorage.length,
        document.cookie,
        (await indexedDB.databases()).length,
      ];
      const { token } = client;
      await client.signOut();
      return {
        same: enrolled.user.id === found.user.id,
        name: user.name,
        token,
        after: client.token,
        storage,
      };
    },
    [run.base, app.live.pk, email] as const,
  );
  assert.equal(result, { same: true, name: 'Ada', after: null, storage: [0, 0, '', 0] });
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'revoked' });
  const { api, files } = watched();
  assert.equal(api, [
    'POST /v1/challenges',
    'POST /v1/enroll challenge_id consent descriptors email liveness name',
    'POST /v1/challenges',
    'POST /v1/match challenge_id descriptors liveness',
    'GET /v1/me',
    'POST /v1/me/logout',
  ]);
  assert.ok(
    files.includes('/index.js') && files.every(file => /^\/[\w/.-]+\.js$/.test(file)),
    files.join(' '),
  );
  assert.not.match(files.join(' '), /capture-/, 'the camera was not even loaded');
});

/** In the page of the script. */
const byScript = (mode: 'live' | 'test', descriptors: number[][], verb: string, more: object = {}) =>
  page.evaluate(
    async ([baseUrl, publishableKey, verb, options]) => {
      // biome-ignore lint/suspicious/noExplicitAny: a global variable of the page
      const { createClient, FaceSignInError } = (globalThis as any).FaceSignIn;
      const client = createClient({ publishableKey, baseUrl });
      try {
        const { user } = await client[verb](options);
        return { id: user.id };
      } catch (error) {
        if (!(error instanceof FaceSignInError)) throw error;
        const { code, message, detail } = error as unknown as Record<string, string>;
        return { code, message, detail };
      }
    },
    [run.base, app[mode].pk, verb, { descriptors, ...more }] as const,
  );

for (const mode of ['live', 'test'] as const)
  test(`the script enrolls and signs in with a ${mode} key`, async () => {
    await open('/script');
    const consent = { policyVersion: '2026-01', accepted: true };
    const enrolled = await byScript(mode, [faces.genuine(9)], 'enroll', { email: someEmail(), consent });
    assert.match(enrolled.id, /^usr_/, JSON.stringify(enrolled));
    const found = await byScript(mode, [faces.genuine(9, 1)], 'signIn');
    assert.is(found.id, enrolled.id, JSON.stringify(found));
    assert.equal(watched(), {
      api: [
        'POST /v1/challenges',
        'POST /v1/enroll challenge_id consent descriptors email',
        'POST /v1/challenges',
        'POST /v1/match challenge_id descriptors',
      ],
      files: [],
    });
  });

test('the script brings the component: a person signs in with it on a page that has nothing else', async () => {
  await open('/script');
  await page.evaluate(
    ([baseUrl, publishableKey, descriptor]) => {
      // biome-ignore lint/suspicious/noExplicitAny: a global variable of the page
      const { createClient } = (globalThis as any).FaceSignIn;
      const capture = async () => ({ descriptors: [descriptor], liveness: { score: 0, checks: [] } });
      const encoder = { id: 'stand-in', load() {}, detect() {}, describe() {} };
      const element = document.createElement('face-sign-in');
      Object.assign(element, { client: createClient({ publishableKey, baseUrl, encoder, capture }) });
      document.body.append(element);
    },
    [run.base, app.live.pk, faces.genuine(9, 2)] as const,
  );
  await page.locator('face-sign-in').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('face-sign-in').getByText('You are signed in').waitFor();
  assert.equal(browser.complaints, []);
});

test('a page learns why it was refused, and what to tell the person', async () => {
  await open('/script');
  const refused = await byScript('live', [faces.stranger(3)], 'signIn');
  assert.is(refused.code, 'no_match', JSON.stringify(refused));
  assert.match(refused.message ?? '', /not recognised/);
  await page.goto(origin.replace('localhost', '127.0.0.1').concat('/script'));
  const elsewhere = await byScript('live', [faces.genuine(9)], 'signIn');
  assert.is(elsewhere.code, 'origin_not_allowed');
  assert.match(elsewhere.detail ?? '', /127\.0\.0\.1/);
});

test('a page that loses its network is told so', async () => {
  await open('/script');
  await context.setOffline(true);
  try {
    const result = await byScript('live', [faces.genuine(9)], 'signIn');
    assert.is(result.code, 'offline', JSON.stringify(result));
    assert.match(result.detail ?? '', /the device has no network/);
  } finally {
    await context.setOffline(false);
  }
});

test('the camera is loaded when it is needed, and a page without one is told so', async () => {
  await open('/');
  const code = await page.evaluate(
    async ([baseUrl, publishableKey]) => {
      const [main, testing]: string[] = ['/index.js', '/testing.js'];
      const { createClient } = await import(main as string);
      const { syntheticEncoder } = await import(testing as string);
      const client = createClient({ publishableKey, baseUrl, encoder: syntheticEncoder() });
      return client.signIn().catch((error: { code: string }) => error.code);
    },
    [run.base, app.live.pk] as const,
  );
  assert.match(code, /^camera_(denied|missing)$/);
  const { api, files } = watched();
  assert.equal(api, ['POST /v1/challenges'], 'which the next try uses');
  assert.match(files.join(' '), /\/chunks\/capture-/);
});

test.run();
