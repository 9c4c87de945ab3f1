/**
 * The page `/docs` in a browser: the viewer shows every route of the API, at the width of a desk and of a phone, light
 * and dark, by keyboard, and asks nothing of another host. SHOTS=FOLDER keeps pictures of it.
 */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { KEY_HEADER_NAME } from '../../src/brand.ts';
import type { Json } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { document } from '../support/openapi.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { openBrowser } from './chromium.ts';

const test = suite('browser: docs');
const SHOTS = process.env.SHOTS;

const run = serviceFor(test);
const tab = openedFor(test, () => openBrowser('none'));

/** At a place of the page, once it is drawn. */
async function open(place = ''): Promise<void> {
  await tab.page.goto('about:blank');
  await tab.page.goto(`${run.portal}/docs${place}`);
  await tab.page.locator('.opblock').first().waitFor();
}

test('it shows every route of the API', async () => {
  await open();
  const shown = await tab.page.locator('.opblock-summary-path').evaluateAll(paths =>
    paths.map(path => {
      const method = path.closest('.opblock-summary')?.querySelector('.opblock-summary-method');
      return `${method?.textContent} ${path.getAttribute('data-path')}`;
    }),
  );
  const routes = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  assert.equal(shown.sort(), routes.sort());
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test(`${width} pixels, ${colorScheme}: nothing is wider than the page, which has the colours of the system`, async () => {
      const { page } = tab;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await open();
      for (const nth of [0, 2, 5]) await page.locator('.opblock-summary').nth(nth).click();
      await page.locator('.responses-table').nth(2).waitFor();
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `docs-${width}-${colorScheme}.png`) });
      const [inner, outer, isDark] = await page.evaluate(() => {
        const { scrollWidth, clientWidth, classList } = document.documentElement;
        return [scrollWidth, clientWidth, classList.contains('dark-mode')] as const;
      });
      assert.ok(inner <= outer, `${inner} wide in ${outer}`);
      assert.is(isDark, colorScheme === 'dark');
    });

test('a route opens by keyboard, with its fields and the keys that it needs; nothing is typed or sent', async () => {
  const { page } = tab;
  await open();
  const route = page.locator('#operations-Sign-in-match');
  await route.getByRole('button').first().press('Enter');
  await route.getByText('challenge_id').first().waitFor();
  await route.locator('.authorization__btn').press('Enter');
  const keys = page.locator('.dialog-ux');
  await keys.getByText(KEY_HEADER_NAME).waitFor();
  const buttons = page.getByRole('button', { name: /try it out|authorize|apply credentials/i });
  assert.equal([await buttons.count(), await keys.locator('input:visible').count()], [0, 0]);
});

test('the meaning of a code is in sight at its address, as the portal links to it', async () => {
  await open('#error-service_unavailable');
  await tab.page.waitForFunction(() => {
    const [row] = [...document.querySelectorAll('tr')].filter(({ textContent }) =>
      textContent?.includes('service_unavailable'),
    );
    const { top = -1, bottom = -1 } = row?.getBoundingClientRect() ?? {};
    return top >= 0 && bottom <= innerHeight;
  });
});

test('nothing but this service was asked, and nothing was complained about', () => {
  assert.equal(
    tab.asked.map(one => one.url()).filter(url => !url.startsWith(run.portal) && !url.startsWith('data:')),
    [],
  );
  assert.ok(tab.asked.every(one => one.method() === 'GET'));
  assert.equal(tab.complaints, []);
});

test.run();
