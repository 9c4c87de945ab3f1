/**
 * Templates packed as rows of flat typed arrays: the form in which a page of a gallery travels from the store to the
 * matcher, between threads without being copied and without an object for each template. It refuses an id that does
 * not fit a row, and a vector that is not 128 numbers; whether a vector has norm 1 is the matcher's question.
 * test/domain/template-rows.test.ts holds it.
 */

/** Numbers in a descriptor or template. */
export const DIMENSIONS = 128;

/** Bytes of an id in a row: its length, then its latin1 characters, then zeros. */
export const ID_BYTES = 32;

/** A template in the order in which templates were stored: earlier ones win ties. */
export interface GalleryTemplate {
  readonly id: string;
  readonly userId: string;
  /** 128 float32 numbers of norm 1. */
  readonly vector: Float32Array;
}

export interface TemplateRows {
  readonly count: number;
  /** `count` rows of ID_BYTES. */
  readonly ids: Uint8Array<ArrayBuffer>;
  readonly userIds: Uint8Array<ArrayBuffer>;
  /** `count` rows of DIMENSIONS. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/** An id that is too long for a row, or has characters beyond latin1. */
export class UnpackableId extends RangeError {
  constructor(length: number) {
    super(`an id of ${length} characters does not fit: at most ${ID_BYTES - 1}, latin1`);
    this.name = 'UnpackableId';
  }
}

/** Rows of zeros, to be filled. */
export function emptyRows(count: number): TemplateRows {
  return {
    count,
    ids: new Uint8Array(count * ID_BYTES),
    userIds: new Uint8Array(count * ID_BYTES),
    vectors: new Float32Array(count * DIMENSIONS),
  };
}

/** Copies the templates; theirs stay as they are. @throws UnpackableId, RangeError */
export function packTemplates(list: readonly GalleryTemplate[]): TemplateRows {
  const rows = emptyRows(list.length);
  list.forEach(({ id, userId, vector }, i) => {
    if (vector.length !== DIMENSIONS) throw new RangeError(`a template has ${DIMENSIONS} numbers`);
    putId(rows.ids, i, id);
    putId(rows.userIds, i, userId);
    rows.vectors.set(vector, i * DIMENSIONS);
  });
  return rows;
}

/** For rows that nobody takes over: their vectors become zeros. Rows that were handed over stay as they are. */
export function eraseRows({ vectors }: TemplateRows): void {
  if (!vectors.buffer.detached) vectors.fill(0);
}

/** The first of the rows, as rows of their own; the others, and what these were copied from, are erased. */
export function firstRows(rows: TemplateRows, count: number): TemplateRows {
  const first = {
    count,
    ids: rows.ids.slice(0, count * ID_BYTES),
    userIds: rows.userIds.slice(0, count * ID_BYTES),
    vectors: rows.vectors.slice(0, count * DIMENSIONS),
  };
  eraseRows(rows);
  return first;
}

/** A copy of one row. */
export function templateAt(rows: TemplateRows, i: number): GalleryTemplate {
  if (!(i >= 0 && i < rows.count)) throw new RangeError(`there is no row ${i} of ${rows.count}`);
  return {
    id: idAt(rows.ids, i),
    userId: idAt(rows.userIds, i),
    vector: rows.vectors.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS),
  };
}

export function idAt(ids: Uint8Array, i: number): string {
  const start = i * ID_BYTES;
  return String.fromCharCode(...ids.subarray(start + 1, start + 1 + (ids[start] ?? 0)));
}

/** Writes an id into a row of zeros. @throws UnpackableId */
export function putId(ids: Uint8Array, i: number, id: string): void {
  if (id.length >= ID_BYTES) throw new UnpackableId(id.length);
  const start = i * ID_BYTES;
  ids[start] = id.length;
  for (let j = 0; j < id.length; j++) {
    const code = id.charCodeAt(j);
    if (code > 255) throw new UnpackableId(id.length);
    ids[start + 1 + j] = code;
  }
}
