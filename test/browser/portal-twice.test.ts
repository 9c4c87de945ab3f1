/**
 * Every button of the portal that ends or erases something, pressed twice at the same spot at the speed of a double
 * click: the first press at most asks, and the second one does nothing. Also with a slow service.
 */
import * as assert from 'uvu/assert';
import { type Fake, startFake } from '../portal/app/fake.ts';
import { suite } from '../support/suite.ts';
import type { Browser } from './chromium.ts';
import { openPortalBrowser, setUp } from './portal-pages.ts';

const test = suite('browser: pressed twice in the portal');
const APP = '/apps/app_shop4f9aK2mQ/test';
let run: Fake;
let data: Fake['data'];
let tab: Browser;
let changes: string[] = [];
let delay = 0;

test.before(async () => {
  [run, tab] = await Promise.all([startFake(), openPortalBrowser()]);
  await setUp(tab, `${run.origin}/link#any`, 'ada@mail.example');
  data = structuredClone(run.data);
  run.rule = async (ctx, path) => {
    if (ctx.method === 'GET') return null;
    changes.push(`${ctx.method} ${path}`);
    await new Promise(done => setTimeout(done, delay));
    return null;
  };
});
test.after(async () => {
  await Promise.all([tab?.close(), run?.close()]);
});

/** Page, button that opens the question or acts at once, and how many changes two presses may make. */
const ROWS: [path: string, button: RegExp, changes: 0 | 1][] = [
  ['/account', /^Remove/, 0],
  ['/account', /^End$/, 1],
  ['/teams', /^Remove/, 0],
  ['/teams', /^Withdraw/, 1],
  [`${APP}/keys`, /^Revoke/, 0],
  [`${APP}/settings`, /^Delete/, 0],
  ['/installation/operators', /^Disable/, 0],
  ['/installation/operators', /^End sessions/, 1],
];

/** Width of the page, milliseconds between the presses, and how long the service takes. */
const RUNS = [
  [1280, 60, 0],
  [390, 250, 0],
  [320, 450, 0],
  [320, 250, 700],
] as const;

/** At the same spot, however the page has moved under it. */
async function pressTwice(name: RegExp, pause: number): Promise<void> {
  const { page } = tab;
  const button = page.getByRole('button', { name }).last();
  await button.click({ trial: true });
  const box = await button.boundingBox();
  assert.ok(box, String(name));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await new Promise(done => setTimeout(done, pause));
  await page.mouse.click(x, y);
}

for (const [path, name, most] of ROWS)
  test(`${path}, ${name.source}: two presses do what one may`, async () => {
    for (const [width, pause, slow] of RUNS) {
      const at = `at ${width}, ${pause} ms between, ${slow} ms of the service`;
      delay = slow;
      Object.assign(run.data, structuredClone(data));
      await tab.page.setViewportSize({ width, height: 860 });
      await tab.page.goto(run.origin + path);
      changes = [];
      await pressTwice(name, pause);
      if (most === 0) {
        const dialog = tab.page.getByRole('dialog');
        await dialog.waitFor();
        assert.is(
          await dialog.getByRole('button').first().textContent(),
          'Cancel',
          'the harmless answer is first',
        );
      } else await tab.page.waitForTimeout(slow + 200);
      await tab.page.waitForSelector('html:not(.paused)');
      assert.ok(changes.length <= most, `${at}: ${changes}`);
    }
  });

test.run();
