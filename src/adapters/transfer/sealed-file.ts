/**
 * The file in which an app travels: encrypted and authenticated as a whole under a passphrase, readable and writable as a
 * stream. Whoever wants to leave can write a reader from this text (test/cli/transfer.long.test.ts has one):
 *
 * 1. The first line, ended by a line feed, is JSON: `format` is "face-sign-in-export", `version` 1, `kdf` has `name`
 *    "scrypt", the numbers `N`, `r`, `p` and a `salt`, `cipher` is "aes-256-gcm", `nonce` 7 bytes; bytes in base64url.
 * 2. The key is scrypt(passphrase in UTF-8, salt, N, r, p), 32 bytes.
 * 3. Then come chunks: 4 bytes, big-endian, how long the chunk is; so many bytes of ciphertext, the last 16 of them the tag.
 *    Nonce of a chunk: the 7 bytes, its number from 0 in 4 bytes big-endian, one byte that is 1 for the last chunk and
 *    else 0. Authenticated with it: the first line, with its line feed.
 * 4. What the chunks hold, one after the other, is JSON lines in UTF-8: see records.ts.
 *
 * A file that is cut, continued, reordered or altered in any bit does not open to its end, and nothing is to be believed of
 * it before the end was reached.
 */
import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { fstatSync, readSync, writeSync } from 'node:fs';
import type { Random } from '../../ports/random.ts';

const FORMAT = 'face-sign-in-export';
const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const TAG = 16;
const CHUNK = 64 * 1024;
/** No writer makes longer ones: a length that was altered must not take the memory. */
const LONGEST_CHUNK = 1024 * 1024;
const LONGEST_HEAD = 4_096;
const LONGEST_LINE = 64 * 1024;
/** 128 MB and a good part of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
/** Twice that is taken from a file too: more would take the memory of a machine on which a server runs, for a file of anybody. */
const MOST_COST = 2 * COST.N * COST.r * COST.p;

/** The file is not one, is damaged, or the passphrase is another. The message is one line and says the mend. */
export class TransferFault extends Error {}

interface Head {
  readonly line: Buffer;
  readonly key: Buffer;
  readonly nonce: Buffer;
}

export interface LineWriter {
  add(record: object): void;
  /** The last chunk. */
  end(): void;
}

/** @param cost what a guess of the passphrase is to cost; stands in the file */
export function writeLines(file: number, passphrase: string, random: Random, cost = COST): LineWriter {
  const salt = random.bytes(16);
  const nonce = random.bytes(7);
  const kdf = { name: 'scrypt', ...cost, salt: salt.toString('base64url') };
  const head = { format: FORMAT, version: VERSION, kdf, cipher: CIPHER, nonce: nonce.toString('base64url') };
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  const key = keyOf(passphrase, salt, cost.N, cost.r, cost.p);
  writeAll(file, line);
  let waiting: Buffer[] = [];
  let size = 0;
  let number = 0;

  function flush(isLast: boolean): void {
    const cipher = createCipheriv(CIPHER, key, nonceOf(nonce, number++, isLast));
    cipher.setAAD(line);
    const body = Buffer.concat([
      ...waiting.map(part => cipher.update(part)),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    for (const part of waiting) part.fill(0);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    writeAll(file, Buffer.concat([length, body]));
    waiting = [];
    size = 0;
  }

  return {
    add(record) {
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      waiting.push(bytes);
      size += bytes.length;
      if (size >= CHUNK) flush(false);
    },
    end: () => flush(true),
  };
}

/**
 * The records of the file, one at a time, from the beginning at every call.
 * @throws TransferFault, at the latest where the file should end
 */
export function linesIn(file: number, passphrase: string): () => Generator<unknown, void, void> {
  const head = readHead(file, passphrase);
  return () => readLines(file, head);
}

function* readLines(file: number, head: Head): Generator<unknown, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for (const chunk of chunksOf(file, head)) {
    let text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10)) {
      yield parsed(ofFairLength(text.subarray(0, end)));
      text = text.subarray(end + 1);
    }
    rest = ofFairLength(text);
  }
  if (rest.length > 0) throw new TransferFault('the file ends within a line: export it again');
}

function* chunksOf(file: number, { line, key, nonce }: Head): Generator<Buffer, void, void> {
  const { size } = fstatSync(file);
  let at = line.length;
  for (let number = 0; ; number++) {
    const length = readAt(file, at, 4);
    if (length.length < 4) throw cut();
    const bytes = length.readUInt32BE();
    if (bytes < TAG || bytes > LONGEST_CHUNK) throw damaged(number);
    const sealed = readAt(file, at + 4, bytes);
    if (sealed.length < bytes) throw cut();
    at += 4 + bytes;
    const isLast = at === size;
    const clear = opened(sealed, line, key, nonceOf(nonce, number, isLast));
    if (clear) yield clear;
    // A good chunk that is not the last one, with nothing behind it, or a last one with something behind it.
    else if (opened(sealed, line, key, nonceOf(nonce, number, !isLast)))
      throw isLast ? cut() : new TransferFault('the file goes on behind its end: copy it again');
    else throw damaged(number);
    if (isLast) return;
  }
}

function opened(sealed: Buffer, line: Buffer, key: Buffer, nonce: Buffer): Buffer | null {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  decipher.setAAD(line);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  const clear = decipher.update(sealed.subarray(0, sealed.length - TAG));
  try {
    decipher.final();
    return clear;
  } catch {
    clear.fill(0);
    return null;
  }
}

function readHead(file: number, passphrase: string): Head {
  const begin = readAt(file, 0, LONGEST_HEAD);
  const line = begin.subarray(0, begin.indexOf(10) + 1);
  let head: { [name: string]: unknown; kdf?: { [name: string]: unknown } };
  try {
    head = JSON.parse(line.toString());
  } catch {
    throw notOne();
  }
  if (head?.format !== FORMAT) throw notOne();
  if (head.version !== VERSION)
    throw new TransferFault(
      `the file has version ${Number(head.version)} of its format, this program reads ${VERSION}: use a newer program`,
    );
  const { name, N, r, p, salt } = head.kdf ?? {};
  const nonce = Buffer.from(String(head.nonce), 'base64url');
  const isSane =
    [N, r, p].every(n => Number.isSafeInteger(n) && Number(n) > 0) &&
    Number(N) * Number(r) * Number(p) <= MOST_COST;
  if (name !== 'scrypt' || head.cipher !== CIPHER || nonce.length !== 7 || !isSane) throw damaged(0);
  try {
    const key = keyOf(passphrase, Buffer.from(String(salt), 'base64url'), Number(N), Number(r), Number(p));
    return { line, key, nonce };
  } catch {
    throw damaged(0);
  }
}

function keyOf(passphrase: string, salt: Buffer, N: number, r: number, p: number): Buffer {
  return scryptSync(Buffer.from(passphrase), salt, 32, { N, r, p, maxmem: 256 * N * r });
}

function nonceOf(prefix: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function ofFairLength(line: Buffer): Buffer {
  if (line.length <= LONGEST_LINE) return line;
  throw new TransferFault('the file has a line that is too long: export it again');
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw new TransferFault('the file has a line that is not JSON: export it again');
  }
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, at + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.subarray(0, read);
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

const notOne = () => new TransferFault('the file is not an export: name one that "app export" has made');
const cut = () => new TransferFault('the file is cut: copy it again, whole');
const damaged = (number: number) =>
  new TransferFault(
    number === 0
      ? 'the file does not open: the passphrase is another, or the file is damaged'
      : 'the file is damaged: copy it again',
  );
