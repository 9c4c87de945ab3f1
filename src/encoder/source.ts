/**
 * Reads the published model from a file: the model itself, or the npm package that contains it. Any other model is
 * refused, with a line that says how to get the right one. Held by test/encoder/source.test.ts.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FETCH, SOURCE } from './published.ts';

/** The file is not the published model. The message is one line and says what to do. */
export class WrongSource extends Error {}

/** Neither the model nor the package, also unpacked, is this large: a small file must not fill the memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const WANTED = `run "${FETCH}" and use the ${SOURCE.tarball} it writes, or ${basename(SOURCE.path)} from it (SHA-256 ${SOURCE.sha256})`;

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** @throws WrongSource, or a system error if the file cannot be read */
export function readSource(file: string): Buffer {
  const stats = statSync(file);
  if (!stats.isFile()) throw new WrongSource(`${file} is not a file: ${WANTED}`);
  if (stats.size > MOST_BYTES) throw new WrongSource(`${file} is too large to be the model: ${WANTED}`);
  return modelIn(readFileSync(file), file);
}

/** @param name name of the file, for the error message */
export function modelIn(bytes: Buffer, name: string): Buffer {
  const model = isGzip(bytes) ? unpacked(bytes, name) : bytes;
  if (sha256(model) === SOURCE.sha256) return model;
  const what = isGzip(bytes) ? `${basename(SOURCE.path)} in ${name}` : name;
  throw new WrongSource(`${what} is not the published model (its SHA-256 is ${sha256(model)}): ${WANTED}`);
}

function unpacked(bytes: Buffer, name: string): Buffer {
  let model: Buffer | null;
  try {
    model = fileInTarball(bytes, `package/${SOURCE.path}`);
  } catch {
    throw new WrongSource(`${name} is damaged, or too large when unpacked: ${WANTED}`);
  }
  if (!model) throw new WrongSource(`${name} has no package/${SOURCE.path}: ${WANTED}`);
  return model;
}

const BLOCK = 512;
/** Byte ranges of a header's fields: [from, to). */
const [NAME, SIZE, KIND] = [
  [0, 100],
  [124, 136],
  [156, 157],
] as const;
const PLAIN_FILE = ['0', ''];

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Extracts one file from an npm tarball. Null: there is no such file. @throws Error if the tarball is damaged */
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
