/** The languages of the web component in a real browser: only the one that is used is loaded, and nobody sees another before. */
import * as assert from 'uvu/assert';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { elementLabFor, place } from './element-pages.ts';

const test = suite('browser: element languages');
const run = serviceFor(test);
const app = appFor(test, run);
const { lab, pages } = elementLabFor(test, run);

const put = (attributes: Record<string, string> = {}) =>
  place(lab, pages.origin, { key: app.test.pk, api: run.base, person: 0, attributes });
const loaded = () => lab.asked.flatMap(request => /strings-(\w+)-/.exec(request.url())?.[1] ?? []).sort();
/** Whether the first line of that text reads from the right, by where its first and its last character are. */
const fromRight = (selector: string) =>
  lab.element.evaluate((element, selector) => {
    const at = (element.shadowRoot?.querySelector(selector) ?? element.querySelector(selector)) as Element;
    const text = at.firstChild as Text;
    const [first, last] = [0, text.length - 1].map(from => {
      const range = document.createRange();
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      return range.getBoundingClientRect();
    }) as [DOMRect, DOMRect];
    return first.left > last.left;
  }, selector);
const title = () => lab.element.locator('h2');
const card = () => lab.element.locator('.card');

test('an English page loads no other language, and neither does a page in a language that is not there', async () => {
  await put();
  await title().filter({ hasText: 'Sign in with your face' }).waitFor();
  await put({ lang: 'it' });
  await title().filter({ hasText: 'Sign in with your face' }).waitFor();
  assert.equal(loaded(), []);
  assert.is(await card().getAttribute('lang'), 'en');
});

for (const [tag, language, words] of [
  ['de-AT', 'de', 'Mit dem Gesicht anmelden'],
  ['es', 'es', 'Entra con tu cara'],
  ['fr-CA', 'fr', 'Se connecter avec son visage'],
  ['pt-BR', 'pt', 'Entre com seu rosto'],
] as const)
  test(`${tag}: loads that language alone`, async () => {
    await put({ lang: tag });
    await title().filter({ hasText: words }).waitFor();
    assert.equal(loaded(), [language]);
    assert.is(await card().getAttribute('lang'), language);
  });

test('nothing is visible before the language is there; later the old texts stay until the new ones are', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>(resolve => {
    arrive = resolve;
  });
  await lab.page.route('**/strings-de-*', async route => {
    await arrived;
    await route.continue();
  });
  await put({ lang: 'de' });
  await title().waitFor({ state: 'attached' });
  assert.not(await title().isVisible());
  arrive();
  await title().filter({ hasText: 'Mit dem Gesicht anmelden' }).waitFor();
  assert.ok(await title().isVisible());
  await lab.page.unrouteAll();

  await lab.page.route('**/strings-fr-*', () => undefined);
  await lab.element.evaluate(element => element.setAttribute('lang', 'fr'));
  assert.ok(await title().isVisible());
  await lab.page.unrouteAll();
});

test('on a page in Arabic the English texts read from the left, and the page’s own from the right', async () => {
  const arabic = async (strings?: object) => {
    await place(lab, pages.origin, {
      key: app.test.pk,
      api: run.base,
      attributes: { mode: 'enroll', 'policy-version': 'shop-1' },
      consent: 'نحتفظ بها.',
    });
    await lab.page.evaluate(given => {
      Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' });
      // biome-ignore lint/suspicious/noExplicitAny: as the SDK's types say
      (document.querySelector('face-sign-in') as any).strings = given;
    }, strings);
    await lab.element.getByRole('button').first().click();
    const [intro, missing] = [await fromRight('.soft'), await fromRight('.fault:not(:empty)')];
    const card = await lab.element.locator('.card').evaluate(one => getComputedStyle(one).direction);
    return { card, intro, missing, notice: await fromRight('[slot=consent]') };
  };
  assert.equal(await arabic(), { card: 'ltr', intro: false, missing: false, notice: true });
  assert.is(await card().getAttribute('lang'), 'en');
  const own = { enrollTitle: 'سجل وجهك', enrollIntro: 'انظر.' };
  assert.equal(await arabic(own), { card: 'rtl', intro: true, missing: false, notice: true });
});

test('a language that cannot be loaded is replaced by English, with one warning', async () => {
  await lab.page.route('**/strings-pt-*', route => route.abort());
  await put({ lang: 'pt' });
  await title().filter({ hasText: 'Sign in with your face' }).waitFor();
  await lab.page.waitForFunction(() => {
    const card = document.querySelector('face-sign-in')?.shadowRoot?.querySelector('.card');
    return card?.getAttribute('lang') === 'en' && getComputedStyle(card).visibility === 'visible';
  });
  const said = lab.warnings.filter(text => text.startsWith('face-sign-in: '));
  assert.is(said.length, 1, String(lab.warnings));
  assert.match(
    said[0] ?? '',
    /^face-sign-in: the texts in "pt" could not be loaded, so they are in English: /,
  );
  await lab.page.unrouteAll();
});

test.run();
