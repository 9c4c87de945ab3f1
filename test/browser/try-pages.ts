/** What the tests of the page `/try` share. SHOTS=FOLDER keeps pictures of it. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Running } from '../support/service.ts';
import { axe, type Browser, openBrowser } from './chromium.ts';

const SHOTS = process.env.SHOTS;

/** The page, once it says what it has. @param film what the camera shows; null for nobody */
export async function openTab(run: Running, film: string | null = null): Promise<Browser> {
  const tab = await openBrowser(film ? { file: film } : 'no face');
  await tab.page.clock.setFixedTime(run.clock.now());
  await tab.page.goto(`${run.portal}/try`);
  await tab.page.waitForSelector('#encoder[data-ready]');
  return tab;
}

export const shows = (page: Page, view: string) =>
  page.waitForSelector(`face-sign-in .card[data-view="${view}"]:not(.paused)`);
export const press = (page: Page, name: string) =>
  page.locator('face-sign-in').getByRole('button', { name, exact: true }).click();

export async function shot(page: Page, name: string, fullPage = false): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage });
}

/** Chooses made-up faces, and enrolls one through the component. */
export async function enrollMadeUp(page: Page, email: string, person?: number): Promise<void> {
  await page.waitForSelector('#encoder[data-ready]');
  await page.getByLabel('Made up').check({ force: true });
  await page.waitForSelector('#encoder[data-ready="made-up"]');
  if (person !== undefined) await page.getByLabel('Person, 0 to 99').fill(String(person));
  await page.locator('face-sign-in').getByLabel('Email address').fill(email);
  await page.locator('face-sign-in').getByRole('checkbox').check();
  await press(page, 'Enroll');
  await shows(page, 'done');
  await page.getByText('Online: valid').waitFor();
}

/** Light and dark, wide and narrow: accessible, and nothing wider than the window. */
export async function looks({ page }: Browser, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await shot(page, `${name}-${width}-${colorScheme}`, true);
      // Each width and each colour once: the check takes a second.
      if (width > 400 === (colorScheme === 'light') && width > 320)
        assert.equal(await axe(page), [], `${name}, ${width}, ${colorScheme}`);
      const [inner, outer] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth];
      });
      assert.ok(inner <= outer, `${name}: ${inner} wide in ${outer}`);
    }
}
