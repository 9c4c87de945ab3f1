/** The page to try the service belongs to the app that was chosen in the portal, and leads back to it. */
import * as assert from 'uvu/assert';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { linkFor, openPortalBrowser, setUp } from './portal-pages.ts';
import { enrollMadeUp, looks } from './try-pages.ts';

const test = suite('browser: try, the chosen app');

const run = serviceFor(test, { env: { DEMO: 'on' } });

test("an app's pages lead to a trial of this app, which leads back", async () => {
  await using tab = await openPortalBrowser();
  const { page } = tab;
  await page.clock.setFixedTime(run.clock.now());
  await setUp(tab, await linkFor(run, { makesAdmin: true }), 'ada@mail.example');
  await page.getByRole('button', { name: 'Create an app' }).click();
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Create an app' }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
  const overview = page.url();
  const id = /app_\w+/.exec(overview)?.[0] ?? '';
  const menu = page.getByRole('link', { name: 'Try it', exact: true });
  assert.is(await menu.getAttribute('href'), `/try?app=${id}`);
  await page.getByRole('link', { name: 'Try this app in the browser first' }).click();
  await page.locator('#which', { hasText: `App Shop (${id})` }).waitFor();
  await enrollMadeUp(page, 'grace@example.com');
  assert.match(await page.locator('#token-claims').innerText(), new RegExp(`"app_id": "${id}"`));
  assert.equal(
    run
      .opened('users')
      .filter(({ email }) => email === 'grace@example.com')
      .map(row => row.app_id),
    [id],
  );
  await page.getByRole('link', { name: 'Open it in the portal' }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
  assert.is(page.url(), overview);
});

test('without a choice it is the demo app; an unknown one is named, and nothing can be tried', async () => {
  await using tab = await openPortalBrowser();
  const { page } = tab;
  await page.goto(`${run.portal}/try`);
  await page.locator('#which', { hasText: /^App Demo \(app_/ }).waitFor();
  await page.goto(`${run.portal}/try?app=app_nobody`);
  await page.getByText('There is no app with the ID “app_nobody” on this service. Choose an app.').waitFor();
  assert.is(await page.locator('face-sign-in').count(), 0);
  assert.not(await page.getByText('Use it in your app').isVisible());
  await looks(tab, 'try-unknown-app');
  await page.locator('#app').selectOption({ index: 1 });
  await page.locator('#which', { hasText: /^App (?:Demo|Shop) \(app_/ }).waitFor();
});

test.run();
