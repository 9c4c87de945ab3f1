/**
 * A page on another origin loads the SDK from the service itself: the script with its hash, the modules without a
 * bundler, also where the page is isolated. The browser refuses the script if the hash is of something else.
 */
import * as assert from 'uvu/assert';
import { scriptIntegrity, scriptTag, sdkPath } from '../../src/built-sdk.ts';
import { faces, someEmail, verify } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Browser, ISOLATED, openBrowser, type PageServer, servePages } from './chromium.ts';

const test = suite('browser: files of the SDK');
let app: TestApp;
let pages: PageServer;
let browser: Browser;

const run = serviceFor(test);
test.before(async () => {
  const right = scriptIntegrity() as string;
  const wrong = right.replace(/-./, right[7] === 'A' ? '-B' : '-A');
  pages = await servePages(
    path => {
      const tag = path === '/bare' ? '' : scriptTag(run.base, path === '/changed' ? wrong : right);
      return `<!doctype html><title>shop</title><link rel="icon" href="data:,">${tag}`;
    },
    () => ({
      ...ISOLATED,
      'content-security-policy': `default-src 'none'; script-src ${run.base}; img-src data:; connect-src ${run.base}`,
    }),
  );
  app = await run.createApp({ origins: [pages.origin] });
  browser = await openBrowser('none');
});
test.after(async () => {
  await browser?.close();
  await pages?.close();
});

const options = () => ({ publishableKey: app.live.pk, baseUrl: run.base });
const person = (index: number) => ({
  email: someEmail(),
  consent: { policyVersion: '1', accepted: true },
  descriptors: [faces.genuine(index)],
});

test('the script, with its hash: somebody enrolls', async () => {
  await browser.page.goto(`${pages.origin}/`);
  const token = await browser.page.evaluate(
    async ([client, fields]) => {
      // biome-ignore lint/suspicious/noExplicitAny: the global variable of the script
      const { FaceSignIn } = globalThis as any;
      return (await FaceSignIn.createClient(client).enroll(fields)).token;
    },
    [options(), person(0)] as const,
  );
  assert.is((await verify(run, app, token)).json.valid, true);
  assert.equal(browser.complaints, []);
});

test('modules, with the chunks they share and load late: somebody enrolls', async () => {
  await browser.page.goto(`${pages.origin}/bare`);
  const [index, element] = ['index.js', 'element.js'].map(name => run.base + sdkPath(name));
  const token = await browser.page.evaluate(
    async ([client, fields, main, other]) => {
      const { createClient } = await import(main as string);
      await import(other as string);
      await customElements.whenDefined('face-sign-in');
      return (await createClient(client).enroll(fields)).token;
    },
    [options(), person(1), index, element] as const,
  );
  assert.is((await verify(run, app, token)).json.valid, true);
  assert.equal(browser.complaints, []);
});

test('with another hash the browser does not run it', async () => {
  await browser.page.goto(`${pages.origin}/changed`);
  assert.is(await browser.page.evaluate(() => 'FaceSignIn' in globalThis), false);
  assert.match(browser.complaints.splice(0).join('\n'), /integrity/);
});

test.run();
