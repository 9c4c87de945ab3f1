/**
 * Templates packed as rows of flat typed arrays. A page of a gallery travels from the store to the matcher in this
 * format: between threads without copying, and without an object per template. Templates and users are identified by
 * numbers only. Packing refuses a user number that the matcher cannot hold, and a vector that does not have 128
 * numbers. The matcher checks that vectors have norm 1. Held by test/domain/template-rows.test.ts.
 */

/** Numbers in a descriptor or template. */
export const DIMENSIONS = 128;

export interface GalleryTemplate {
  /**
   * The gallery's sequence when the template was stored. It identifies the template. If two distances are equal, the
   * lower one wins.
   */
  readonly sequence: number;
  /** The user's number: the sequence of the first template of their enrolment. */
  readonly user: number;
  /** 128 float32 numbers of norm 1. */
  readonly vector: Float32Array;
}

export interface TemplateRows {
  readonly count: number;
  readonly sequences: Float64Array<ArrayBuffer>;
  readonly users: Uint32Array<ArrayBuffer>;
  /** `count` rows of DIMENSIONS. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/** Whether the number fits a row and the matching core: 32 bits, and 0 is no user. */
export function isUserNumber(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value < 2 ** 32;
}

/** Rows of zeros, to fill in. */
export function emptyRows(count: number): TemplateRows {
  return {
    count,
    sequences: new Float64Array(count),
    users: new Uint32Array(count),
    vectors: new Float32Array(count * DIMENSIONS),
  };
}

/** Copies the templates. The originals do not change. @throws RangeError */
export function packTemplates(list: readonly GalleryTemplate[]): TemplateRows {
  const rows = emptyRows(list.length);
  list.forEach(({ sequence, user, vector }, i) => {
    if (vector.length !== DIMENSIONS) throw new RangeError(`a template has ${DIMENSIONS} numbers`);
    if (!isUserNumber(user))
      throw new RangeError(`a user's number is whole, from 1 to ${2 ** 32 - 1}: not ${user}`);
    rows.sequences[i] = sequence;
    rows.users[i] = user;
    rows.vectors.set(vector, i * DIMENSIONS);
  });
  return rows;
}

/** The buffers to transfer with the rows. */
export function buffersOf({ sequences, users, vectors }: TemplateRows): ArrayBuffer[] {
  return [sequences.buffer, users.buffer, vectors.buffer];
}

/** For rows that are not handed over: their vectors are set to zero. Rows that were handed over are not changed. */
export function eraseRows({ vectors }: TemplateRows): void {
  if (!vectors.buffer.detached) vectors.fill(0);
}

/** Copies the first rows. The given rows are erased. */
export function firstRows(rows: TemplateRows, count: number): TemplateRows {
  const first = {
    count,
    sequences: rows.sequences.slice(0, count),
    users: rows.users.slice(0, count),
    vectors: rows.vectors.slice(0, count * DIMENSIONS),
  };
  eraseRows(rows);
  return first;
}

/** A copy of one row. */
export function templateAt({ count, sequences, users, vectors }: TemplateRows, i: number): GalleryTemplate {
  if (!(i >= 0 && i < count)) throw new RangeError(`there is no row ${i} of ${count}`);
  return {
    sequence: sequences[i] as number,
    user: users[i] as number,
    vector: vectors.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS),
  };
}

/** Copies of all rows. */
export const templatesOf = (rows: TemplateRows): GalleryTemplate[] =>
  Array.from({ length: rows.count }, (_, i) => templateAt(rows, i));
