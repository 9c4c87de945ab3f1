/**
 * Reduces the outputs of a linear layer: y = W x + b becomes Uᵀ y, where the columns of U are the eigenvectors of W Wᵀ
 * with the largest eigenvalues. Distances between outputs stay the same, as far as the outputs lie in these directions.
 * It uses only the layer's weights and no faces. Held by test/encoder/convert.test.ts.
 */
import type { Layer } from './tflite.ts';

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

const MOST_SWEEPS = 60;
/** The matrix counts as diagonal if the squares off the diagonal are below this share of those on it. */
const NEGLIGIBLE = 1e-24;
const TINY = 1e-300;

interface Eigenpair {
  readonly value: number;
  /** Length 1. Its largest entry is positive. */
  readonly vector: Float64Array;
}

/**
 * Eigenvectors of a symmetric matrix by cyclic Jacobi rotations, largest first. Slow but exact, and the result is the
 * same on every machine: it uses only +, ×, ÷ and square roots.
 */
export function eigenpairs(matrix: readonly Float64Array[]): Eigenpair[] {
  const size = matrix.length;
  const rest = matrix.map(row => Float64Array.from(row));
  const vectors = rest.map((_, i) => Float64Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < MOST_SWEEPS && !isDiagonal(rest); sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotateAway(rest, vectors, p, q);
  return rest
    .map((row, i) => ({ value: row[i] as number, vector: pointed(vectors[i] as Float64Array) }))
    .sort((a, b) => b.value - a.value);
}

function isDiagonal(matrix: readonly Float64Array[]): boolean {
  let [beside, on] = [0, 0];
  for (const [i, row] of matrix.entries())
    for (const [j, value] of row.entries()) {
      if (i === j) on += value ** 2;
      else beside += value ** 2;
    }
  return beside < NEGLIGIBLE * on;
}

/** Rotates in the plane of p and q so that the entry at (p, q) becomes zero. */
function rotateAway(matrix: Float64Array[], vectors: Float64Array[], p: number, q: number): void {
  const [rowP, rowQ] = [matrix[p], matrix[q]] as [Float64Array, Float64Array];
  const crossing = rowP[q] as number;
  if (Math.abs(crossing) < TINY) return;
  const theta = ((rowQ[q] as number) - (rowP[p] as number)) / (2 * crossing);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (first: Float64Array, i: number, second: Float64Array, j: number) => {
    const [x, y] = [first[i], second[j]] as [number, number];
    first[i] = cosine * x - sine * y;
    second[j] = sine * x + cosine * y;
  };
  for (let k = 0; k < matrix.length; k++) turn(rowP, k, rowQ, k);
  for (const row of matrix) turn(row, p, row, q);
  const [first, second] = [vectors[p], vectors[q]] as [Float64Array, Float64Array];
  for (let k = 0; k < matrix.length; k++) turn(first, k, second, k);
}

/** Of the two unit vectors of a direction, returns the one whose largest entry is positive. */
function pointed(vector: Float64Array): Float64Array {
  const largest = vector.reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most), 0);
  return largest < 0 ? vector.map(x => -x) : vector;
}
