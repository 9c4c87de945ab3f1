/**
 * Sentences and texts: every code has a sentence for people, every language has all texts of the component, and a page's
 * own lie over them.
 */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { YEARS_WITHOUT_SIGN_IN } from '../../src/domain/retention.ts';
import { ERROR_STATUS } from '../../src/protocol/errors.ts';
import { FaceSignInElement, LANGUAGES, SHIPPED_POLICY } from '../../src/sdk/browser/element/index.ts';
import { filled, languageOf, load, stringsOf, timeIn } from '../../src/sdk/browser/element/languages.ts';
import { dateIn } from '../../src/sdk/browser/element/ownership.ts';
import type { Strings } from '../../src/sdk/browser/element/strings.ts';
import { FaceSignInError, isApiCode, isErrorOf, SENTENCES } from '../../src/sdk/browser/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite('browser SDK: sentences and strings');

/** Every text, by the way to it. */
function textsIn(value: unknown, path = ''): [string, string][] {
  return typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`));
}
const TABLES: Record<string, Strings> = {};
for (const language of LANGUAGES) {
  await load(language);
  TABLES[language] = stringsOf(language);
}
const english = new Map(textsIn(TABLES.en));

test('there are five languages, and each file of texts is one of them', () => {
  const files = globSync('strings-*.ts', { cwd: join(import.meta.dirname, '../../src/sdk/browser/element') });
  const translated = files.map(name => name.slice('strings-'.length, -'.ts'.length));
  assert.equal(['en', ...translated].sort(), [...LANGUAGES].sort());
  assert.equal([...LANGUAGES].sort(), ['de', 'en', 'es', 'fr', 'pt']);
});

for (const [language, strings] of Object.entries(TABLES)) {
  test(`${language}: complete, with the same places to fill in, and plain`, () => {
    const texts = new Map(textsIn(strings));
    assert.equal([...texts.keys()].sort(), [...english.keys()].sort());
    for (const [path, text] of texts) {
      const places = (of = '') => of.match(/\{\w+\}/g) ?? [];
      assert.equal(places(text), places(english.get(path)), path);
      assert.is(text, text.trim(), path);
      assert.ok(text.length > 0 && text.length < 300, `${path}: ${text.length}`);
      assert.not.match(text, /[<>]|descriptor|token|API/, path);
    }
  });
}

test('the languages differ in every sentence for a fault', () => {
  for (const code of Object.keys(SENTENCES)) {
    const all = Object.values(TABLES).map(({ errors }) => errors[code as keyof typeof SENTENCES]);
    assert.is(new Set(all).size, all.length, code);
  }
});

test('a person is addressed alike throughout: formally in German and French', () => {
  const informal = { de: /\b(du|dich|dir|dein\w*)\b/i, fr: /\b(tu|toi|ton|ta|tes)\b/i };
  for (const [language, pattern] of Object.entries(informal))
    for (const [path, text] of textsIn(TABLES[language]))
      assert.not.match(text, pattern, `${language}${path}`);
});

test('the shipped consent says how long the service keeps a face, and changes its version with its text', () => {
  for (const [language, { consentText }] of Object.entries(TABLES))
    assert.match(consentText, new RegExp(`\\b${YEARS_WITHOUT_SIGN_IN}\\b`), language);
  const all = Object.values(TABLES).map(({ consentText, consentAgree }) => consentText + consentAgree);
  const hash = createHash('sha256').update(all.join()).digest('hex').slice(0, 8);
  // A new text is a new notice: raise SHIPPED_POLICY, then put the new hash here.
  assert.equal([SHIPPED_POLICY, hash], ['face-sign-in-2', '0c87a49e']);
});

test('a language is found by its tag; English stands for those that are not there', () => {
  const tags = {
    es: 'es',
    'es-MX': 'es',
    ES: 'es',
    en: 'en',
    'en-GB': 'en',
    'pt-BR': 'pt',
    'de-AT': 'de',
    'fr-CA': 'fr',
    it: 'en',
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
  assert.is(strings.errors.offline, TABLES.es?.errors.offline);
  assert.is(strings.cancel, 'Cancelar');
  assert.is(TABLES.es?.signInTitle, 'Entra con tu cara', 'and change nothing');
});

test('places are filled in, once, and those without a value stay', () => {
  assert.is(filled('{email}: {seconds} {rest}', { email: '{seconds}', seconds: 5 }), '{seconds}: 5 {rest}');
});

test('times to wait are shown in words', () => {
  const times = [1, 90, 91, 900].map(seconds => timeIn('en', seconds));
  assert.equal(times, ['1 second', '90 seconds', '2 minutes', '15 minutes']);
  assert.is(timeIn('es', 600), '10 minutos');
  assert.equal(
    [timeIn('de', 60), timeIn('fr', 1), timeIn('pt', 600)],
    ['60 Sekunden', '1\u00a0seconde', '10 minutos'],
  );
});

test('a day is shown in words, and is that of UTC wherever the person is', () => {
  const last = new Date('2026-03-15T23:59:59.999Z');
  assert.is(dateIn('en', last), 'March 15, 2026');
  assert.is(dateIn('es', last), '15 de marzo de 2026');
  assert.is(dateIn('de', last), '15. März 2026');
  assert.is(dateIn('fr', last), '15 mars 2026');
  assert.is(dateIn('pt', last), '15 de março de 2026');
  assert.is(dateIn('en', new Date('2026-03-16T00:00:00.000Z')), 'March 16, 2026');
});

test('the component can be imported where there are no custom elements', () => {
  assert.is(typeof FaceSignInElement, 'function');
});

const codes = Object.keys(SENTENCES) as (keyof typeof SENTENCES)[];

test('the codes of the API are those of the service, all of them and no more', () => {
  assert.equal(codes.filter(isApiCode).sort(), Object.keys(ERROR_STATUS).sort());
  assert.is(isApiCode('camera_denied'), false);
  assert.is(isApiCode('toString'), false);
});

test('every code has a sentence for the person in front of the screen', () => {
  for (const [code, sentence] of Object.entries(SENTENCES)) {
    assert.match(sentence, /^[A-Z][^_{}`]*\.$/, code);
    assert.ok(sentence.length <= 100, code);
    assert.not.match(sentence, /\b(API|HTTP|token|key|descriptor|challenge|server|null)\b/i, code);
  }
});

test('an error carries its code, its sentence, its cause, and what a developer needs', () => {
  const cause = new Error('why');
  const plan = { limit: 1, used: 1, resetsAt: new Date(0) };
  const options = { cause, detail: 'd', status: 429, retryAfter: 7, requestId: 'r', plan };
  const error = new FaceSignInError('rate_limited', options);
  assert.instance(error, Error);
  assert.is(error.name, 'FaceSignInError');
  assert.is(error.message, SENTENCES.rate_limited);
  const { detail, status, retryAfter, requestId } = error;
  assert.equal({ cause: error.cause, detail, status, retryAfter, requestId, plan: error.plan }, options);
  assert.is(isErrorOf(error, 'rate_limited'), true);
  assert.is(isErrorOf(error, 'no_match'), false);
  assert.is(isErrorOf({ code: 'rate_limited' }, 'rate_limited'), false);
  assert.is('cause' in new FaceSignInError('no_match'), false, 'no cause is not a cause of undefined');
});

test.run();
