/**
 * From a model to float16: weights in the order that the browser wants and no operator passed over, the last layer
 * projected on fewer outputs that say the same, and how each number is rounded.
 */
import * as assert from 'uvu/assert';
import { convert, toHalves } from '../../src/encoder/make.ts';
import { eigenpairs, project } from '../../src/encoder/projection.ts';
import { layersOf } from '../../src/encoder/tflite.ts';
import { suite } from '../support/suite.ts';
import { OP, type Operation, PRELU, type Stored, tflite } from './models.ts';

const test = suite('encoder: convert');

test('numbers are rounded once to the nearest float16, ties to even, little-endian, zero without a sign', () => {
  const cases: [value: number, bits: number][] = [
    [0, 0x0000],
    [-0, 0x0000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    // Rounded to float32 first, this would be a tie.
    [1 + 2 ** -11 + 2 ** -40, 0x3c01],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [-(2 ** -24), 0x8001],
    [2 ** -25, 0x0000],
    [-(2 ** -25), 0x0000],
    [2 ** -25 + 2 ** -40, 0x0001],
  ];
  const halves = toHalves([Float64Array.from(cases, ([value]) => value)]);
  for (const [i, [value, bits]] of cases.entries()) assert.is(halves.readUInt16LE(2 * i), bits, `${value}`);
});

test('weights, bias and slopes follow each other, layer by layer, and the last layer has fewer outputs', () => {
  const model = tflite(
    [
      { shape: [1, 1, 1, 2] },
      { shape: [2, 1, 1, 2], values: [1, 2, 3, 4] },
      { shape: [2], values: [5, 6] },
      { shape: [2], values: [0.25, 0.5] },
      // Both outputs are the same: one direction, (1, 1) / √2.
      { shape: [2, 1, 1, 2], values: [7, 8, 7, 8] },
      { shape: [2], values: [9, 9] },
    ],
    [
      { code: OP.conv, inputs: [0, 1, 2] },
      ...PRELU.map(code => ({ code, inputs: [0, code === OP.mul ? 3 : 0] })),
      { code: OP.conv, inputs: [0, 4, 5] },
      { code: OP.reshape, inputs: [0] },
    ],
  );
  const first = [1, 3, 2, 4, 5, 6, 0.5, 1];
  const last = [7, 8, 9].map(value => value * Math.SQRT2);
  assert.equal(convert(model, 1), toHalves([Float64Array.from([...first, ...last])]));
  assert.throws(() => convert(tflite([{ shape: [1] }], []), 1), /no layers/);
});

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

const TENSORS: Stored[] = [
  { shape: [1, 2, 2, 3] },
  // Two outputs, 1 × 2, three inputs.
  { shape: [2, 1, 2, 3], values: [1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60] },
  { shape: [2], values: [0.5, -0.5] },
  { shape: [2], values: [0.125, -0.25] },
  { shape: [1, 2, 1, 2], values: [7, 8, 9, 10] },
];
const conv: Operation = { code: OP.conv, inputs: [0, 1, 2] };
const depthwise: Operation = { code: OP.depthwise, inputs: [0, 4, 2] };
const prelu: Operation[] = PRELU.map(code => ({ code, inputs: code === OP.mul ? [0, 3] : [0, 0] }));
const valuesOf = (of: { data: Iterable<number> } | null | undefined) => of && [...of.data];

test('layers come in order, outputs last, with the slopes of their PReLU doubled', () => {
  const [first, second, ...more] = layersOf(
    tflite(TENSORS, [
      conv,
      ...prelu,
      depthwise,
      { code: OP.add, inputs: [0, 0] },
      { code: OP.reshape, inputs: [0] },
    ]),
  );
  assert.equal(more, []);
  assert.equal(first?.weights.shape, [1, 2, 3, 2]);
  assert.equal(valuesOf(first?.weights), [1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60]);
  assert.equal(valuesOf(first?.bias), [0.5, -0.5]);
  assert.equal(valuesOf(first?.slopes), [0.25, -0.5]);
  assert.equal(second?.weights.shape, [2, 1, 2, 1]);
  assert.equal(valuesOf(second?.weights), [7, 8, 9, 10]);
  assert.is(second?.slopes, null);
});

test('what no MobileFaceNet has is refused', () => {
  const refused: [string, RegExp, readonly Stored[], readonly Operation[]][] = [
    ['another operator', /operator 1 has the code 17/, TENSORS, [conv, { code: 17, inputs: [0] }]],
    ['a plain ReLU', /operator 1 is a ReLU/, TENSORS, [conv, { code: OP.relu, inputs: [0] }, depthwise]],
    ['half a PReLU', /operator 1 is a ReLU/, TENSORS, [conv, ...prelu.slice(0, 4)]],
    ['a PReLU of nothing', /operator 0 is a ReLU/, TENSORS, prelu],
    [
      'a slope that is computed',
      /is a ReLU/,
      TENSORS,
      [conv, ...prelu.map(one => ({ ...one, inputs: [0, 0] }))],
    ],
    ['quantized weights', /operator 0 has no weights/, TENSORS.map(one => ({ ...one, type: 9 })), [conv]],
    ['computed weights', /operator 0 has no weights/, TENSORS, [{ ...conv, inputs: [0, 0, 2] }]],
  ];
  for (const [what, line, tensors, operations] of refused)
    assert.throws(() => layersOf(tflite(tensors, operations)), line, what);
  const whole = tflite(TENSORS, [conv]);
  assert.throws(() => layersOf(whole.subarray(0, 30)), undefined, 'a file that is cut off');
});

test.run();
