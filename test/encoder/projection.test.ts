/** Fewer outputs that say the same: eigenvectors, and the layer that is projected on them. */
import * as assert from 'uvu/assert';
import { eigenpairs } from '../../src/encoder/eigen.ts';
import { project } from '../../src/encoder/projection.ts';
import { suite } from '../support/suite.ts';

const test = suite('encoder: projection');

/** Numbers that look random and are the same each time. */
function numbers(count: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, i) => sum + x * (b[i] as number), 0);
const near = (actual: number, wanted: number, what: string) =>
  assert.ok(Math.abs(actual - wanted) < 1e-9, `${what}: ${actual}, not ${wanted}`);

test('eigenpairs: each one is one, at right angles to the others, largest first, pointed one way', () => {
  const size = 12;
  const random = numbers(size * size, 7);
  const matrix = Array.from({ length: size }, (_, i) =>
    Float64Array.from(
      { length: size },
      (_, j) => (random[i * size + j] as number) + (random[j * size + i] as number),
    ),
  );
  const pairs = eigenpairs(matrix);
  assert.is(pairs.length, size);
  for (const [i, { value, vector }] of pairs.entries()) {
    for (const [row, entry] of vector.entries())
      near(dot(matrix[row] as Float64Array, vector), value * entry, `M v = λ v, ${i}`);
    for (const [j, other] of pairs.entries())
      near(dot(vector, other.vector), i === j ? 1 : 0, `angle of ${i} and ${j}`);
    assert.ok(i === 0 || value <= (pairs[i - 1]?.value ?? 0), 'largest first');
    const largest = vector.reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most), 0);
    assert.ok(largest > 0, 'pointed');
  }
  near(pairs[0]?.value ?? 0, Math.max(...pairs.map(({ value }) => value)), 'the first');
});

/** A layer of 10 outputs that lie in 4 directions, bias included. */
function layerOfRank4() {
  const [basis, mix, shift] = [numbers(4 * 10, 1), numbers(6 * 4, 2), numbers(4, 3)];
  const inDirections = (weights: ArrayLike<number>) =>
    Array.from({ length: 10 }, (_, output) =>
      dot(
        weights,
        Array.from({ length: 4 }, (_, k) => basis[k * 10 + output] as number),
      ),
    );
  const rows = Array.from({ length: 6 }, (_, input) => inDirections(mix.subarray(4 * input, 4 * input + 4)));
  return {
    weights: { shape: [1, 1, 6, 10], data: Float64Array.from(rows.flat()) },
    bias: { shape: [10], data: Float64Array.from(inDirections(shift)) },
    slopes: null,
  };
}
type Layer = ReturnType<typeof project>;
function outputsOf({ weights, bias }: Layer, inputs: ArrayLike<number>): number[] {
  return Array.from(bias.data, (shift, output) =>
    Array.from(inputs).reduce(
      (sum, x, i) => sum + x * (weights.data[i * bias.data.length + output] as number),
      shift,
    ),
  );
}

test('as many outputs as there are directions lose nothing: products of outputs stay', () => {
  const layer = layerOfRank4();
  const small = project(layer, 4);
  assert.equal([small.weights.shape, small.bias.shape, small.slopes], [[1, 1, 6, 4], [4], null]);
  const [a, b] = [numbers(6, 11), numbers(6, 12)];
  const before = dot(outputsOf(layer, a), outputsOf(layer, b));
  near(dot(outputsOf(small, a), outputsOf(small, b)), before, 'product');
  const less = project(layer, 2);
  assert.ok(Math.abs(dot(outputsOf(less, a), outputsOf(less, b)) - before) > 1e-3, 'fewer do lose something');
});

test('a layer that is not linear is refused', () => {
  const layer = layerOfRank4();
  const slopes = { shape: [10], data: new Float32Array(10) };
  assert.throws(() => project({ ...layer, slopes }, 4), /only a linear layer/);
  const weights = { shape: [3, 1, 2, 10], data: layer.weights.data };
  assert.throws(() => project({ ...layer, weights }, 4), /only a linear layer/);
});

test.run();
