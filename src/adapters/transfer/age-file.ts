/**
 * The file of an exported app: an age file (age-encryption.org/v1) with a passphrase, which contains the JSON lines of
 * records.ts. `age --decrypt FILE` prints them; `age --passphrase` encrypts such lines into a file that can be
 * imported.
 *
 * Both directions are streams, so memory does not grow with the file. age authenticates 64 KB at a time, and only the
 * last chunk proves that the file is complete: read it to the end before using any of it.
 * Held by test/transfer/damage.long.test.ts and test/clients/age.test.ts.
 */
import { readSync, writeSync } from 'node:fs';
import { ReadableStream } from 'node:stream/web';

/** Each guess at a passphrase takes 2^17 KB (128 MB) of memory and a large part of a second. */
const WORK_FACTOR = 17;
/** The factor of the age tool: 256 MB. More could take memory from a server on the same machine. */
const MAX_WORK_FACTOR = 18;
const VERSION = 'age-encryption.org/v1\n';
/** The only header that age allows with a passphrase. The library would read a header of any size into memory. */
const HEADER = new RegExp(
  `^${VERSION}-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n`,
);
const LONGEST_HEADER = 256;
const CHUNK = 64 * 1024;
const LONGEST_LINE = 64 * 1024;

/** The file is not an export, is damaged, or the passphrase is wrong. The message is one line and says the fix. */
export class TransferFault extends Error {}

// Loaded only for an export or import, to keep other starts fast.
const library = () => import('age-encryption');
// The class has two declarations, and only the one of Node.js has "from".
const streamOf = (chunks: Iterable<Uint8Array>) =>
  ReadableStream.from(chunks) as globalThis.ReadableStream<Uint8Array>;

export async function writeLines(file: number, passphrase: string, lines: Iterable<object>): Promise<void> {
  const { Encrypter } = await library();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  const encrypted = await encrypter.encrypt(streamOf(chunksOf(lines)));
  for await (const bytes of encrypted) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function* chunksOf(lines: Iterable<object>): Generator<Uint8Array, void, void> {
  let text = '';
  for (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/**
 * @returns a function that reads the records one at a time, from the beginning at every call
 * @throws TransferFault, at the latest at the end of the file
 */
export async function linesIn(
  file: number,
  passphrase: string,
): Promise<() => AsyncGenerator<unknown, void, void>> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const fileKey = await decrypter.decryptHeader(headerOf(file)).catch(cause => {
    throw new TransferFault('the file does not open: the passphrase is wrong, or the file is damaged', {
      cause,
    });
  });
  return () => readLines(file, fileKey);
}

/** @throws TransferFault */
function headerOf(file: number): Uint8Array {
  const begin = readAt(file, 0, LONGEST_HEADER);
  const text = begin.toString('latin1');
  if (text.startsWith('-----BEGIN AGE'))
    throw new TransferFault('the file is armored: encrypt it again without --armor');
  if (!text.startsWith(VERSION))
    throw new TransferFault('the file is not an export: choose a file made by "app export"');
  const [header, workFactor] = HEADER.exec(text) ?? [];
  if (header === undefined)
    throw new TransferFault(
      'the file is damaged, or encrypted without a passphrase: copy it again, or encrypt it with "age --passphrase"',
    );
  if (Number(workFactor) > MAX_WORK_FACTOR)
    throw new TransferFault(
      `the file has the scrypt work factor ${workFactor}, which takes too much memory: encrypt it again with at most ${MAX_WORK_FACTOR}, as "age --passphrase" does`,
    );
  return begin.subarray(0, header.length);
}

async function* readLines(file: number, fileKey: Uint8Array): AsyncGenerator<unknown, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of decrypted(file, fileKey)) {
    let text = Buffer.concat([rest, chunk]);
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10)) {
      yield parsed(ofFairLength(text.subarray(0, end)));
      text = text.subarray(end + 1);
    }
    rest = ofFairLength(text);
  }
  if (rest.length > 0) throw new TransferFault('the file ends within a line: export it again');
}

async function* decrypted(file: number, fileKey: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addIdentity({ unwrapFileKey: () => fileKey });
  try {
    yield* await decrypter.decrypt(streamOf(bytesOf(file)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw new TransferFault('the file is cut or damaged: copy it again', { cause: error });
  }
}

function* bytesOf(file: number): Generator<Uint8Array, void, void> {
  for (let at = 0; ; ) {
    const bytes = readAt(file, at, CHUNK);
    if (bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
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
