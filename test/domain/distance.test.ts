/** The distance of two templates: that of the reference, number for number. */
import * as assert from 'uvu/assert';
import { distance } from '../../src/domain/distance.ts';
import { exactDistance } from '../matcher/reference.ts';
import { seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';

const test = suite('distance');
const SIZE = 128;
const random = seeded(71);
const number = () => random.bytes(4).readInt32BE() / 2 ** 31;

/** A template as it is stored: normalised in double, rounded to float32. */
function template(values = Array.from({ length: SIZE }, number)): Float32Array {
  const norm = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(values, x => x / norm);
}
const axis = (at: number, value = 1) => Float32Array.from({ length: SIZE }, (_, i) => (i === at ? value : 0));

test('the same, across and opposite: 0, 1 and 2', () => {
  for (const at of [0, 63, 127]) {
    assert.is(distance(axis(at), axis(at)), 0);
    assert.is(distance(axis(at), axis((at + 1) % SIZE)), 1);
    assert.is(distance(axis(at), axis(at, -1)), 2);
  }
});

test('it is 1 minus the dot product, summed in double in index order', () => {
  for (let round = 0; round < 2_000; round++) {
    const [a, b] = [template(), template()];
    assert.is(distance(a, b), exactDistance(a, b));
    assert.is(distance(b, a), exactDistance(a, b), 'from either side');
  }
});

test('a template inside another buffer is read where it lies', () => {
  const one = template();
  const wide = new Float32Array(SIZE * 2 + 3).fill(9);
  wide.set(one, 3);
  assert.is(distance(one, wide.subarray(3, 3 + SIZE)), distance(one, one));
});

test('what is no number is below no threshold', () => {
  const broken = template();
  broken[5] = Number.NaN;
  assert.is(distance(broken, template()) < 0.35, false);
});

test.run();
