/** Small TensorFlow Lite models, written byte by byte as FlatBuffers, and tarballs as npm packs them. */
import { gzipSync } from 'node:zlib';

export const OP = { add: 0, conv: 3, depthwise: 4, mul: 18, relu: 19, reshape: 22, sub: 41, abs: 101 };
export const PRELU = [OP.relu, OP.abs, OP.sub, OP.mul, OP.add];

export interface Stored {
  readonly shape: readonly number[];
  /** None: the tensor is computed. */
  readonly values?: readonly number[];
  /** 0: float32. */
  readonly type?: number;
}
export interface Operation {
  readonly code: number;
  readonly inputs: readonly number[];
}

/** A field of a table: what is written at its place. Text of a number: an int8. */
type Field = null | { int8: number } | { int32: number } | { to: Node };
type Node =
  | { readonly table: readonly Field[] }
  | { readonly tables: readonly Node[] }
  | { readonly int32s: readonly number[] }
  | { readonly bytes: Buffer };

export function tflite(tensors: readonly Stored[], operations: readonly Operation[]): Buffer {
  const codes = [...new Set(operations.map(({ code }) => code))];
  // The first buffer is that of all tensors that are computed.
  const buffers = [[], ...tensors.map(({ values = [] }) => values)];
  const graph: Node = {
    table: [
      {
        to: {
          tables: tensors.map(({ shape, values, type = 0 }, i) => ({
            table: [{ to: { int32s: shape } }, { int8: type }, { int32: values ? i + 1 : 0 }],
          })),
        },
      },
      { to: { int32s: [0] } },
      { to: { int32s: [0] } },
      {
        to: {
          tables: operations.map(({ code, inputs }) => ({
            table: [{ int32: codes.indexOf(code) }, { to: { int32s: inputs } }],
          })),
        },
      },
    ],
  };
  return written({
    table: [
      { int32: 3 },
      { to: { tables: codes.map(code => ({ table: [{ int8: code }] })) } },
      { to: { tables: [graph] } },
      null,
      {
        to: {
          tables: buffers.map(values => ({
            table: [{ to: { bytes: Buffer.from(Float32Array.from(values).buffer) } }],
          })),
        },
      },
    ],
  });
}

/** Each node behind the one that names it, since offsets lead forwards. */
function written(root: Node): Buffer {
  const file = Buffer.alloc(64 * 1024);
  let end = 8;
  const take = (bytes: number) => {
    const at = Math.ceil(end / 4) * 4;
    end = at + bytes;
    return at;
  };
  const link = (from: number, node: Node) => file.writeUInt32LE(put(node) - from, from);
  const put = (node: Node): number => {
    if ('bytes' in node) {
      const at = take(4 + node.bytes.length);
      file.writeUInt32LE(node.bytes.length, at);
      node.bytes.copy(file, at + 4);
      return at;
    }
    if ('table' in node) {
      const { table } = node;
      const fields = take(4 + 2 * table.length);
      const at = take(4 + 4 * table.length);
      file.writeUInt16LE(4 + 2 * table.length, fields);
      file.writeInt32LE(at - fields, at);
      for (const [i, field] of table.entries()) {
        if (!field) continue;
        const place = at + 4 + 4 * i;
        file.writeUInt16LE(place - at, fields + 4 + 2 * i);
        if ('int8' in field) file.writeInt8(field.int8, place);
        else if ('int32' in field) file.writeInt32LE(field.int32, place);
        else link(place, field.to);
      }
      return at;
    }
    const items = 'tables' in node ? node.tables : node.int32s;
    const at = take(4 + 4 * items.length);
    file.writeUInt32LE(items.length, at);
    for (const [i, item] of items.entries()) {
      const place = at + 4 + 4 * i;
      if (typeof item === 'number') file.writeInt32LE(item, place);
      else link(place, item);
    }
    return at;
  };
  link(0, root);
  return file.subarray(0, end);
}

/** Files, by their path in the package. */
export function tarball(files: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${path}`);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]), { level: 1 });
}
