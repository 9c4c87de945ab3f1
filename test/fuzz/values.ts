/**
 * What a field may be given instead of its value, as JSON text: some of it is no JSON, or says what JSON.stringify could
 * not (`1e400`, `-0`, lone surrogates, 100,000 levels). Written out rather than random, so that a run reaches all of it.
 */
import fc from 'fast-check';
import { document } from '../support/openapi.ts';

const repeat = (text: string, count: number) => text.repeat(count);
const nested = (depth: number, open: string, close: string, inner = '') =>
  repeat(open, depth) + inner + repeat(close, depth);

const TYPES = ['null', 'true', 'false', '0', '7', '-1', '0.5', '""', '"x"', '[]', '{}', '[[]]', '[null]'];
const OBJECTS = ['{"a":1}', '{"":{}}', '{"length":128}', '{"__proto__":{"accepted":true}}', '{"0":1,"1":2}'];

// biome-ignore format: a list to be read at one go
const NUMBERS = [
  ...['1e400', '-1e400', '-0', '-0.0', '0e0', '1e155', '-1e155', '1e-170', '5e-324', '-5e-324', '1e308'],
  '1.7976931348623159e308', '1e39', '-1e39', '1e-46', '1e-400', '0.1e-5', '1E+2', '2147483648',
  '4294967296', '9007199254740993', '-9223372036854775809', '1.0000000000000002', repeat('9', 400),
  `0.${repeat('3', 400)}`,
];
/** No JSON: the whole body is refused. */
// biome-ignore format: a list to be read at one go
const BROKEN = [
  'NaN', 'Infinity', '-Infinity', 'undefined', '01', '+1', '.5', '1.', '0x10', '1_000', "'x'", '"\u0000"',
  '"\n"', '"\\x41"', '"\\u12"', '"\\', '[1,]', '{"a":1,}', '{a:1}', '[1 2]', '/**/1', 'tru', '', '[',
  '{"a"',
];

// biome-ignore format: a list to be read at one go
const TEXTS = [
  '', ' ', '\t', '\u0000', 'a\u0000b', '\u0001\u001f', '\u007f', '\u0085', '\u2028', '\ufeff', '\uffff',
  '\u200b', '__proto__', 'constructor', 'prototype', 'toString', 'null', 'true', 'NaN', '0', '-1',
  '[object Object]', "' OR 1=1 --", '"; DROP TABLE users; --', '$(id)', '{{7*7}}', '../../etc/passwd',
  '%00', '%s%n', '<b>x</b>', '\u202eabc', '\u0645\u0631\u062d\u0628\u0627', 'a\u0301\u0301\u0301',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f466}', '\u{1f4a5}', '\u{10ffff}', 'ﬀ', 'ı', 'ch_',
  'ch_000000000000000000000000', 'usr_000000000000000000000000', 'a.b.c', '..', '000000', '１２３４５６',
  ...['a@b', 'a@b@c.example', 'a b@c.example', 'a@b.example\r\nBcc: x@y.example', 'a@b.example,c@d.example'],
  ...[63, 64, 65, 100, 101, 200, 201, 253, 254, 255, 256, 257, 1_000, 60_000].map(count =>
  repeat('a', count), ), ...[64, 65, 100, 101, 200, 201].map(count => repeat('\u{1f4a5}', count)),
  ...[10_000, 50_000].flatMap(count => [`${repeat('a', count)}@b.example`, `a@${repeat('b.', count / 2)}c`]),
  `${repeat(' ', 50_000)}x`,
];
/** Escapes that are JSON but no well-formed text. */
const LONE = ['"\\ud800"', '"\\udfff\\ud800"', '"a\\udc00b"', '"\\uD83D"', '"\\u0000"', '"\\/\\b\\f"'];

const DEPTHS = [6, 7, 8, 9, 1_000, 30_000];
const DEEP = [
  ...DEPTHS.map(depth => nested(depth, '[', ']')),
  ...[6, 7, 8, 9, 5_000].map(depth => nested(depth, '{"a":', '}', '1')),
  nested(4_000, '[{"a":', '}]', 'null'),
  repeat('[', 50_000),
];
/** More than any route but enroll takes, and more than all. */
const HUGE = [nested(100_000, '[', ']'), `"${repeat('a', 65_536)}"`, `"${repeat('a', 300_000)}"`];

const ARRAYS = [
  ...[1, 2, 3, 4, 5, 6, 16, 17, 127, 128, 129, 5_000].flatMap(count => [
    `[${Array(count).fill('0.25').join()}]`,
    `[${Array(count).fill('"x"').join()}]`,
  ]),
  ...[0, 1, 6].map(
    count =>
      `[${Array(count)
        .fill(`[${Array(128).fill('1').join()}]`)
        .join()}]`,
  ),
  `[${Array(128).fill('0').join()}]`,
  `[[${Array(128).fill('1e155').join()}]]`,
  `[[${Array(128).fill('1e-170').join()}]]`,
  `[[${Array(128).fill('5e-324').join()}]]`,
  `[[${Array(128).fill('-0').join()}]]`,
  `[[${[...Array(127).fill('1'), '1e400'].join()}]]`,
  `[[${[...Array(127).fill('1'), 'null'].join()}]]`,
];

/** Whatever JSON text can hold between its quotes, well-formed or not in Unicode. */
const anyText = fc.string({ unit: 'binary', maxLength: 40 }).map(text => JSON.stringify(text));

/** Texts that the patterns of the description accept, for fields that have others. */
const patterns = [...new Set(JSON.stringify(document.paths).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g))]
  .map(([, text = '""']) => JSON.parse(text) as string)
  .filter((pattern, index, all) => all.indexOf(pattern) === index)
  .map(pattern => fc.stringMatching(new RegExp(pattern, 'u')).map(text => JSON.stringify(text)));

const pick = (all: readonly string[]) => fc.constantFrom(...all);

/** Mostly JSON; now and then what is none, or too much. */
export const junk: fc.Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: pick(TYPES) },
  { weight: 4, arbitrary: pick(OBJECTS) },
  { weight: 14, arbitrary: pick(NUMBERS) },
  { weight: 18, arbitrary: pick(TEXTS.map(text => JSON.stringify(text))) },
  { weight: 5, arbitrary: pick(LONE) },
  { weight: 10, arbitrary: anyText },
  { weight: 5, arbitrary: fc.oneof(...patterns) },
  { weight: 4, arbitrary: fc.double().map(String) },
  { weight: 3, arbitrary: fc.json({ maxDepth: 6 }) },
  { weight: 10, arbitrary: pick(ARRAYS) },
  { weight: 4, arbitrary: pick(DEEP) },
  { weight: 4, arbitrary: pick(BROKEN) },
  { weight: 1, arbitrary: pick(HUGE) },
);

/** Names that a field may be given. */
export const names: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'then',
    'length',
    '',
  ),
  fc.constantFrom(
    'app_id',
    'user_id',
    'id',
    'mode',
    'livemode',
    'email',
    'token',
    'templates',
    'nonce',
    '$ref',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

export const strangeTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary' }),
);
