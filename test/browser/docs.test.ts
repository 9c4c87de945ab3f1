/**
 * The page `/docs` in a browser: it is accessible at the width of a desk and of a phone, light and dark, its menu and
 * its copying work by keyboard, and it asks no other host. SHOTS=FOLDER keeps pictures of it. What is on it is in
 * test/portal/docs.test.ts.
 */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { axe, openBrowser } from './chromium.ts';

const test = suite('browser: docs');
const SHOTS = process.env.SHOTS;
const PHONE = { width: 390, height: 844 };

const run = serviceFor(test);
const tab = openedFor(test, () => openBrowser('none'));
test.before(async () => {
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: run.portal });
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test(`${width} pixels, ${colorScheme}: accessible, and nothing is wider than the page`, async () => {
      const { page } = tab;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const place of ['', '#enroll', '#errors']) {
        await page.goto(`${run.portal}/docs${place}`);
        if (SHOTS)
          await page.screenshot({ path: join(SHOTS, `docs-${width}-${colorScheme}-${place.slice(1)}.png`) });
      }
      assert.equal(await axe(page), []);
      const [inner, outer] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth];
      });
      assert.ok(inner <= outer, `${inner} wide in ${outer}`);
    });

test('on a phone the menu opens by keyboard, leads to a route, and closes', async () => {
  const { page } = tab;
  await page.setViewportSize(PHONE);
  await page.goto(`${run.portal}/docs`);
  const link = page
    .getByRole('navigation', { name: 'Routes' })
    .getByRole('link', { name: 'Sign in by face' });
  assert.not(await link.isVisible());
  await page.locator('summary').press('Enter');
  if (SHOTS) await page.screenshot({ path: join(SHOTS, 'docs-menu.png') });
  await link.press('Enter');
  assert.match(page.url(), /#match$/);
  assert.not(await link.isVisible());
  assert.ok(await page.getByRole('heading', { name: 'Sign in by face' }).isVisible());
  await page.getByRole('link', { name: 'Menu' }).press('Enter');
  assert.ok(await link.isVisible());
  await page.setViewportSize({ width: 1280, height: 900 });
  assert.ok(
    await page.getByRole('link', { name: 'List users' }).first().isVisible(),
    'always open at a desk',
  );
});

test('the first key press offers to skip the menu', async () => {
  const { page } = tab;
  await page.goto(`${run.portal}/docs`);
  await page.keyboard.press('Tab');
  assert.ok(await page.getByRole('link', { name: 'Skip to content' }).isVisible());
  await page.keyboard.press('Enter');
  assert.is(await page.evaluate(() => document.activeElement?.id), 'content');
});

test('a call is copied as it is shown, and a screen reader hears it', async () => {
  const { page } = tab;
  await page.goto(`${run.portal}/docs`);
  await page.getByRole('button', { name: 'Copy: Sign in by face, curl' }).press('Enter');
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^curl -sS "http:.*\/v1\/match" \\\n/);
  assert.match(copied, /\nJSON$/);
});

test('without its script the menu is open and everything is there', async () => {
  const { page } = tab;
  await page.setViewportSize(PHONE);
  await page.route('**/docs/page.js', route => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(`${run.portal}/docs`);
  await page.unroute('**/docs/page.js');
  await page.getByRole('link', { name: 'Sign in by face' }).first().click();
  assert.match(page.url(), /#match$/);
  assert.is(await page.getByRole('button').count(), 0);
});

test('nothing but this service was asked, and nothing was complained about', () => {
  const elsewhere = tab.asked.map(one => one.url()).filter(url => !url.startsWith(run.portal));
  assert.equal(elsewhere, []);
  assert.ok(tab.asked.every(one => one.method() === 'GET'));
  assert.equal(
    tab.complaints.filter(text => !/favicon/.test(text)),
    [],
  );
});

test.run();
