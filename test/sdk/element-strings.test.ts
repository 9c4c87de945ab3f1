/** The component's texts: every language has them all, and a page's own lie over them. */
import * as assert from 'uvu/assert';
import { FaceSignInElement, LANGUAGES } from '../../src/sdk/browser/element/index.ts';
import { dateIn, filled, languageOf, stringsOf, timeIn } from '../../src/sdk/browser/element/languages.ts';
import { SENTENCES } from '../../src/sdk/browser/index.ts';
import { suite } from '../support/suite.ts';

const test = suite('browser SDK: strings of the component');

/** Every text, by the way to it. */
function textsIn(value: unknown, path = ''): [string, string][] {
  return typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`));
}
const english = new Map(textsIn(LANGUAGES.en));

for (const [language, strings] of Object.entries(LANGUAGES)) {
  test(`${language}: complete, with the same places to fill in, and plain`, () => {
    const texts = new Map(textsIn(strings));
    assert.equal([...texts.keys()].sort(), [...english.keys()].sort());
    for (const [path, text] of texts) {
      const places = (of = '') => of.match(/\{\w+\}/g) ?? [];
      assert.equal(places(text), places(english.get(path)), path);
      assert.is(text, text.trim(), path);
      assert.ok(text.length > 0 && text.length < 200, `${path}: ${text.length}`);
      assert.not.match(text, /[<>]|descriptor|token|API/, path);
    }
  });
}

test('the languages differ in every sentence for a fault', () => {
  for (const [code, sentence] of Object.entries(SENTENCES))
    assert.is.not(LANGUAGES.es?.errors[code as keyof typeof SENTENCES], sentence, code);
});

test('a language is found by its tag; English stands for those that are not there', () => {
  const tags = {
    es: 'es',
    'es-MX': 'es',
    ES: 'es',
    en: 'en',
    'en-GB': 'en',
    de: 'en',
    '': 'en',
    constructor: 'en',
  };
  for (const [tag, language] of Object.entries(tags)) assert.is(languageOf(tag), language, tag);
});

test('texts of a page lie over those of the language, one by one', () => {
  const own = { signInTitle: 'Shop', errors: { no_match: 'Try the door.' }, guides: { blink: 'Wink.' } };
  const strings = stringsOf('es', own);
  assert.is(strings.signInTitle, 'Shop');
  assert.is(strings.errors.no_match, 'Try the door.');
  assert.is(strings.guides.blink, 'Wink.');
  assert.is(strings.errors.offline, LANGUAGES.es?.errors.offline);
  assert.is(strings.cancel, 'Cancelar');
  assert.is(LANGUAGES.es?.signInTitle, 'Entra con tu cara', 'and change nothing');
});

test('places are filled in, once, and those without a value stay', () => {
  assert.is(filled('{email}: {seconds} {rest}', { email: '{seconds}', seconds: 5 }), '{seconds}: 5 {rest}');
});

test('times to wait are told in words', () => {
  const told = [1, 90, 91, 900].map(seconds => timeIn('en', seconds));
  assert.equal(told, ['1 second', '90 seconds', '2 minutes', '15 minutes']);
  assert.is(timeIn('es', 600), '10 minutos');
});

test('a day is told in words, and is that of UTC wherever the person is', () => {
  const last = new Date('2026-03-15T23:59:59.999Z');
  assert.is(dateIn('en', last), 'March 15, 2026');
  assert.is(dateIn('es', last), '15 de marzo de 2026');
  assert.is(dateIn('en', new Date('2026-03-16T00:00:00.000Z')), 'March 16, 2026');
});

test('the component can be imported where there are no custom elements', () => {
  assert.is(typeof FaceSignInElement, 'function');
});

test.run();
