/**
 * Reduces the outputs of a linear layer: y = W x + b becomes Uᵀ y, where the columns of U are the eigenvectors of W Wᵀ
 * with the largest eigenvalues. Distances between outputs stay the same, as far as the outputs lie in these directions.
 * It uses only the layer's weights and no faces. Held by test/encoder/projection.test.ts.
 */
import { eigenpairs } from './eigen.ts';
import type { Layer } from './layers.ts';

/** @throws Error if the layer is not linear */
export function project({ weights, bias, slopes }: Layer, outputs: number): Layer {
  const [height, width, inputs = 0, before = 0] = weights.shape;
  if (slopes || height !== 1 || width !== 1) throw new Error('only a linear layer can be projected');
  const w = Float64Array.from(weights.data);
  const at = (input: number, output: number) => w[input * before + output] as number;
  const energy = Array.from({ length: before }, () => new Float64Array(before));
  for (let i = 0; i < before; i++)
    for (let j = i; j < before; j++) {
      const sum = sumOf(inputs, input => at(input, i) * at(input, j));
      (energy[i] as Float64Array)[j] = sum;
      (energy[j] as Float64Array)[i] = sum;
    }
  const directions = eigenpairs(energy)
    .slice(0, outputs)
    .map(({ vector }) => vector);
  const projected = new Float64Array(inputs * directions.length);
  for (let input = 0; input < inputs; input++)
    for (const [d, direction] of directions.entries())
      projected[input * directions.length + d] = sumOf(
        before,
        output => at(input, output) * (direction[output] as number),
      );
  const shifted = directions.map(direction =>
    sumOf(before, output => (direction[output] as number) * (bias.data[output] as number)),
  );
  return {
    weights: { shape: [1, 1, inputs, directions.length], data: projected },
    bias: { shape: [directions.length], data: Float64Array.from(shifted) },
    slopes: null,
  };
}

function sumOf(count: number, term: (index: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += term(i);
  return sum;
}
