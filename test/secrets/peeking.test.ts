/** What is decrypted together, without being authenticated, is what opening each would give. */
import { createSecretKey } from 'node:crypto';
import * as assert from 'uvu/assert';
import { openSealed, peek, seal, UnknownKey } from '../../src/adapters/secrets/sealing.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { suite } from '../support/suite.ts';

const test = suite('secrets: peeking');
const random = systemRandom();
const keys = ['00', '01'].map(end => ({
  id: `00112233445566${end}`,
  key: createSecretKey(random.bytes(32)),
}));
const ring = new Map(keys.map(({ id, key }) => [id, key]));
const sealed = (clear: Uint8Array, which = 0) =>
  seal(keys[which] as (typeof keys)[number], ['user', 'app', 'live', 'usr'], clear, random);

test('values of every length and of several keys are the same as opened', () => {
  const clear = Array.from({ length: 200 }, (_, length) => random.bytes(length));
  const values = clear.map((bytes, i) => sealed(bytes, i % 2));
  assert.equal(peek({ ring, isLast: false }, values), clear);
  for (const [i, value] of values.entries())
    assert.equal(openSealed(ring, ['user', 'app', 'live', 'usr'], value), clear[i]);
});

test('an altered value is another text, and what is no value is none', () => {
  const value = sealed(Buffer.from('somebody@example.com'));
  value[40] = (value[40] as number) ^ 1;
  const [altered, none, short] = peek({ ring, isLast: false }, [value, Buffer.alloc(60), Buffer.alloc(3)]);
  assert.ok(altered && altered.toString() !== 'somebody@example.com');
  assert.equal([none, short], [null, null]);
});

test('an unknown key is reported, so that the keys are read again, but for the last try', () => {
  const values = [sealed(Buffer.from('a')), sealed(Buffer.from('b'), 1)];
  const less = new Map([...ring].slice(0, 1));
  assert.throws(
    () => peek({ ring: less, isLast: false }, values),
    (error: unknown) => error instanceof UnknownKey,
  );
  assert.equal(peek({ ring: less, isLast: true }, values), [Buffer.from('a'), null]);
});

test.run();
