/**
 * How the web component looks in each of its states, on a desk and on a phone, light and dark: axe-core finds nothing, nothing is
 * cut off or wider than the page, and whatever can be pressed is large enough. SHOTS=FOLDER keeps a picture of each.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { axe } from './chromium.ts';
import { elementLabFor, place } from './element-pages.ts';
import { type At, STATES } from './element-states.ts';

const test = suite('browser: element looks');
const SHOTS = process.env.SHOTS;
const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);
if (SHOTS) mkdirSync(SHOTS, { recursive: true });

const put: At['put'] = async (options = {}) => {
  await lab.page.unrouteAll();
  await place(lab, pages.origin, { key: app.test.pk, api: run.base, person: 0, ...options });
};
const at: At = { lab, put };

/** What is wider than its place, or too small to be pressed. */
const misfits = () =>
  lab.page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide in ${clientWidth}`);
    const root = document.querySelector('face-sign-in')?.shadowRoot;
    for (const one of root?.querySelectorAll('button, input:not([type=checkbox]), label.tick') ?? []) {
      const { width, height, left, right } = one.getBoundingClientRect();
      if (height < 44 || width < 44) found.push(`${one.outerHTML}: ${width} × ${height}`);
      if (left < 0 || right > clientWidth) found.push(`${one.outerHTML}: from ${left} to ${right}`);
    }
    for (const one of root?.querySelectorAll('.card *:not(video, progress, input)') ?? [])
      if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
        found.push(`${one.outerHTML}: ${one.scrollWidth} wide in ${one.clientWidth}`);
    return found;
  });

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state}: nothing wrong by axe-core, nothing cut off, nothing too small`, async () => {
    await lab.page.setViewportSize(SIZES.desk);
    await reach(at);
    for (const [name, size] of Object.entries(SIZES))
      for (const colorScheme of ['light', 'dark'] as const) {
        await lab.page.setViewportSize(size);
        await lab.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const what = `${state}, ${name}, ${colorScheme}`;
        const path = SHOTS && join(SHOTS, `${what.replace(/, | /g, '-')}.png`);
        if (path) await lab.page.screenshot({ path, fullPage: true });
        assert.equal(await axe(lab.page), [], what);
        assert.equal(await misfits(), [], what);
      }
    await lab.page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await misfits(), [], `${state}, 320 pixels`);
    assert.equal(
      lab.complaints.filter(text => !/status of (400|401|409|429)/.test(text)),
      [],
    );
  });
}

test('who wants less motion gets none, and a page may choose light or dark', async () => {
  await lab.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await STATES.loading?.(at);
  const moving = () =>
    lab.page.evaluate(() => {
      const all = document.querySelector('face-sign-in')?.shadowRoot?.querySelectorAll('*') ?? [];
      return [...all].flatMap(one => one.getAnimations({ subtree: true })).length;
    });
  assert.is(await moving(), 0);
  await lab.page.emulateMedia({ reducedMotion: 'no-preference' });
  assert.ok((await moving()) > 0, 'the waiting frame moves otherwise');

  const paper = () => lab.element.locator('.card').evaluate(card => getComputedStyle(card).backgroundColor);
  const light = await paper();
  await lab.element.evaluate(element => element.setAttribute('theme', 'dark'));
  const dark = await paper();
  assert.is.not(dark, light);
  await lab.page.emulateMedia({ colorScheme: 'dark' });
  await lab.element.evaluate(element => element.setAttribute('theme', 'light'));
  assert.is(await paper(), light);
});

test('the focus is to be seen', async () => {
  await at.put();
  await lab.page.keyboard.press('Tab');
  const outline = await lab.page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement;
    return inner ? getComputedStyle(inner).outline : '';
  });
  assert.match(outline, /3px/);
});

test.run();
