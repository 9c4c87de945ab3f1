/**
 * Templates packed as rows of flat typed arrays: the form in which a page of a gallery travels from the store to the
 * matcher, between threads without being copied and without an object for each template. It names templates and users by
 * numbers alone, and refuses a user's number that the matcher has no room for, and a vector that is not 128 numbers;
 * whether a vector has norm 1 is the matcher's question. test/domain/template-rows.test.ts holds it.
 */

/** Numbers in a descriptor or template. */
export const DIMENSIONS = 128;

export interface GalleryTemplate {
  /** The gallery's sequence at the moment of storing. It names the template, and the lower one wins a tie. */
  readonly sequence: number;
  /** The user's number: the sequence at which the enrolment begins. */
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

/** Whether a row and the matching core have room for it: 32 bits, of which 0 is nobody's. */
export function isUserNumber(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value < 2 ** 32;
}

/** Rows of zeros, to be filled. */
export function emptyRows(count: number): TemplateRows {
  return {
    count,
    sequences: new Float64Array(count),
    users: new Uint32Array(count),
    vectors: new Float32Array(count * DIMENSIONS),
  };
}

/** Copies the templates; theirs stay as they are. @throws RangeError */
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

/** What is transferred with the rows. */
export function buffersOf({ sequences, users, vectors }: TemplateRows): ArrayBuffer[] {
  return [sequences.buffer, users.buffer, vectors.buffer];
}

/** For rows that nobody takes over: their vectors become zeros. Rows that were handed over stay as they are. */
export function eraseRows({ vectors }: TemplateRows): void {
  if (!vectors.buffer.detached) vectors.fill(0);
}

/** The first of the rows, as rows of their own; the others, and what these were copied from, are erased. */
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
