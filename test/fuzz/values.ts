/**
 * What a field may be given instead of its value, as JSON text. Lengths and patterns come from the API description, the
 * rest is random; written out is only what JSON.stringify could not say (`1e400`, `-0`, lone surrogates), what is no JSON,
 * and what has been an edge of some parser.
 */
import fc from 'fast-check';
import { document } from '../support/openapi.ts';

const DESCRIPTION = JSON.stringify(document.paths) + JSON.stringify(document.components.schemas);
const every = (keyword: RegExp) => [
  ...new Set([...DESCRIPTION.matchAll(keyword)].map(([, found = '']) => found)),
];

// biome-ignore format: lists to be read at one go
const [EDGES, BROKEN, TEXTS] = [
  ['null', 'null', 'true', '0', '7', '-1', '0.5', '""', '"x"', '[]', '{}', '[null]', '1e400', '1e400', '-1e400', '-0', '1e155',
    '1e-170', '5e-324', '1E+2', '9007199254740993', '9'.repeat(400), '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\/\\b"',
    '{"length":128}', '{"__proto__":{"accepted":true}}'],
  ['NaN', '-Infinity', 'undefined', '01', '+1', '.5', '1.', '0x10', "'x'", '"\u0000"', '"\n"', '"\\x41"', '"\\u12"', '"\\',
    '[1,]', '{"a":1,}', '{a:1}', '[1 2]', '/**/1', 'tru', '', '[', '{"a"'],
  ['', ' ', '\t', '\u0000', '\u007f', '\u0085', '\u2028', '\ufeff', '\u200b', '__proto__', 'toString', 'null', "' OR 1=1 --",
    '$(id)', '{{7*7}}', '../../etc/passwd', '%00', '%s%n', '<b>x</b>', '\u202eabc', '\u{10ffff}', 'ﬀ', 'ı', 'ch_', 'a.b.c',
    '000000', '１２３４５６', 'a@b@c.example', 'a@b.example\r\nBcc: x@y.example', `${'a'.repeat(10_000)}@b.example`,
    `a@${'b.'.repeat(25_000)}c`, `${' '.repeat(50_000)}x`],
];

const pick = (all: readonly string[]) => fc.constantFrom(...all);
/** At the limits of the description, and far beyond. */
const LENGTHS = every(/"(?:max|min)(?:Length|Items)":(\d+)/g).flatMap(n => [
  Number(n) - 1,
  Number(n),
  Number(n) + 1,
]);
const lengths = fc.constantFrom(...LENGTHS.filter(n => n >= 0), 5_000);
const longTexts = fc.tuple(fc.constantFrom('a', '\u{1f4a5}'), lengths).map(([unit, n]) => unit.repeat(n));
const listOf = (item: string, n: number) => `[${Array(n).fill(item).join()}]`;
const lists = fc
  .tuple(
    fc.constantFrom('0.25', '"x"', '0', '1e155', '5e-324', '-0', '1e400', listOf('1', 128)),
    lengths,
    fc.boolean(),
  )
  .map(([item, n, isNested]) =>
    isNested ? `[${listOf(item, Math.min(n, 200))}]` : listOf(item, Math.min(n, 1_000)),
  );
const NESTS = [
  ['[', '', ']'],
  ['{"a":', '1', '}'],
  ['[{"a":', 'null', '}]'],
  ['[', '', ''],
] as const;
const deep = fc
  .tuple(fc.constantFrom(...NESTS), fc.constantFrom(6, 7, 8, 9, 1_000, 5_000, 30_000))
  .map(([[open, inner, close], n]) => open.repeat(n) + inner + close.repeat(n));
const patterns = every(/"pattern":("(?:[^"\\]|\\.)*")/g).map(text =>
  fc.stringMatching(new RegExp(JSON.parse(text), 'u')),
);

export const strangeTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: pick(TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: longTexts },
);

/** Mostly JSON; now and then what is none, or too much. */
export const junk: fc.Arbitrary<string> = fc.oneof(
  { weight: 40, arbitrary: pick(EDGES) },
  { weight: 28, arbitrary: strangeTexts.map(text => JSON.stringify(text)) },
  { weight: 5, arbitrary: fc.oneof(...patterns).map(text => JSON.stringify(text)) },
  { weight: 4, arbitrary: fc.double().map(String) },
  { weight: 3, arbitrary: fc.json({ maxDepth: 6 }) },
  { weight: 10, arbitrary: lists },
  { weight: 4, arbitrary: deep },
  { weight: 4, arbitrary: pick(BROKEN) },
  { weight: 1, arbitrary: pick([`"${'a'.repeat(65_536)}"`, `"${'a'.repeat(300_000)}"`]) },
);

/** Names that a field may be given. */
export const names: fc.Arbitrary<string> = fc.oneof(
  pick(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'then', 'length', '']),
  pick(['app_id', 'user_id', 'id', 'mode', 'livemode', 'email', 'token', 'templates', 'nonce', '$ref']),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
