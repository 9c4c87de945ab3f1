/** Reading a model: weights in the order that the browser wants, and no operator passed over. */
import * as assert from 'uvu/assert';
import { layersOf } from '../../src/encoder/tflite.ts';
import { suite } from '../support/suite.ts';
import { OP, type Operation, PRELU, type Stored, tflite } from './models.ts';

const test = suite('encoder: tflite');

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
const numbers = (of: { data: Iterable<number> } | null | undefined) => of && [...of.data];

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
  assert.equal(numbers(first?.weights), [1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60]);
  assert.equal(numbers(first?.bias), [0.5, -0.5]);
  assert.equal(numbers(first?.slopes), [0.25, -0.5]);
  assert.equal(second?.weights.shape, [2, 1, 2, 1]);
  assert.equal(numbers(second?.weights), [7, 8, 9, 10]);
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
