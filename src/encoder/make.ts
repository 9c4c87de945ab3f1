/**
 * Makes the encoder's files in a folder from the published model. The weights are written only if their SHA-256 is the
 * known one. Correct weights that already exist are not converted again. Held by test/encoder/convert.test.ts and, with
 * the published model, by test/encoder/real.long.test.ts.
 */
import { join } from 'node:path';
import { readAsset } from '../assets.ts';
import { contentOf, place } from './place.ts';
import { project } from './projection.ts';
import { WEIGHTS } from './published.ts';
import { sha256 } from './source.ts';
import { layersOf } from './tflite.ts';

export interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** False: it already existed. */
  readonly isNew: boolean;
}

/** @param model the published model, from readSource. @throws a system error if a file cannot be written */
export function makeEncoder(model: Buffer, folder: string): Made[] {
  const weightsFile = join(folder, WEIGHTS.file);
  const existing = contentOf(weightsFile);
  const weights = existing && isRight(existing) ? existing : convert(model, WEIGHTS.outputs);
  if (!isRight(weights))
    throw new Error(`the conversion gave SHA-256 ${sha256(weights)} instead of ${WEIGHTS.sha256}`);
  const notice = readAsset('src/encoder/mobilefacenet.NOTICE.txt');
  // The notice comes first, so the weights are never there without it.
  const notices = placed(join(folder, WEIGHTS.notice), notice);
  return [placed(weightsFile, weights), notices];
}

const isRight = (weights: Buffer) => sha256(weights) === WEIGHTS.sha256;

export function placed(file: string, content: Buffer): Made {
  return { file, bytes: content.length, sha256: sha256(content), isNew: place(file, content) };
}

/**
 * The file that the browser's encoder loads: weights, bias and slopes of each layer in order, as float16; the last
 * layer gets fewer outputs.
 * @throws Error if the model is not a MobileFaceNet
 */
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

/** Numbers up to this magnitude round to zero, which is written without a sign. */
const LARGEST_ZERO = 2 ** -25;

/** Node.js has setFloat16. The types, which are shared with the browser code, lack it because older browsers do. */
interface HalfView extends DataView<ArrayBuffer> {
  setFloat16(at: number, value: number, isLittleEndian: boolean): void;
}

/** Writes numbers as float16, little-endian, each rounded once to the nearest. */
export function toHalves(tensors: readonly (Float32Array | Float64Array)[]): Buffer {
  const count = tensors.reduce((sum, { length }) => sum + length, 0);
  const view = new DataView(new ArrayBuffer(2 * count)) as HalfView;
  let at = 0;
  for (const tensor of tensors)
    for (const value of tensor) {
      view.setFloat16(at, Math.abs(value) <= LARGEST_ZERO ? 0 : value, true);
      at += 2;
    }
  return Buffer.from(view.buffer);
}
