/** Writes numbers as float16, little-endian, each rounded once to the nearest. Held by test/encoder/convert.test.ts. */

/** Numbers up to this magnitude round to zero, which is written without a sign. */
const LARGEST_ZERO = 2 ** -25;

/** Node.js has setFloat16. The types, which are shared with the browser code, lack it because older browsers do. */
interface HalfView extends DataView<ArrayBuffer> {
  setFloat16(at: number, value: number, isLittleEndian: boolean): void;
}

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
