/** The code on the page to try the service: in five languages, whole lines, with what the key is, and it runs as it is copied. */
import * as assert from 'uvu/assert';
import { SNIPPETS, TABS, type Tab } from '../../src/portal/app/pages/snippets.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { servePages } from './chromium.ts';
import { looks, openTab } from './try-pages.ts';

const test = suite('browser: try, code');

const run = serviceFor(test, { env: { DEMO: 'on' } });
const NAMES = Object.values(TABS);

test('five languages by mouse and keyboard, from the source that the quick start has', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  await page.getByLabel('Made up').check({ force: true });
  await page.getByText('A made-up face: needs no camera').waitFor();
  assert.equal(await page.getByRole('tab').allInnerTexts(), NAMES);
  const setup = await (await fetch(`${run.portal}/try/setup.json`)).json();
  const keysPage = `${run.portal}/apps/${setup.app.id}/test/keys`;
  assert.is(
    await page.getByRole('link', { name: 'make a lasting one' }).getAttribute('href'),
    new URL(keysPage).pathname,
  );
  for (const [language, name] of Object.entries(TABS) as [Tab, string][]) {
    assert.is(await page.getByRole('tab', { selected: true }).innerText(), name);
    const shown = await page.locator('#code-texts pre').allTextContents();
    const expected = SNIPPETS[language]({
      ...setup.snippets,
      issuer: setup.issuer,
      appId: setup.app.id,
      publishable: setup.app.publishable_key,
      secret: 'YOUR_SECRET_TEST_KEY',
      keyNotes: [
        'Guest key: works only while this server runs with DEMO=on.',
        `Make a lasting one: ${keysPage}`,
      ],
    });
    assert.equal(
      shown,
      expected.map(({ text }) => text),
    );
    const whole = shown.join('\n');
    if (whole.includes(setup.app.publishable_key)) {
      const lines = whole.split('\n');
      const key = lines.findIndex(line => line.includes(setup.app.publishable_key));
      const before = lines.slice(Math.max(0, key - 4), key).join('\n');
      assert.match(before, /Guest key: works only while this server runs with DEMO=on\./, name);
      assert.ok(before.includes(`Make a lasting one: ${keysPage}`), name);
    }
    await looks(tab, `try-code-${language}`);
    await page.getByRole('tab', { selected: true }).press('ArrowRight');
  }
  assert.is(await page.getByRole('tab', { selected: true }).innerText(), 'HTML', 'around');
});

test('a line never breaks: the block scrolls sideways, by keyboard too', async () => {
  await using tab = await openTab(run);
  const { page } = tab;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('#code-texts pre').waitFor();
  for (const name of NAMES) {
    await page.getByRole('tab', { name }).click();
    for (const block of await page.locator('#code-texts pre').all()) {
      const { lines, tall, line, scrolls, wide } = await block.evaluate(pre => {
        const style = getComputedStyle(pre);
        const inner =
          pre.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
        return {
          lines: (pre.textContent ?? '').trimEnd().split('\n').length,
          tall: inner,
          line: Number.parseFloat(style.lineHeight),
          scrolls: style.overflowX,
          wide: pre.scrollWidth > pre.clientWidth,
        };
      });
      assert.is(Math.round(tall / line), lines, `${name}: no line has broken`);
      assert.equal([scrolls, await block.getAttribute('tabindex')], ['auto', '0']);
      assert.ok(wide || lines < 3, name);
    }
  }
});

test('the page as it is copied enrolls with a made-up face in a page of its own', async () => {
  const tab = await openTab(run);
  const { page } = tab;
  let html = '';
  const site = await servePages(() => html);
  try {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Made up').check({ force: true });
    await page.getByText('A made-up face: needs no camera').waitFor();
    await page.getByRole('button', { name: 'Copy: index.html' }).click();
    await page.getByText('Copied').waitFor();
    html = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto(site.origin);
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Enroll', exact: true }).click();
    await page.getByText('Signed in: grace@example.com').waitFor();
  } finally {
    await Promise.all([tab.close(), site.close()]);
  }
});

test.run();
