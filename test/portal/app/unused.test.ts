/** Nothing of the portal's pages is left over: every text and every style is used, and no text is there twice. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { en } from '../../../src/portal/app/strings/en/index.ts';
import { es } from '../../../src/portal/app/strings/es/index.ts';
import { suite } from '../../support/suite.ts';

const test = suite('portal: nothing unused');
const PORTAL = join(import.meta.dirname, '../../../src/portal');
/** Named by what the service answers. */
const BY_ANSWER = ['actions', 'roles'];

const textOf = (...patterns: string[]) =>
  patterns
    .flatMap(pattern => globSync(join(PORTAL, pattern)))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n');
const pages = textOf('app/{lib,ui,pages,shell}/*', 'app/index.html', 'page.{html,ts}');
const has = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(pages);

/** Each text with its name: `[group.name, English, Spanish]`. */
const texts = Object.entries(en).flatMap(([group, inEnglish]) => {
  const inSpanish: Record<string, unknown> = es[group as keyof typeof es];
  return Object.entries(inEnglish).map(
    ([name, text]) => [`${group}.${name}`, text, inSpanish[name]] as const,
  );
});

test('every text is named by a page', () => {
  const unused = texts.filter(([path]) => {
    const [group = '', name = ''] = path.split('.');
    return !BY_ANSWER.includes(group) && !has(name);
  });
  assert.equal(unused.map(String), []);
});

test('no text is there twice', () => {
  const seen = new Map<string, string>();
  const twice = texts.flatMap(([path, ...both]) => {
    if (BY_ANSWER.some(group => path.startsWith(`${group}.`)) || typeof both[0] !== 'string') return [];
    const key = both.join(' | ');
    const before = seen.get(key);
    seen.set(key, path);
    return before === undefined ? [] : [`${before} and ${path}: ${key}`];
  });
  assert.equal(twice, []);
});

test('every class of the styles is one of a page', () => {
  const classes = new Set(textOf('app/css/*.css').match(/(?<=\.)[a-z][a-z-]*(?=[^;{}]*\{)/g));
  assert.equal(
    [...classes].filter(name => !has(name)),
    [],
  );
});

test.run();
