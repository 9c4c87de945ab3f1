/**
 * Principal axes of templates, by orthogonal iteration: a row after the other is multiplied by the sums of products,
 * and made orthogonal to the rows before it. Every set of orthonormal rows gives right answers, so `defectOf` says how
 * far from orthonormal they are, and nothing else is taken on trust. Rows that hold nothing but noise become, and stay,
 * zero. Held by test/matcher/bound.long.test.ts.
 */
import { addProduct, dot, multiply } from './coding';
import { addressOf, DIMENSIONS, scratchAt, TURNED, VECTOR_BYTES, WORK } from './layout';

/** A row that keeps so little when it is made orthogonal is noise. */
const NOISE: f64 = 1e-4;

/** Adds the products of a template's numbers to the page of sums, 128 rows of 128 f32. */
export function addProducts(sums: u32, vector: usize): void {
  let at = addressOf(sums);
  for (let i: usize = 0; i < VECTOR_BYTES; i += 4, at += VECTOR_BYTES) {
    const xs = v128.load32_splat(vector + i);
    for (let j: usize = 0; j < VECTOR_BYTES; j += 16)
      v128.store(at + j, addProduct(v128.load(at + j), xs, v128.load(vector + j)));
  }
}

/** One row of one turn. */
export function turnRow(axes: u32, sums: u32, row: u32): void {
  const first = addressOf(axes);
  const at = first + <usize>row * VECTOR_BYTES;
  const vector = scratchAt(TURNED);
  multiply(addressOf(sums), <u32>DIMENSIONS, at, vector);
  const before = sqrt(dot(vector, vector));
  // Once leaves rounding errors that are large beside a small rest.
  for (let twice = 0; twice < 2; twice++) {
    const along = scratchAt(WORK);
    multiply(first, (row + 3) & ~3, vector, along);
    for (let r: usize = 0; r < <usize>row; r++) {
      const by = f32x4.neg(v128.load32_splat(along + r * 4));
      const from = first + r * VECTOR_BYTES;
      for (let j: usize = 0; j < VECTOR_BYTES; j += 16)
        v128.store(vector + j, addProduct(v128.load(vector + j), by, v128.load(from + j)));
    }
  }
  const norm = sqrt(dot(vector, vector));
  const scale = norm > before * NOISE && norm > 1e-20 ? 1 / norm : 0;
  for (let i: usize = 0; i < VECTOR_BYTES; i += 4)
    store<f32>(at + i, <f32>(<f64>load<f32>(vector + i) * scale));
}

/** Sum of squares by which the products of a row with itself and the rows before it are off. */
export function defectOf(axes: u32, row: u32): f64 {
  const first = addressOf(axes);
  const at = first + <usize>row * VECTOR_BYTES;
  const square = dot(at, at);
  let defect = square == 0 ? 0 : (square - 1) * (square - 1);
  for (let before = first; before < at; before += VECTOR_BYTES) {
    const along = dot(at, before);
    defect += 2 * along * along;
  }
  return defect;
}

/** Sorts the rows by the numbers at `squares` (128 f64), the largest first. */
export function sortRows(axes: u32, squares: usize): void {
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    let most = i;
    for (let j = i + 1; j < DIMENSIONS; j++)
      if (load<f64>(squares + j * 8) > load<f64>(squares + most * 8)) most = j;
    swap(squares + i * 8, squares + most * 8, 8);
    swap(addressOf(axes) + i * VECTOR_BYTES, addressOf(axes) + most * VECTOR_BYTES, VECTOR_BYTES);
  }
}

function swap(a: usize, b: usize, bytes: usize): void {
  if (a == b) return;
  memory.copy(scratchAt(WORK), a, bytes);
  memory.copy(a, b, bytes);
  memory.copy(b, scratchAt(WORK), bytes);
}
