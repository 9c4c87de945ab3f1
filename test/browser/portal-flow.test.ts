/**
 * The portal in a browser, against the real service: from the first link to the first sign-in in an app of one's own.
 * SHOTS=FOLDER keeps pictures of every page.
 */
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { servePages } from './chromium.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser, setUp } from './portal-pages.ts';

const test = suite('browser: portal');
const EMAIL = 'ada@mail.example';
let html = '';
let link = '';
let codes: string[] = [];
/** Everything secret that was on a page. */
const secrets: string[] = [];

const run = serviceFor(test);
const tab = openedFor(test, openPortalBrowser);
const site = openedFor(test, () => servePages(() => html));

const heading = (name: string) => tab.page.getByRole('heading', { name, level: 1 });

test('without a session every page leads to the sign-in, which says what to type and how the service is', async () => {
  const { page } = tab;
  await page.goto(`${run.portal}/account`);
  await heading('Sign in').waitFor();
  assert.ok(await page.getByText('operator link').isVisible());
  await page.getByText('The service is healthy.').waitFor();
  await lookAt(tab, 'sign-in');
  await page.getByRole('link', { name: 'Use a recovery code' }).click();
  await lookAt(tab, 'recovery');
});

test('the first link makes an operator with a passkey and codes, and leaves the address bar at once', async () => {
  const { page } = tab;
  link = await linkFor(run, { makesAdmin: true });
  secrets.push(link.split('#')[1] as string);
  await page.goto(link);
  await heading('Welcome').waitFor();
  assert.is(page.url(), `${run.portal}/link`);
  await lookAt(tab, 'link');
  codes = await setUp(tab, link, EMAIL);
  assert.is(codes.length, 10);
  secrets.push(...codes);
  await lookAt(tab, 'apps-empty');
});

test('a link works once', async () => {
  const { page } = tab;
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This link was used before').waitFor();
  await lookAt(tab, 'link-used');
});

test('an app is made, after the service has corrected its origin', async () => {
  const { page } = tab;
  await page.goto(`${run.portal}/apps`);
  await page.getByRole('button', { name: 'Create an app' }).click();
  await page.getByLabel('Name').fill('Shop');
  await page.getByLabel('First origin').fill('https://shop.example/cart');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create an app' }).click();
  await dialog.getByRole('button', { name: 'Use https://shop.example' }).click();
  await lookAt(tab, 'new-app');
  await dialog.getByRole('button', { name: 'Create an app' }).click();
  await heading('Shop').waitFor();
  assert.match(page.url(), /\/apps\/app_\w+\/test$/);
  assert.ok(await page.getByText('Test mode', { exact: true }).isVisible());
});

test('the quick start: its code as it is copied enrolls and signs in, and the page sees each step', async () => {
  const { page, context } = tab;
  await page.getByText('Waiting for the first request').waitFor();
  await page.getByRole('button', { name: 'Create test keys' }).click();
  await page.getByText('Created just now').waitFor();
  html = (await page.locator('figure code').first().textContent()) ?? '';
  const key = /svc_pk_test_\w+/.exec(html)?.[0] ?? '';
  assert.ok(key, 'the key is in the code');
  secrets.push(key);
  await lookAt(tab, 'quick-start');

  const own = await context.newPage();
  await own.goto(site.origin);
  await own.getByLabel('Email').fill('grace@mail.example');
  await own.getByRole('checkbox').check();
  await own.getByRole('button', { name: 'Enroll', exact: true }).click();
  await own.getByText('Signed in: grace@mail.example').waitFor();
  await page.bringToFront();
  await page.locator('.steps li.done', { hasText: 'A face was enrolled' }).waitFor();
  await own.bringToFront();
  await own.reload();
  await own.getByRole('button', { name: 'Already enrolled? Sign in' }).click();
  await own.getByRole('button', { name: 'Sign in', exact: true }).click();
  await own.getByText('Signed in: grace@mail.example').waitFor();
  await own.close();
  await page.bringToFront();
  await page.getByText('Your first sign-in worked.').waitFor();
  await lookAt(tab, 'quick-start-done');

  await page.reload();
  const quickStart = page.locator('details', { hasText: 'Quick start' });
  await quickStart.waitFor();
  assert.not.ok(await quickStart.getByRole('tab', { name: 'HTML' }).isVisible(), 'it is folded');
  const [chart, folded] = await Promise.all([
    page.getByLabel('Range').boundingBox(),
    quickStart.boundingBox(),
  ]);
  assert.ok((chart?.y ?? 0) < (folded?.y ?? 0), 'the chart comes first');
  await lookAt(tab, 'quick-start-folded');
});

test('a team without members says so, and a link that opens on this machine only says what to do', async () => {
  const { page } = tab;
  const back = page.url();
  await page.goto(`${run.portal}/teams`);
  await page.getByText('No members yet').waitFor();
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByRole('dialog').getByLabel('Email address').fill('bob@mail.example');
  await page.getByRole('button', { name: 'Create the invitation' }).click();
  const shown = page.getByRole('dialog', { name: 'Send this link' });
  secrets.push((await shown.locator('.key').textContent())?.split('#')[1] as string);
  await shown.getByText('PORTAL_URL').waitFor();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.goto(back);
  await heading('Shop').waitFor();
});

test('a key is shown once: gone after closing, going back, and reloading', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: 'Keys' }).click();
  await heading('Keys').waitFor();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').getByLabel('Label').fill('web shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  const key = (await shown.locator('.key').textContent()) ?? '';
  assert.match(key, /^svc_pk_test_/);
  secrets.push(key);
  await lookAt(tab, 'key-made');
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('web shop').waitFor();
  const isGone = async (when: string) => assert.not.ok((await page.content()).includes(key), when);
  await isGone('closed');
  await page.goBack();
  await heading('Shop').waitFor();
  await page.goForward();
  await heading('Keys').waitFor();
  await isGone('back');
  await page.reload();
  await page.getByText('web shop').waitFor();
  await isGone('reloaded');
});

test('a key is rolled with an overlap, and revoked', async () => {
  const { page } = tab;
  const row = page.getByRole('row', { name: /web shop/ });
  await row.getByRole('button', { name: /^Roll/ }).click();
  await page.getByRole('dialog').getByLabel('The old key ends').selectOption('3600');
  await page.getByRole('dialog').getByRole('button', { name: 'Roll' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await row.filter({ hasText: 'Ends' }).waitFor();
  await lookAt(tab, 'keys');
  await row
    .filter({ hasText: 'Active' })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.filter({ hasText: 'Active' }).waitFor({ state: 'detached' });
});

test('a refused origin is allowed from where it is shown', async () => {
  const { page } = tab;
  await page.getByRole('link', { name: 'Overview' }).click();
  await heading('Shop').waitFor();
  const key = secrets.find(text => text.startsWith('svc_pk_test_')) ?? '';
  const ask = () =>
    fetch(`${run.base}/v1/challenges`, {
      method: 'POST',
      headers: { 'X-Svc-Key': key, Origin: 'https://staging.example', 'Content-Type': 'application/json' },
      body: '{}',
    });
  assert.is((await ask()).status, 403);
  await page.getByRole('link', { name: 'Refusals' }).click();
  await page.getByText('https://staging.example', { exact: true }).waitFor();
  await lookAt(tab, 'refusals');
  await page.getByRole('button', { name: /^Allow it/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Allow it' }).click();
  await page.getByText('Allowed now').waitFor();
  assert.is((await ask()).status, 200);
});

test('settings, team, account and installation are there, and hold no secret', async () => {
  const { page } = tab;
  const pages = [
    ['Settings', 'Settings'],
    ['Team', 'Operators'],
    ['Account', 'Account'],
    ['Installation', 'Installation'],
    ['Jobs', 'Installation'],
    ['Signing keys', 'Installation'],
    ['Operators', 'Installation'],
    ['Audit log', 'Installation'],
  ] as const;
  for (const [name, title] of pages) {
    await page.getByRole('link', { name, exact: true }).click();
    await heading(title).waitFor();
    await page.locator('main table, main form, main .list, main .state').first().waitFor();
    await lookAt(tab, name.toLowerCase().replaceAll(' ', '-'));
    const content = await page.content();
    for (const secret of secrets) assert.not.ok(content.includes(secret), `${name}: ${secret.slice(0, 14)}…`);
  }
});

test('an action that needs the passkey again asks for it, and is then done', async () => {
  const { page } = tab;
  run.clock.advance(6 * 60_000);
  await page.goto(`${run.portal}/account`);
  await page.getByRole('button', { name: 'Create new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create recovery codes' }).click();
  const asks = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await asks.waitFor();
  await lookAt(tab, 'step-up');
  await asks.getByRole('button', { name: 'Use a passkey' }).click();
  await page.locator('.codes li').nth(9).waitFor();
  codes = await page.locator('.codes code').allTextContents();
  await page.getByRole('button', { name: 'I have saved them' }).click();
});

test('a session that ends in the middle of a form: sign in, and the form is as it was', async () => {
  const { page } = tab;
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.evaluate(() => document.body.setAttribute('data-same', 'yes'));
  run.clock.advance(61 * 60_000);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const asks = page.getByRole('dialog', { name: 'Sign in again' });
  await asks.waitFor();
  await lookAt(tab, 'session-over');
  await asks.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada Lovelace');
  await page.waitForLoadState();
  assert.is(await page.getAttribute('body', 'data-same'), 'yes', 'the page was not loaded anew');
});

test('another tab has the session too, and signing out ends it', async () => {
  const { page, context } = tab;
  const other = await context.newPage();
  await other.goto(`${run.portal}/apps`);
  await other.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
  await other.close();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading('Sign in').waitFor();
  await page.goto(`${run.portal}/apps`);
  await heading('Sign in').waitFor();
});

test('a recovery code signs in once', async () => {
  const { page } = tab;
  const use = async () => {
    await page.goto(`${run.portal}/recovery`);
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Recovery code').fill(codes[0] as string);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await use();
  await heading('Account').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading('Sign in').waitFor();
  await use();
  await page.getByText('the code was used before').waitFor();
});

test('a passkey signs in, and in Spanish', async () => {
  const { page } = tab;
  await page.goto(`${run.portal}/sign-in`);
  await page.getByLabel('Language').selectOption('es');
  await page.getByRole('button', { name: 'Entrar con una llave de acceso' }).click();
  await heading('Aplicaciones').waitFor();
  await lookAt(tab, 'apps-es');
});

test('nothing but this service was asked, and no policy was violated', () => {
  const own = [run.portal, site.origin, run.base];
  const elsewhere = tab.asked.map(one => one.url()).filter(url => !own.some(start => url.startsWith(start)));
  assert.equal(elsewhere, []);
  assert.equal(complaintsOf(tab), []);
});

test.run();
