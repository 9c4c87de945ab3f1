/**
 * Email and name as the wire takes them. An address that differs only in spelling must not make a second user, and
 * nothing of the value may come back in a message.
 */
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { email, liveness, name } from '../../src/protocol/fields.ts';
import { suite } from '../support/suite.ts';

const test = suite('fields');

function parse(schema: v.GenericSchema, input: unknown): { output: unknown } | { message: string } {
  const result = v.safeParse(schema, input, { abortEarly: true });
  return result.success ? { output: result.output } : { message: result.issues[0].message };
}

function accepts(schema: v.GenericSchema, input: unknown, output: unknown = input): void {
  assert.equal(parse(schema, input), { output }, JSON.stringify(input));
}

function refuses(schema: v.GenericSchema, input: unknown): void {
  const result = parse(schema, input);
  if (!('message' in result)) throw new Error(`accepted ${JSON.stringify(input)}`);
  assert.match(result.message, /^(?:must|is required)/);
  if (typeof input === 'string' && input.length > 3)
    assert.not(result.message.includes(input), result.message);
}

const LABEL = 'a'.repeat(63);
const LONGEST = `${'x'.repeat(254 - 10)}@a.example`;

test('email: one address, trimmed, kept as written', () => {
  const good = [
    'ana@example.com',
    'Ana.B@Example.COM',
    'a@b.c',
    "!#$%&'*+/=?^_`{|}~-@a.example",
    '.dots..anywhere.@a.example',
    'a+tag@sub.sub.example',
    'a@1.2',
    'a@x-y.example',
    `a@${LABEL}.example`,
    LONGEST,
  ];
  for (const text of good) accepts(email, text);
  accepts(email, ' \t ana@example.com \n', 'ana@example.com');
  accepts(email, `  ${LONGEST}  `, LONGEST);
});

test('email: anything else is refused', () => {
  const bad = [
    '',
    ' ',
    'ana',
    'ana@',
    '@example.com',
    'ana@localhost',
    'ana@example.com.',
    'ana@.example.com',
    'ana@example..com',
    'ana@-a.example',
    'ana@a-.example',
    'ana@a_b.example',
    `ana@${LABEL}a.example`,
    `x${LONGEST}`,
    'ana@b@example.com',
    'ana@example.com,bo@example.com',
    'ana@example.com;bo@example.com',
    'Ana <ana@example.com>',
    '"ana"@example.com',
    'an a@example.com',
    'ana@exam ple.com',
    'ana@example.com\nbcc: bo@example.com',
    'ana\r\n@example.com',
    'ana\0@example.com',
    'änä@example.com',
    'ana@exämple.com',
    'ana@[192.0.2.1]',
    'mailto:ana@example.com',
    'ana@example.com\u2028x',
  ];
  for (const text of bad) refuses(email, text);
  for (const value of [null, undefined, 1, true, {}, ['ana@example.com'], new String('ana@example.com')])
    refuses(email, value);
});

test('email: a hostile text is decided quickly', () => {
  const began = performance.now();
  for (const text of [`a@${'a-'.repeat(120)}`, `${'.'.repeat(250)}@`, `a@${'a.'.repeat(125)}`])
    refuses(email, text);
  assert.ok(performance.now() - began < 5_000);
});

test('name: trimmed, at most 200 code points, no control characters, no lone surrogates', () => {
  for (const text of ['', 'Ana', 'Ana María O’Neil', '李小龙', '👩‍👩‍👧', 'a'.repeat(200), '👍'.repeat(200)])
    accepts(name, text);
  accepts(name, '  Ana \n', 'Ana');
  accepts(name, '   ', '');
  accepts(name, ` ${'👍'.repeat(200)} `, '👍'.repeat(200));
  const bad = [
    'a'.repeat(201),
    '👍'.repeat(201),
    'A\0na',
    'A\nna',
    'A\tna',
    'A\u007fna',
    'A\u0085na',
    'Ana\ud800',
    '\udc00Ana',
  ];
  for (const text of bad) refuses(name, text);
  for (const value of [null, undefined, 1, false, {}, ['Ana']]) refuses(name, value);
});

test('liveness: a score from 0 to 1, at most 16 checks of 1 to 64 characters, and nothing else', () => {
  const check = '👍'.repeat(64);
  for (const value of [
    {},
    { score: 0 },
    { score: 1 },
    { score: 0.5, checks: [] },
    { checks: Array(16).fill(check) },
  ])
    accepts(liveness, value);
  accepts(liveness, { score: 0.5, more: 'x' }, { score: 0.5 });
  const bad = [
    null,
    [],
    'yes',
    1,
    { score: -0.001 },
    { score: 1.001 },
    { score: '1' },
    { score: null },
    { score: Number.NaN },
    { score: Number.POSITIVE_INFINITY },
    { checks: null },
    { checks: 'blink' },
    { checks: [''] },
    { checks: [`${check}x`] },
    { checks: [1] },
    { checks: Array(17).fill('blink') },
  ];
  for (const value of bad) refuses(liveness, value);
});

test.run();
