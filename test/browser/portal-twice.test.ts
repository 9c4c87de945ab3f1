/**
 * Every button of the portal that ends or erases something, pressed twice at the same spot at the speed of a double
 * click: the first press at most asks, and the second one does nothing. Also with a slow service.
 */
import * as assert from 'uvu/assert';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { ask, operatorsFor } from '../support/portal.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import type { Browser } from './chromium.ts';
import { openPortalBrowser, setUp } from './portal-pages.ts';

const test = suite('browser: pressed twice in the portal');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
let at = '';
let webhook = '';
let tab: Browser;
let changes: string[] = [];
let delay = 0;

test.before(async () => {
  at = `/apps/${(await run.createApp()).id}/test`;
  const admin = await operators.create({ isAdmin: true, name: 'Root', teams: { [FIRST_TEAM]: 'owner' } });
  await operators.create({ name: 'Bob', teams: { [FIRST_TEAM]: 'developer' } });
  const json = { email: 'new@mail.example', role: 'viewer' };
  await ask(run, 'POST', `/teams/${FIRST_TEAM}/invitations`, { as: admin, json });
  const made = { as: admin, json: { url: 'http://127.0.0.1:9/hooks' } };
  webhook = (await ask(run, 'POST', `${at}/webhooks`, made)).json.webhook.id;
  tab = await openPortalBrowser();
  await setUp(tab, (await operators.link({ operatorId: admin.id })).url);
  // What would change something is noted, and answered in place of the service, so that everything stays.
  await tab.page.route('**/internal/**', async route => {
    const request = route.request();
    if (request.method() === 'GET') return route.continue();
    changes.push(`${request.method()} ${request.url()}`);
    await new Promise(done => setTimeout(done, delay));
    await route.fulfill({ status: 204 });
  });
});
test.after(() => tab?.close());

/** Page, button that opens the question or acts at once, and how many changes two presses may make. */
const ROWS: [path: () => string, button: RegExp, changes: 0 | 1][] = [
  [() => '/account', /^Remove/, 0],
  [() => '/account', /^End$/, 1],
  [() => '/teams', /^Remove/, 0],
  [() => '/teams', /^Withdraw/, 1],
  [() => `${at}/keys`, /^Revoke/, 0],
  [() => `${at}/webhooks/${webhook}`, /^Disable/, 0],
  [() => `${at}/webhooks/${webhook}`, /^Delete/, 0],
  [() => `${at}/settings`, /^Delete/, 0],
  [() => '/installation/operators', /^Disable/, 0],
  [() => '/installation/operators', /^End sessions/, 1],
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
  test(`${name.source} on ${path.toString().slice(6)}: two presses do what one may`, async () => {
    for (const [width, pause, slow] of RUNS) {
      const when = `at ${width}, ${pause} ms between, ${slow} ms of the service`;
      delay = slow;
      await tab.page.setViewportSize({ width, height: 860 });
      await tab.page.goto(run.portal + path());
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
      assert.ok(changes.length <= most, `${when}: ${changes}`);
    }
  });

test.run();
