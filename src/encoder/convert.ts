/**
 * From the published model to the file that the browser's encoder loads: the weights, bias and slopes of each layer in
 * order, as float16, the last layer with fewer outputs. Pure. Held by test/encoder/convert.test.ts and, on the published
 * model, by test/encoder/real.test.ts.
 */
import { toHalves } from './half.ts';
import { project } from './projection.ts';
import { layersOf } from './tflite.ts';

/** @throws Error for a model that is no MobileFaceNet */
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
