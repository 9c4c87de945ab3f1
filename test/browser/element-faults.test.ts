/**
 * What the web component says in the console about a page that is set up wrong: one line for each fault, once, with the fix, and
 * nothing secret. The person reads a sentence. SHOTS=FOLDER keeps a picture of each.
 */
import type { Route } from 'playwright-core';
import * as assert from 'uvu/assert';
import { openedFor } from '../support/closing.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { fileOf, openFaultLab, startFaultPages } from './element-fault-pages.ts';
import { FAULTS, SYNTHETIC } from './element-fault-rows.ts';

const test = suite('browser: element faults');

const run = serviceFor(test);
const app = appFor(test, run);
const other = appFor(test, run, { origins: ['https://other.example'] });
const pages = openedFor(test, startFaultPages);
const elsewhere = openedFor(test, startFaultPages);
const lab = openedFor(test, () => openFaultLab(pages));

/** Until the component has said something, and then as long as it may say more. */
async function allSaid(): Promise<string> {
  while (lab.said().length === 0) await lab.page.waitForTimeout(20);
  await lab.page.waitForTimeout(300);
  return lab.said().join('\n');
}

for (const [name, { attributes, code, early, wanted, person }] of Object.entries(FAULTS))
  test(`${name}: said once, with the fix`, async () => {
    const [origin, elsewhereAt] = [pages.origin, elsewhere.origin];
    const page = { key: app.test.pk, base: run.base, other: other.live.pk, origin, elsewhere: elsewhereAt };
    const given = attributes?.(page) ?? { 'publishable-key': page.key, 'base-url': page.base };
    await lab.open(given, code ?? SYNTHETIC);
    if (!early) await lab.press();
    const said = await allSaid();
    assert.match(said, wanted);
    for (const line of lab.said()) assert.not.match(line, /_[ps]k_(live|test)_\w{5}|\n/, 'no key');
    if (!early || person) {
      if (early) await lab.press();
      await lab.page
        .locator('face-sign-in')
        .getByRole('alert')
        .filter({ hasText: person ?? '' })
        .waitFor();
      await lab.shoot(name);
      const { requests, cameras } = await used();
      assert.is(cameras, 0, 'no camera');
      if (!code?.includes('encoderWith')) assert.equal(requests, [], 'no models');
      await lab.page.locator('face-sign-in').getByRole('button', { name: 'Try again' }).click();
      await lab.page
        .locator('face-sign-in')
        .getByRole('alert')
        .filter({ hasText: person ?? '' })
        .waitFor();
    } else await lab.shoot(name);
    await lab.page.locator('face-sign-in').evaluate(element => element.setAttribute('theme', 'dark'));
    await lab.page.waitForTimeout(300);
    assert.is(lab.said().join('\n'), said, 'and not again');
  });

async function used() {
  const requests = lab.asked
    .map(one => new URL(one.url()).pathname)
    .filter(path => /\.(f16|bin|wasm)$/.test(path));
  // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
  return { requests, cameras: await lab.page.evaluate(() => (window as any).lab.cameras() as number) };
}

test('an address without https on an https page', async () => {
  const shop = 'https://shop.example';
  await lab.page.route(`${shop}/**`, async route =>
    route.fulfill(await fileOf(pages, new URL(route.request().url()).pathname)),
  );
  const attributes = { 'publishable-key': app.test.pk, 'base-url': 'http://signin.example' };
  await lab.open(attributes, SYNTHETIC, shop);
  await lab.press();
  assert.match(
    await allSaid(),
    /^error base-url http:\/\/signin\.example is not https, and browsers block it on an https page\. Serve the service by https$/,
  );
  await lab.page.unrouteAll();
});

/** Where a part of the component is needed, and what a network or a server does with it. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  stage: () => lab.press(),
  capture: () => lab.press(),
  codes: async () => {
    const element = lab.page.locator('face-sign-in');
    await element.getByRole('button', { name: 'Use an email code' }).click();
    await element.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
    await element.getByRole('button', { name: 'Send the code' }).click();
  },
};
const ANSWERS: Readonly<Record<string, Parameters<Route['fulfill']>[0] | null>> = {
  'no answer': null,
  'a failing server': { status: 500, body: '' },
  'a web page': { status: 200, contentType: 'text/html', body: '<!doctype html>' },
  'gone after an update': { status: 404, body: '' },
};

for (const [part, need] of Object.entries(PARTS))
  test(`${part}: a part of the component that does not come is not the fault of the page, and comes later`, async () => {
    const attributes = { 'publishable-key': app.test.pk, 'base-url': run.base };
    const faults = Object.entries(ANSWERS).slice(part === 'stage' ? 0 : -1);
    for (const [fault, answer] of [...faults, ['no network', null] as const]) {
      await lab.open(attributes, SYNTHETIC);
      const isOffline = fault === 'no network';
      const chunk = new RegExp(`/chunks/${part}-`);
      await lab.page.route(chunk, route => (answer ? route.fulfill(answer) : route.abort()));
      if (isOffline) await lab.page.evaluate("Object.defineProperty(navigator, 'onLine', { value: false })");
      await need();
      const sentence = isOffline
        ? 'There is no connection to the service.'
        : 'A part of this page could not be loaded.';
      const alert = lab.page.locator('face-sign-in').getByRole('alert');
      await alert.filter({ hasText: sentence }).waitFor();
      if (!isOffline) assert.match(await allSaid(), /^error a part of the SDK could not be loaded \(/, fault);
      await lab.page.unrouteAll();
      const again = part === 'codes' ? 'Send the code' : 'Try again';
      await lab.page.locator('face-sign-in').getByRole('button', { name: again, exact: true }).click();
      if (part === 'codes') await lab.page.locator('face-sign-in .card[data-view=code]').waitFor();
      else await alert.filter({ hasText: 'not recognised' }).waitFor();
    }
  });

test('a page that is set up well is silent, and so is one that keeps things of its own on the component', async () => {
  const attributes = {
    'publishable-key': app.test.pk,
    'base-url': run.base,
    class: 'a',
    'data-x': '1',
    'v-cloak': '',
  };
  await lab.open(
    attributes,
    `${SYNTHETIC} element.__reactProps$1 = {}; element.strings = { signInTitle: 'Shop' };`,
  );
  await lab.page.waitForTimeout(3_000);
  await lab.press();
  await lab.page.locator('face-sign-in').getByText('not recognised').waitFor();
  assert.equal(lab.said(), []);
});

test.run();
