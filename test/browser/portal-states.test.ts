/**
 * The states of the portal's pages, against the real service, whose answers are held up or replaced: loading, empty,
 * failed, no right, service away. Then the way from a link to a key by keyboard alone, in Spanish as well as in English;
 * and links that are late, or for somebody who has to sign in first.
 */
import * as assert from 'uvu/assert';
import { en } from '../../src/portal/app/strings/en/index.ts';
import { es } from '../../src/portal/app/strings/es/index.ts';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { operatorsFor } from '../support/portal.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import type { Browser } from './chromium.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser, pressEnter, tabOf } from './portal-pages.ts';

const test = suite('browser: portal states');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
let app = '';
let tab: Browser;

test.before(async () => {
  app = `/apps/${(await run.createApp({ name: 'Shop' })).id}/test`;
  const owner = { isAdmin: true, name: 'Ada Byron', teams: { [FIRST_TEAM]: 'owner' } } as const;
  tab = await tabOf(run, await operators.create(owner));
});
test.after(() => tab?.close());
const open = (path: string) => tab.page.goto(run.portal + path);
/** Until the next `allow`, what the internal API answers at a path that ends like this. */
const answer = (at: string, by: Parameters<Browser['page']['route']>[1]) =>
  tab.page.route(`**/internal/**${at}`, by);
const allow = () => tab.page.unrouteAll();

test('loading: a skeleton appears when it takes long, and goes', async () => {
  const { page } = tab;
  const held = Promise.withResolvers<void>();
  await answer('/keys', async route => {
    await held.promise;
    await route.continue();
  });
  await open(`${app}/keys`);
  // The page's own: before it, the whole shell has one for a moment.
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await page.locator('.skeleton').waitFor();
  await lookAt(tab, 'loading');
  held.resolve();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
  assert.is(await page.locator('.skeleton').count(), 0);
  await allow();
});

test('failed: the sentence, code and request id, and trying again', async () => {
  const { page } = tab;
  const error = { code: 'internal_error', message: 'A sentence.' };
  await answer('teams', route =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'req_one' }, json: { error } }),
  );
  await open('/teams');
  const alert = page.getByRole('alert');
  await alert.getByText('Something went wrong in the service').waitFor();
  assert.match(await alert.innerText(), /internal_error · request req_\w+/);
  await lookAt(tab, 'failed');
  await allow();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Members' }).waitFor();
});

test('the service away: says so, keeps trying, and recovers by itself with the form kept', async () => {
  const { page, context } = tab;
  await open(`${app}/settings`);
  await page.getByLabel('Name', { exact: true }).fill('Another name');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('nothing you typed is lost').waitFor();
  await lookAt(tab, 'away');
  await context.setOffline(false);
  await page.locator('.away p').waitFor({ state: 'detached' });
  assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another name');
});

test('gone: what does not exist, or belongs to another team', async () => {
  const { page } = tab;
  await open('/apps/app_none/test');
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  await lookAt(tab, 'gone');
  await open('/installation/nothing');
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
});

test('empty: what it is, and one button', async () => {
  const { page } = tab;
  await answer('apps', route => route.fulfill({ json: { apps: [] } }));
  await open('/apps');
  await page.getByText('No apps yet').waitFor();
  assert.is(await page.locator('main').getByRole('button').count(), 1);
  await lookAt(tab, 'empty');
  await allow();
});

test('no right: a viewer sees keys and settings without a way to change them, and who can', async () => {
  await using viewer = await tabOf(run, await operators.create({ teams: { [FIRST_TEAM]: 'viewer' } }));
  const { page } = viewer;
  await page.goto(`${run.portal}${app}/keys`);
  await page.getByText('Your role cannot do this. These can: Admin, Owner, Developer.').waitFor();
  await lookAt(viewer, 'no-right');
  await page.goto(`${run.portal}${app}/settings`);
  await page.getByRole('heading', { name: 'First-party' }).waitFor();
  assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled());
  assert.is(await page.getByRole('link', { name: 'Installation' }).count(), 0);
});

test('a refused action stays in its dialog, and nothing is closed', async () => {
  const { page } = tab;
  await open('/teams');
  await page
    .getByRole('row', { name: /Ada Byron/ })
    .getByRole('button', { name: /^Remove/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('A team needs an owner').waitFor();
  await lookAt(tab, 'refused');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('by keyboard: skip link, menu, tabs, and a dialog that gives the focus back', async () => {
  const { page } = tab;
  await open(app);
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
  await page.keyboard.press('Tab');
  assert.ok(await page.getByRole('link', { name: 'Skip to content' }).isVisible());
  await pressEnter(tab);
  assert.is(await page.evaluate(() => document.activeElement?.id), 'content');
  await page.getByRole('tab', { name: 'HTML' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'React');
  await page.getByText('App.tsx').waitFor();
  await open('/apps');
  await page.getByRole('button', { name: 'Create an app' }).focus();
  await pressEnter(tab);
  await page.getByRole('dialog').getByLabel('Name').press('Escape');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Create an app');
});

test('the theme by choice goes before the system’s', async () => {
  const { page } = tab;
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await open('/account');
  await page.getByLabel('Theme').waitFor();
  const light = await paper();
  await page.getByLabel('Theme').selectOption('dark');
  assert.is.not(await paper(), light);
  await page.reload();
  await page.getByLabel('Theme').waitFor();
  assert.is.not(await paper(), light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Theme').selectOption('light');
  assert.is(await paper(), light);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByLabel('Theme').selectOption('system');
});

test('nothing else was asked, and no policy was violated', () => {
  const elsewhere = tab.asked.map(one => one.url()).filter(url => !url.startsWith(run.portal));
  assert.equal(elsewhere, []);
  assert.equal(
    complaintsOf(tab).filter(text => !/status of 500|ERR_INTERNET_DISCONNECTED/.test(text)),
    [],
  );
});

/** More than any page has before what is looked for. */
const MOST_TABS = 80;

/** Presses the tab key until what has the focus is called so. */
async function reach({ page }: Browser, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
      return label ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '';
    });
  for (let i = 0; i < MOST_TABS; i++) {
    if ((await focused()).trim() === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by keyboard`);
}

async function press(tab: Browser, name: string): Promise<void> {
  await reach(tab, name);
  await pressEnter(tab);
}

async function type(tab: Browser, name: string, text: string): Promise<void> {
  await reach(tab, name);
  await tab.page.keyboard.type(text);
}

for (const [language, t] of [
  ['en', en],
  ['es', es],
] as const)
  test(`${language}: from the link to an app and its key`, async () => {
    await using tab = await openPortalBrowser();
    const { page } = tab;
    await page.addInitScript(chosen => localStorage.setItem('language', chosen), language);
    await page.goto(await linkFor(run, { makesAdmin: true }));
    await page.getByRole('heading', { name: t.link.title }).waitFor();
    assert.is(await page.locator('html').getAttribute('lang'), language);
    await press(tab, t.link.open);
    await page.getByLabel(t.link.name).waitFor();
    await type(tab, t.link.name, 'Ada Byron');
    await type(tab, t.link.email, `${language}@mail.example`);
    await pressEnter(tab);
    await page.getByRole('heading', { name: t.link.setUp }).waitFor();
    await press(tab, t.account.addPasskey);
    await page.getByRole('button', { name: t.link.makeCodes }).waitFor();
    await press(tab, t.link.makeCodes);
    await page.getByRole('listitem').nth(9).waitFor();
    await press(tab, t.link.done);
    await page.getByRole('heading', { name: t.nav.apps, level: 1 }).waitFor();
    await press(tab, t.apps.create);
    await page.getByRole('dialog').waitFor();
    await type(tab, t.common.name, 'Shop');
    await pressEnter(tab);
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await press(tab, t.nav.keys);
    await page.getByRole('heading', { name: t.nav.keys, level: 1 }).waitFor();
    await press(tab, t.keys.create);
    await page.getByRole('dialog').waitFor();
    await press(tab, t.keys.create);
    await page.getByText(/^svc_[ps]k_test_/).waitFor();
    await press(tab, t.keys.madeClose);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await lookAt(tab, `keyboard-${language}`);
    assert.equal(complaintsOf(tab), []);
  });

test('a late link, and an invitation of somebody who is an operator', async () => {
  await using tab = await openPortalBrowser();
  const { page } = tab;
  const late = await linkFor(run, { makesAdmin: true, lifetime: 60_000 });
  run.clock.advance(61_000);
  await page.goto(late);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('link_used').waitFor();
  await lookAt(tab, 'link-late');

  await page.goto(await linkFor(run, { email: 'en@mail.example', teamId: FIRST_TEAM, role: 'viewer' }));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await lookAt(tab, 'link-sign-in-first');
  assert.equal(complaintsOf(tab), []);
});

test.run();
