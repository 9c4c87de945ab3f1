/**
 * The way from a link to a key by keyboard alone, in Spanish as well as in English; and links that are late, or for
 * somebody who has to sign in first.
 */
import * as assert from 'uvu/assert';
import { en } from '../../src/portal/app/strings/en/index.ts';
import { es } from '../../src/portal/app/strings/es/index.ts';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import type { Browser } from './chromium.ts';
import { complaintsOf, linkFor, lookAt, openPortalBrowser, pressEnter } from './portal-pages.ts';

const test = suite('browser: the portal by keyboard');
/** More than any page has before what is looked for. */
const MOST_TABS = 80;
const run = serviceFor(test);

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
    await page.getByRole('heading', { name: t.apps.title, level: 1 }).waitFor();
    await press(tab, t.apps.create);
    await page.getByRole('dialog').waitFor();
    await type(tab, t.apps.name, 'Shop');
    await pressEnter(tab);
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await press(tab, t.nav.keys);
    await page.getByRole('heading', { name: t.keys.title, level: 1 }).waitFor();
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
