/**
 * How the web component looks in each of its states, on a desk and on a phone, light and dark: axe-core finds nothing, nothing is
 * cut off or wider than the page, and whatever can be pressed is large enough. SHOTS=FOLDER keeps a picture of each.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { someEmail } from '../support/client.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import {
  axe,
  type ElementLab,
  type ElementPages,
  openElementLab,
  type Placed,
  place,
  shows,
  startElementPages,
} from './element-pages.ts';

const test = suite('browser: element looks');
const SHOTS = process.env.SHOTS;
const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
let run: Running;
let app: TestApp;
let pages: ElementPages;
let lab: ElementLab;

test.before(async () => {
  run = await startService();
  app = await run.createApp();
  pages = await startElementPages(run.base);
  lab = await openElementLab(pages);
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
});
test.after(async () => {
  await lab?.close();
  await Promise.all([run?.close(), pages?.close()]);
});

const put = (options: Partial<Placed> = {}) =>
  place(lab, pages.origin, { key: app.test.pk, api: run.base, person: 0, ...options });
const press = (name: string) => lab.element.getByRole('button', { name, exact: true }).click();
const enrolling = { mode: 'enroll' };

/** How to get to each state. */
const STATES: Record<string, () => Promise<void>> = {
  'sign-in': () => put(),
  enroll: () => put({ attributes: enrolling }),
  'enroll with faults': async () => {
    await put({
      attributes: { ...enrolling, 'policy-version': 'shop-1' },
      consent: 'The notice of the shop. '.repeat(6),
    });
    await press('Enroll');
  },
  'enroll in Spanish': () => put({ attributes: { ...enrolling, lang: 'es' } }),
  loading: async () => {
    await put();
    await lab.page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own way into the SDK
      (window as any).lab.encoder.load = ({ onProgress }: any) => {
        onProgress(0.4);
        return new Promise(() => undefined);
      };
    });
    await press('Sign in');
    await lab.element.getByRole('status').filter({ hasText: 'Getting ready' }).waitFor();
  },
  looking: async () => {
    await put({ person: null });
    await press('Sign in');
    await lab.element.getByRole('status').filter({ hasText: 'Look straight' }).waitFor();
    await lab.page.waitForTimeout(500);
  },
  problem: async () => {
    await put({ person: 60 });
    await press('Sign in');
    await shows(lab, 'problem');
  },
  email: async () => {
    await put();
    await press('Use a code by email');
  },
  code: async () => {
    await STATES.email?.();
    await lab.element.getByRole('textbox').fill('a.rather.long.address.of.somebody@mail.example.com');
    await press('Send the code');
    await shows(lab, 'code');
  },
  'code wrong': async () => {
    await STATES.code?.();
    await lab.element.getByRole('textbox').fill('123456');
    await press('Sign in');
    await lab.element.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
  },
  done: async () => {
    await put({ person: Object.keys(STATES).length, attributes: enrolling });
    await lab.element.getByLabel('Email address').fill(someEmail());
    await lab.element.getByRole('checkbox').check();
    await press('Enroll');
    await shows(lab, 'done');
  },
};

/** What is wider than the page, or too small to be pressed. */
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
    return found;
  });

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state}: nothing wrong by axe-core, nothing cut off, nothing too small`, async () => {
    await lab.page.setViewportSize(SIZES.desk);
    await reach();
    for (const [name, size] of Object.entries(SIZES))
      for (const colorScheme of ['light', 'dark'] as const) {
        await lab.page.setViewportSize(size);
        await lab.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const what = `${state}, ${name}, ${colorScheme}`;
        if (SHOTS) await lab.page.screenshot({ path: join(SHOTS, `${what.replace(/, | /g, '-')}.png`) });
        assert.equal(await axe(lab.page), [], what);
        assert.equal(await misfits(), [], what);
      }
    await lab.page.setViewportSize({ width: 320, height: 640 });
    assert.equal(await misfits(), [], `${state}, 320 pixels`);
    assert.equal(
      lab.complaints.filter(text => !/status of (400|401)/.test(text)),
      [],
    );
  });
}

test('who wants less motion gets none, and a page may choose light or dark', async () => {
  await lab.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await STATES.loading?.();
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
  await put();
  await lab.page.keyboard.press('Tab');
  const outline = await lab.page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement;
    return inner ? getComputedStyle(inner).outline : '';
  });
  assert.match(outline, /3px/);
});

test.run();
