/** Reads the few parts of FlatBuffers that a model needs: tables with scalars, number vectors and table vectors. */

/** A vtable begins with its own size and the size of the table, 2 bytes each. */
const HEADER = 4;

/** The fields of a table, by their number in the schema. Missing fields have their default. */
export interface Table {
  int8(field: number, otherwise?: number): number;
  int32(field: number, otherwise?: number): number;
  int32s(field: number): number[];
  /** The bytes of a vector; empty if it is missing. */
  bytes(field: number): Buffer;
  table(field: number): Table | null;
  tables(field: number): Table[];
}

/** @throws RangeError if an offset points outside the file */
export function rootTable(file: Buffer): Table {
  return tableAt(file, file.readUInt32LE(0));
}

function tableAt(file: Buffer, start: number): Table {
  const fields = start - file.readInt32LE(start);
  const size = file.readUInt16LE(fields);
  /** 0: the field is missing. */
  const placeOf = (field: number) => {
    const entry = HEADER + 2 * field;
    const offset = entry < size ? file.readUInt16LE(fields + entry) : 0;
    return offset === 0 ? 0 : start + offset;
  };
  const follow = (place: number) => place + file.readUInt32LE(place);
  /** Offset of each element of a vector. */
  const places = (field: number) => {
    const place = placeOf(field);
    if (place === 0) return [];
    const vector = follow(place);
    return Array.from({ length: file.readUInt32LE(vector) }, (_, i) => vector + 4 + 4 * i);
  };
  return {
    int8: (field, otherwise = 0) => {
      const place = placeOf(field);
      return place === 0 ? otherwise : file.readInt8(place);
    },
    int32: (field, otherwise = 0) => {
      const place = placeOf(field);
      return place === 0 ? otherwise : file.readInt32LE(place);
    },
    int32s: field => places(field).map(place => file.readInt32LE(place)),
    bytes: field => {
      const place = placeOf(field);
      if (place === 0) return file.subarray(0, 0);
      const vector = follow(place);
      return file.subarray(vector + 4, vector + 4 + file.readUInt32LE(vector));
    },
    table: field => {
      const place = placeOf(field);
      return place === 0 ? null : tableAt(file, follow(place));
    },
    tables: field => places(field).map(place => tableAt(file, follow(place))),
  };
}
