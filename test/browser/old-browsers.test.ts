/**
 * Chromium without everything that the oldest supported browsers lack, by MDN's data: people enroll and sign in with the
 * component, and the real encoder describes a face as ever. In a browser that is older still, nobody is told that the page is
 * set up wrong.
 */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { features } from '../support/browser-versions.ts';
import { someEmail } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, eventsOf, place, shows } from './element-pages.ts';

const test = suite('browser: old browsers');
const run = serviceFor(test);
const app = appFor(test, run);
/** These browsers get a style element, which the page's policy has to allow. */
const NONCE = 'r4nd0m';
const { lab, pages } = elementLabFor(test, run, `'self' 'nonce-${NONCE}'`);

/** Playwright needs these in the page. */
const KEPT = ['Promise.try'];
const NEWER = features()
  .filter(({ has, path }) => !has && !KEPT.includes(path))
  .map(({ path }) => path);

/** Removes globals and members before the page's own scripts run. @returns how many there were */
const remove = (page: Page, paths: readonly string[]) =>
  page.addInitScript((paths: readonly string[]) => {
    // biome-ignore lint/suspicious/noExplicitAny: any global
    const all = globalThis as any;
    const removed: string[] = [];
    for (const path of paths) {
      const parts = path.split('.');
      const name = parts.pop() as string;
      const owner = parts.reduce((at, part) => at?.[part], all);
      for (const at of parts.length === 0 ? [all, Object.getPrototypeOf(all)] : [owner, owner?.prototype])
        if (at && Object.hasOwn(at, name) && delete at[name]) removed.push(path);
    }
    all.removed = removed;
  }, paths);

const put = (mode: string, more: Record<string, string> = {}) =>
  place(lab, pages.origin, {
    key: app.test.pk,
    api: run.base,
    person: 1,
    attributes: { mode, nonce: NONCE, ...more },
  });
const press = (name: string) => lab.element.getByRole('button', { name, exact: true }).click();

test('with the oldest supported browsers people enroll and sign in, and see the styles', async () => {
  await remove(lab.page, NEWER);
  const email = someEmail();
  await put('enroll');
  await lab.element.getByLabel('Email address').fill(email);
  await lab.element.getByRole('checkbox').check();
  await press('Enroll');
  const removed: string[] = await lab.page.evaluate('removed');
  for (const path of [
    'URL.canParse',
    'AbortSignal.any',
    'Array.findLast',
    'Document.adoptedStyleSheets',
    'HTMLVideoElement.requestVideoFrameCallback',
    'OffscreenCanvas',
  ])
    assert.ok(removed.includes(path), `${path} of ${removed.length}`);
  await shows(lab, 'done');
  assert.is(await lab.element.locator('.card').evaluate(card => getComputedStyle(card).borderRadius), '16px');
  await put('sign-in');
  await press('Sign in');
  await lab.element.locator('.stage').waitFor();
  assert.is(await lab.element.locator('video').evaluate(video => getComputedStyle(video).objectFit), 'cover');
  await shows(lab, 'done');
  const events = await eventsOf(lab);
  assert.equal(
    events.map(({ name, user }) => [name, user.email]),
    [['face-sign-in', email]],
  );
  assert.equal(lab.complaints, []);
});

test('in a browser that is older still, people read that it is too old, and not that the page is set up wrong', async () => {
  await remove(lab.page, ['structuredClone']);
  await put('sign-in');
  // As code does that calls what is not there.
  await lab.page.evaluate('lab.encoder.detect = async () => [].missing()');
  await press('Sign in');
  await lab.element.getByRole('alert').filter({ hasText: 'This browser is too old.' }).waitFor();
  const [{ code }] = await eventsOf(lab);
  assert.is(code, 'browser_too_old');
});

test.run();
