/**
 * The published network as it is, for comparison: every operator of the TensorFlow Lite file, run one by one in the page in
 * single precision. It shares nothing with the SDK's network but the library that multiplies.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCE } from '../../src/encoder/published.ts';
import { rootTable } from '../../src/encoder/tflite.ts';
import { MODULES } from './chromium.ts';

interface Step {
  readonly op: string;
  readonly inputs: readonly number[];
  readonly output: number;
  readonly stride: number;
  readonly pad: 'same' | 'valid';
}

export interface Reference {
  readonly input: number;
  readonly output: number;
  readonly steps: readonly Step[];
  /** Tensors that the file holds: their number → shape, and where their float32 numbers begin in `data`. */
  readonly stored: Readonly<Record<number, { shape: readonly number[]; at: number; count: number }>>;
}

const OPS: Readonly<Record<number, string>> = {
  0: 'add',
  3: 'conv',
  4: 'depthwise',
  18: 'mul',
  19: 'relu',
  22: 'reshape',
  41: 'sub',
  101: 'abs',
};

export function publishedNetwork(): { reference: Reference; data: Uint8Array } {
  const file = readFileSync(join(MODULES, SOURCE.package.replace(/@[^@]*$/, ''), SOURCE.path));
  const root = rootTable(file);
  const graph = root.tables(2)[0];
  if (!graph) throw new Error('the model has no graph');
  const codes = root.tables(1).map(code => Math.max(code.int8(0), code.int32(3)));
  const buffers = root.tables(4);
  const parts: Uint8Array[] = [];
  let at = 0;
  const stored: Record<number, { shape: number[]; at: number; count: number }> = {};
  for (const [i, tensor] of graph.tables(0).entries()) {
    const bytes = buffers[tensor.int32(2)]?.bytes(0);
    if (!bytes?.length || tensor.int8(1) !== 0) continue;
    stored[i] = { shape: tensor.int32s(0), at, count: bytes.length / 4 };
    parts.push(bytes);
    at += bytes.length / 4;
  }
  const steps = graph.tables(3).map(step => ({
    op: OPS[codes[step.int32(0)] ?? -1] ?? 'unknown',
    inputs: step.int32s(1),
    output: step.int32s(2)[0] ?? -1,
    stride: step.table(4)?.int32(1, 1) ?? 1,
    pad: step.table(4)?.int8(0) === 1 ? ('valid' as const) : ('same' as const),
  }));
  const [input = -1, output = -1] = [graph.int32s(1)[0], graph.int32s(2)[0]];
  return { reference: { input, output, steps, stored }, data: Buffer.concat(parts) };
}

/** Runs in the page. @returns what the network makes of a picture of 112 × 112 × 3 numbers */
// biome-ignore lint/suspicious/noExplicitAny: TensorFlow.js, as the page has it
export function runReference(tf: any, { input, output, steps, stored }: Reference, data: Float32Array) {
  return (picture: Float32Array): number[] =>
    tf.tidy(() => {
      // biome-ignore lint/suspicious/noExplicitAny: tensors
      const made: Record<number, any> = { [input]: tf.tensor4d(picture, [1, 112, 112, 3]) };
      for (const [number, { shape, at, count }] of Object.entries(stored))
        made[Number(number)] = tf.tensor(data.subarray(at, at + count), shape);
      for (const { op, inputs, output, stride, pad } of steps) {
        const [x, y, z] = inputs.map(number => made[number]);
        if (op === 'conv') made[output] = tf.add(tf.conv2d(x, tf.transpose(y, [1, 2, 3, 0]), stride, pad), z);
        else if (op === 'depthwise')
          made[output] = tf.add(tf.depthwiseConv2d(x, tf.transpose(y, [1, 2, 3, 0]), stride, pad), z);
        else if (op === 'reshape') made[output] = tf.reshape(x, [-1]);
        else made[output] = y === undefined ? tf[op](x) : tf[op](x, y);
      }
      return Array.from(made[output].dataSync());
    });
}
