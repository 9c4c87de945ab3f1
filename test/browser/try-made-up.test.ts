/**
 * The page to try the service, with made-up faces: from enrolling to signing in, and how a stranger and a look-alike are
 * refused. They need no models.
 */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { enrollMadeUp, looks, openTab, press, shows } from './try-pages.ts';

const test = suite('browser: try, made-up faces');

const run = serviceFor(test, { env: { DEMO: 'on' } });
/** The encoder's own files. */
const MODELS = /\/try\/(?:face-api|model|wasm|encoder)\//;

test('after enrolling there is one next step, which leads to the button that signs in', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  const toSignIn = page
    .getByRole('button', { name: /sign in/i })
    .or(page.getByRole('radio', { name: /sign in/i }));
  assert.equal(await toSignIn.allInnerTexts(), ['Already enrolled? Sign in'], 'one way to sign in');
  await enrollMadeUp(page, 'ada@example.com');
  assert.equal(await toSignIn.allInnerTexts(), ['Now sign in with your face'], 'one way to sign in');
  await page.getByRole('button', { name: 'Now sign in with your face' }).click();
  const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent);
  assert.is(await focused(), 'Sign in');
  await shows(page, 'start');
  await page.keyboard.press('Enter');
  await shows(page, 'done');
  assert.match(await page.locator('#after').innerText(), /^Signed in by face\./);
  assert.match(
    await page.locator('#verdicts').innerText(),
    /Valid until \w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M (?:UTC|GMT|[A-Z]{3,4})/,
    'with date and zone',
  );
  await page.getByRole('button', { name: 'Sign in again' }).click();
  assert.is(await focused(), 'Sign in');
});

test('a stranger and a look-alike are refused: the page shows the code and what it means', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  const about = page.locator('#about-who');
  await enrollMadeUp(page, 'mary@example.com', 7);
  for (const [who, said] of [
    ['A stranger', /^Resembles nobody/],
    ['A look-alike of the person', /^Resembles person 7, .* distance of 0\.40, .* less than 0\.35/],
  ] as const) {
    await page.getByLabel('Who is there').selectOption(who);
    assert.match(await about.innerText(), said);
    assert.is(await page.locator('#after').innerText(), '');
    await press(page, 'Sign in');
    await page.getByText('Refused: no_match (HTTP 401).').waitFor();
    assert.match(
      await page.locator('#after').innerText(),
      /The answer is the same for a stranger, a look-alike/,
    );
    await page.getByText('No token was issued').waitFor();
    assert.match(await page.locator('#steps li').last().innerText(), /POST \/v1\/match → 401/);
    await looks(tab, `try-refused-${who.split(' ')[1]}`);
  }
  await page.getByLabel('Who is there').selectOption('The person');
  await press(page, 'Try again');
  await shows(page, 'done');
  assert.match(
    await page.locator('#after').innerText(),
    /^Signed in by face\./,
    'and the person still gets in',
  );
});

test('only the person enrolls, and the same face does not enroll twice', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  await enrollMadeUp(page, 'one@example.com', 8);
  await page.getByLabel('Who is there').selectOption('A stranger');
  await press(page, 'New here? Enroll your face');
  assert.is(await page.getByLabel('Who is there').inputValue(), 'person');
  await page.locator('face-sign-in').getByLabel('Email address').fill('two@example.com');
  await page.locator('face-sign-in').getByRole('checkbox').check();
  await press(page, 'Enroll');
  await page.getByText('Refused: face_already_enrolled (HTTP 409).').waitFor();
});

test('models are asked for only when the camera is chosen or started', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  const models = () => tab.asked.filter(one => MODELS.test(one.url())).length;
  await page.getByText('The face encoder loads when you start the camera.').waitFor();
  await enrollMadeUp(page, 'edith@example.com', 9);
  await page.getByLabel('Who is there').selectOption('A stranger');
  await press(page, 'Sign in');
  await page.locator('#after').getByText('Refused').waitFor();
  await page.waitForLoadState('networkidle');
  assert.is(models(), 0);
  await page.getByLabel('My camera').check({ force: true });
  await page.getByText('The face encoder is ready.').waitFor();
  assert.ok(models() >= 5, String(models()));
});

/** Keeps the user first. Each button is pressed again where it was, at once. */
async function eraseTwice(page: Page): Promise<void> {
  const twice = async (name: string) => {
    await page.getByRole('button', { name }).scrollIntoViewIfNeeded();
    const { x, y } = (await page.getByRole('button', { name }).boundingBox()) as { x: number; y: number };
    await page.getByRole('button', { name }).click();
    await page.mouse.click(x + 20, y + 20);
  };
  const dialog = page.getByRole('dialog', { name: 'Erase this user?' });
  await twice('Erase this user');
  assert.match(await dialog.innerText(), /eve@example\.com .* for good, with the name and the enrolled face/);
  const buttons = await dialog.getByRole('button').allInnerTexts();
  assert.equal(buttons, ['Keep the user', 'Erase the user'], 'the harmless answer first');
  await twice('Keep the user');
  assert.not(await dialog.isVisible());
  await page.getByText('Online: valid').waitFor();
  await twice('Erase this user');
  await twice('Erase the user');
}

test('erasing asks once more, and every button pressed twice counts once', async () => {
  await using tab = await openTab(run);
  const { page, asked } = tab;
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(`${run.portal}/try`);
    await enrollMadeUp(page, 'eve@example.com', 70);
    asked.length = 0;
    await eraseTwice(page);
    await page.getByText('Online: user_not_found').waitFor();
    assert.is(asked.filter(one => one.method() === 'DELETE').length, 1);
  }
});

test.run();
