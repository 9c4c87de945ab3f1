/** How long the pages take in Chromium: the first page with an empty cache, going from page to page, and a chart. */
import { PORTAL_COOKIE } from '../../src/brand.ts';
import { PAUSE } from '../../src/click-guard.ts';
import { openBrowser } from '../../test/browser/chromium.ts';
import { median, quantile } from '../measure.ts';
import type { Data } from './data.ts';
import type { Figure } from './figure.ts';
import type { Operator } from './operator.ts';

const ROUNDS = 7;

export async function pages(portal: string, { app }: Data, operator: Operator): Promise<Figure[]> {
  const at = `${portal}/apps/${app}/live`;
  const cold: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const tab = await openBrowser('none');
    await tab.page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('h1'))
          document.documentElement.dataset.painted = String(performance.now());
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await tab.page.goto(`${portal}/sign-in`);
    await tab.page.waitForFunction(() => document.documentElement.dataset.painted !== undefined);
    cold.push(await tab.page.evaluate(() => Number(document.documentElement.dataset.painted)));
    await tab.close();
  }
  const tab = await openBrowser('none');
  try {
    const [name = '', value = ''] = operator.cookie.split('=');
    await tab.context.addCookies([{ name: name || PORTAL_COOKIE, value, url: portal }]);
    await tab.page.addInitScript(secret => sessionStorage.setItem('portal', secret), operator.secret);
    await tab.page.goto(`${at}/keys`);
    await tab.page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    // Milliseconds from the click to the first frame with what the page is for, counted inside the page.
    const go = (link: string, seen: string) =>
      tab.page.evaluate(
        ([href, selector]) =>
          new Promise<number>(resolve => {
            const began = performance.now();
            const look = () => {
              if (document.querySelector(selector as string)) resolve(performance.now() - began);
              else requestAnimationFrame(look);
            };
            document.querySelector<HTMLAnchorElement>(`nav a[href="${href}"]`)?.click();
            requestAnimationFrame(look);
          }),
        [new URL(link).pathname, seen],
      );
    const turns: [string, string][] = [
      [`${at}/users`, 'a[href*="/users/usr_"]'],
      [`${at}/events`, 'table time'],
      [`${at}/settings`, 'input'],
      [at, 'svg'],
      [`${at}/keys`, 'button.primary'],
    ];
    const [between, charts]: [number[], number[]] = [[], []];
    // The first round loads the pages' code.
    for (let round = 0; round <= ROUNDS; round++)
      for (const [link, seen] of turns) {
        // What has just been shown cannot be pressed yet.
        await tab.page.waitForTimeout(PAUSE + 100);
        const ms = await go(link, seen);
        if (round > 0) (seen === 'svg' ? charts : between).push(ms);
      }
    return [
      { name: 'first page painted, nothing cached', wanted: '≤ 400 ms', ...spread(cold, 400) },
      { name: 'page to page, until its content', wanted: '≤ 150 ms', ...spread(between, 150) },
      { name: 'chart of the days painted', wanted: '≤ 100 ms', ...spread(charts, 100) },
    ];
  } finally {
    await tab.close();
  }
}

const spread = (values: number[], most: number) => ({
  median: median(values),
  worst: quantile(values, 0.95),
  most,
});
