/** When the camera starts, the web component is wholly visible: it scrolls if it has to, calmly if wanted, and moves no focus. */
import * as assert from 'uvu/assert';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, place } from './element-pages.ts';

const test = suite('browser: element scrolls into view');
const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);

/** The component so far down a page of 3,000 pixels, with an input above. Loading waits for `lab.go()`. */
async function putAt(top: number, height: number): Promise<void> {
  await lab.page.setViewportSize({ width: 500, height });
  await place(lab, pages.origin, { key: app.test.pk, api: run.base, person: null });
  await lab.page.evaluate(top => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
    const { lab } = window as any;
    lab.encoder.load = () =>
      new Promise<void>(resolve => {
        lab.go = resolve;
      });
    lab.scrolls = [];
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function (options) {
      lab.scrolls.push((options as ScrollIntoViewOptions).behavior);
      scrollIntoView.call(this, options);
    };
    const place = document.querySelector('#place') as HTMLElement;
    place.style.paddingTop = `${top}px`;
    document.body.style.height = '3000px';
    document.querySelector('h1')?.append(document.createElement('input'));
  }, top);
}
/** By script, since a test's own click would scroll. @param aside where the page is when the camera starts */
async function start(aside: number): Promise<void> {
  // A press right after a change does nothing.
  await lab.page.waitForFunction(() => {
    const button = document.querySelector('face-sign-in')?.shadowRoot?.querySelector('button.main');
    return button && getComputedStyle(button).pointerEvents !== 'none';
  });
  await lab.element.evaluate(element =>
    element.shadowRoot?.querySelector<HTMLElement>('button.main')?.click(),
  );
  // biome-ignore lint/suspicious/noExplicitAny: set above
  await lab.page.waitForFunction(() => (window as any).lab.go);
  await lab.page.evaluate(aside => {
    document.querySelector('input')?.focus({ preventScroll: true });
    scrollTo(0, aside);
    // biome-ignore lint/suspicious/noExplicitAny: set above
    (window as any).lab.go();
  }, aside);
  await lab.element.getByRole('status').filter({ hasText: 'Look straight' }).waitFor();
}
const settled = async () => {
  for (let last = -1; ; ) {
    const now = await lab.page.evaluate(() => scrollY);
    if (now === last) return now;
    last = now;
    await lab.page.waitForTimeout(250);
  }
};
const rectOf = (selector: string) =>
  lab.element.evaluate((element, selector) => {
    const found = selector === '' ? element : element.shadowRoot?.querySelector(selector);
    const { top, bottom } = (found as Element).getBoundingClientRect();
    return { top, bottom, height: innerHeight };
  }, selector);
// biome-ignore lint/suspicious/noExplicitAny: set above
const scrolls = () => lab.page.evaluate(() => (window as any).lab.scrolls as string[]);
const focused = () => lab.page.evaluate(() => document.activeElement?.tagName);

for (const [motion, behavior] of [
  ['reduce', 'instant'],
  ['no-preference', 'smooth'],
] as const)
  test(`hidden below: it is scrolled into view once (${motion}), and the focus stays where the person is`, async () => {
    await lab.page.emulateMedia({ reducedMotion: motion });
    await putAt(900, 800);
    await start(0);
    assert.ok((await settled()) > 0);
    const { top, bottom, height } = await rectOf('');
    assert.ok(top >= -1 && bottom <= height + 1, `${top} to ${bottom} of ${height}`);
    assert.equal(await scrolls(), [behavior]);
    assert.is(await focused(), 'INPUT');
  });

test('wholly visible: the page stays where it is', async () => {
  await putAt(100, 900);
  await start(20);
  assert.is(await settled(), 20);
  assert.equal(await scrolls(), []);
});

test('taller than the window: the preview is what is shown', async () => {
  await lab.page.emulateMedia({ reducedMotion: 'reduce' });
  await putAt(900, 420);
  await start(0);
  await settled();
  const { top, bottom, height } = await rectOf('.stage');
  assert.ok(top >= -1 && bottom <= height + 1, `${top} to ${bottom} of ${height}`);
});

test.run();
