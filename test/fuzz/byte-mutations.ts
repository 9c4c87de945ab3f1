/** Changes of a body's bytes: what is no UTF-8, no JSON, no object, or of a length at the edge of what is accepted. */
import fc from 'fast-check';
import { BODY_BYTES, ENROLL_BODY_BYTES } from '../../src/protocol/limits.ts';
import type { Wire } from './request.ts';

export type ByteMutation =
  | { kind: 'truncate' | 'flip' | 'cut'; where: number; bit: number }
  | { kind: 'insert'; where: number; hex: string }
  | { kind: 'whole'; text: string }
  | { kind: 'prefix' | 'suffix'; hex: string }
  | { kind: 'pad'; to: number; before: boolean }
  | { kind: 'utf16' | 'none' | 'chunked' };

const where = fc.double({ min: 0, max: 1, noNaN: true });
/** Not UTF-8 (lone, overlong, surrogates, beyond Unicode), or a byte that JSON has no place for. */
// biome-ignore format: a list to be read at one go
const BAD = [
  'ff', 'c080', 'eda080', 'f4908080', '80', 'e28280'.slice(0, 4), '00', '0a', '1f', '7f', 'efbbbf', '5c',
  '22', '7d', '2c',
];
// biome-ignore format: a list to be read at one go
const PREFIXES = [
  'efbbbf', 'feff', 'fffe', '20', '0a0d09', '00', 'c2a0', '5b', '295d7d272c0a', '2f2f0a', '0b',
];
const SUFFIXES = ['20', '0a', '00', '7d', '2c', '7b7d', 'efbbbf', 'ff', '2f2f'];
// biome-ignore format: a list to be read at one go
const WHOLE = [
  '', ' ', 'null', 'true', '0', '"{}"', '[]', '[{}]', '{}', '{', '}', '{"a"}', '{,}', 'undefined',
  'a=b&c=d', '[1]{}', '{}{}', '{}\n{}', '{"__proto__":null}', '<xml/>',
  '--x\r\nContent-Disposition: form-data\r\n\r\n', '\u0000',
  ...['[', '{"a":'].map(open => open.repeat(9_000)),
];
const SIZES = [BODY_BYTES, ENROLL_BODY_BYTES].flatMap(size => [size - 1, size, size + 1]);

export const byteMutation: fc.Arbitrary<ByteMutation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('truncate' as const, 'flip' as const, 'cut' as const),
    where,
    bit: fc.nat({ max: 7 }),
  }),
  fc.record({ kind: fc.constant('insert' as const), where, hex: fc.constantFrom(...BAD) }),
  fc.record({ kind: fc.constant('whole' as const), text: fc.constantFrom(...WHOLE) }),
  fc.record({ kind: fc.constant('prefix' as const), hex: fc.constantFrom(...PREFIXES) }),
  fc.record({ kind: fc.constant('suffix' as const), hex: fc.constantFrom(...SUFFIXES) }),
  fc.record({
    kind: fc.constant('pad' as const),
    to: fc.constantFrom(...SIZES, 1_000_000),
    before: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('utf16' as const, 'none' as const, 'chunked' as const, 'chunked' as const),
  }),
);

export function changeBytes(wire: Wire, mutation: ByteMutation): void {
  if (mutation.kind === 'chunked') wire.chunked = wire.bytes !== undefined;
  else if (mutation.kind === 'none') wire.bytes = undefined;
  else wire.bytes = changed(wire.bytes ?? Buffer.alloc(0), mutation);
}

function changed(bytes: Buffer, mutation: ByteMutation): Buffer {
  const at = 'where' in mutation ? Math.floor(mutation.where * bytes.length) : 0;
  switch (mutation.kind) {
    case 'truncate':
      return bytes.subarray(0, at);
    case 'cut':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + mutation.bit)]);
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = (copy[at] as number) ^ (1 << mutation.bit);
      return copy;
    }
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(mutation.hex, 'hex'), bytes.subarray(at)]);
    case 'prefix':
      return Buffer.concat([Buffer.from(mutation.hex, 'hex'), bytes]);
    case 'suffix':
      return Buffer.concat([bytes, Buffer.from(mutation.hex, 'hex')]);
    case 'whole':
      return Buffer.from(mutation.text);
    case 'pad': {
      const space = Buffer.alloc(Math.max(0, mutation.to - bytes.length), ' ');
      return Buffer.concat(mutation.before ? [space, bytes] : [bytes, space]);
    }
    case 'utf16':
      return Buffer.from(bytes.toString(), 'utf16le');
    default:
      return bytes;
  }
}
