/**
 * Ids and keys cannot be guessed only as long as every character is equally likely. A modulo over bytes would favour
 * the first eight characters of the alphabet by a quarter: the chi-square test sees that at once.
 */
import * as assert from 'uvu/assert';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { base62, newId } from '../../src/domain/ids.ts';
import { cycling, seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';

const test = suite('ids');
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Of 61 degrees of freedom, exceeded by chance once in 10,000,000,000 runs. */
const CHI_SQUARE_LIMIT = 150;

function chiSquare(texts: readonly string[]): number {
  const counts = new Map([...ALPHABET].map(character => [character, 0]));
  for (const character of texts.join('')) counts.set(character, (counts.get(character) ?? Number.NaN) + 1);
  const expected = texts.join('').length / ALPHABET.length;
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test('an id is its prefix and 24 base62 characters', () => {
  const random = systemRandom();
  for (const prefix of ['app', 'key', 'usr', 'tpl', 'ch', 'jti'] as const)
    assert.match(newId(random, prefix), new RegExp(`^${prefix}_[0-9A-Za-z]{24}$`));
});

test('texts have the length asked for, whatever part of the bytes is thrown away', () => {
  for (const length of [1, 24, 32, 500]) assert.is(base62(systemRandom(), length).length, length);
  assert.is(base62(cycling(255, 248, 250, 61), 24), 'z'.repeat(24));
});

test('bytes that would favour some characters are not used', () => {
  assert.is(base62(cycling(248, 255, 0, 247, 62), 6), '0z00z0');
});

test('every character is equally likely, all over and at each place', () => {
  const random = seeded(20);
  const texts = Array.from({ length: 20_000 }, () => base62(random, 24));
  assert.ok(chiSquare(texts) < CHI_SQUARE_LIMIT, `chi-square ${chiSquare(texts)}`);
  for (const place of [0, 11, 23]) {
    const column = texts.map(text => text[place] as string);
    assert.ok(chiSquare(column) < CHI_SQUARE_LIMIT, `place ${place}: chi-square ${chiSquare(column)}`);
  }
});

test('the measure itself sees a plain modulo', () => {
  const bytes = seeded(21).bytes(480_000);
  const biased = [...bytes].map(byte => ALPHABET[byte % ALPHABET.length] as string);
  assert.ok(chiSquare(biased) > CHI_SQUARE_LIMIT);
});

test('no id comes twice, and the system gives different bytes to every call', () => {
  const random = systemRandom();
  const ids = new Set(Array.from({ length: 50_000 }, () => newId(random, 'usr')));
  assert.is(ids.size, 50_000);
  for (const length of [1, 16, 4_095, 4_096, 4_097, 10_000]) {
    const [one, two] = [random.bytes(length), random.bytes(length)];
    assert.is(one.length, length);
    if (length > 1) assert.not(one.equals(two), `${length} bytes`);
  }
});

test('bytes once given stay as they are when more are asked for', () => {
  const random = systemRandom();
  const first = random.bytes(32);
  const copy = Buffer.from(first);
  for (let i = 0; i < 500; i++) random.bytes(32);
  assert.ok(first.equals(copy));
});

test.run();
