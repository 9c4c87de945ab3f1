/** From a model to float16: the order of all numbers, and how each is rounded. */
import * as assert from 'uvu/assert';
import { convert } from '../../src/encoder/convert.ts';
import { toHalves } from '../../src/encoder/half.ts';
import { suite } from '../support/suite.ts';
import { OP, PRELU, tflite } from './models.ts';

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

test.run();
