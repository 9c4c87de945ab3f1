/** Extracts one file from an npm tarball, in memory. Held by test/encoder/source.test.ts. */
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
/** Limit for the unpacked size, so that a small file cannot fill the memory. The package needs far less. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Byte ranges of a header's fields: [from, to). */
const [NAME, SIZE, KIND] = [
  [0, 100],
  [124, 136],
  [156, 157],
] as const;
const PLAIN_FILE = ['0', ''];

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Null: there is no such file. @throws Error if the tarball is damaged */
export function fileInTarball(tarball: Buffer, path: string): Buffer | null {
  const tar = gunzipSync(tarball, { maxOutputLength: MOST_BYTES });
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const field = ([from, to]: readonly [number, number]) =>
      tar.toString('latin1', at + from, at + to).replace(/[\0 ].*$/s, '');
    const size = /^[0-7]+$/.test(field(SIZE)) ? Number.parseInt(field(SIZE), 8) : 0;
    const content = at + BLOCK;
    if (field(NAME) === path && PLAIN_FILE.includes(field(KIND)))
      return tar.subarray(content, content + size);
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
  return null;
}
