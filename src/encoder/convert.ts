/**
 * Converts the published model into the file that the browser's encoder loads: weights, bias and slopes of each layer
 * in order, as float16; the last layer gets fewer outputs. Held by test/encoder/convert.test.ts and, with the published
 * model, by test/encoder/real.long.test.ts.
 */
import { toHalves } from './half.ts';
import { project } from './projection.ts';
import { layersOf } from './tflite.ts';

/** @throws Error if the model is not a MobileFaceNet */
export function convert(model: Buffer, outputs: number): Buffer {
  const layers = layersOf(model);
  const last = layers.pop();
  if (!last) throw new Error('the model has no layers');
  return toHalves(
    [...layers, project(last, outputs)].flatMap(({ weights, bias, slopes }) =>
      [weights, bias, ...(slopes ? [slopes] : [])].map(tensor => tensor.data),
    ),
  );
}
