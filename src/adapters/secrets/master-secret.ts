/**
 * Finds the master secret: in the setting, else in a file of mode 0600 beside the database. The file is made only
 * together with a new database. A database without its secret is an error, never a reason to make another one.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from '../../ports/random.ts';
import { StoreMisfit } from '../../ports/store.ts';

export const MASTER_SECRET_BYTES = 32;

/** @throws StoreMisfit when there is no secret for a database that exists, or the file holds something else */
export function findMasterSecret(
  given: Buffer | null,
  file: string,
  databaseExists: boolean,
  random: Random,
): Buffer {
  if (given) return given;
  if (!existsSync(file)) {
    if (databaseExists) {
      throw new StoreMisfit(
        `MASTER_SECRET is not set and ${file} is missing, but the database exists: put the file back or set the variable`,
      );
    }
    create(file, random.bytes(MASTER_SECRET_BYTES).toString('base64url'));
  }
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (secret.length !== MASTER_SECRET_BYTES) {
    throw new StoreMisfit(
      `${file} must hold ${MASTER_SECRET_BYTES} bytes in base64url: put the right file back`,
    );
  }
  return secret;
}

/**
 * Two first starts at once agree on one file: the one that does not make it reads the other's. The file appears whole
 * or not at all, by linking a finished one to its name.
 */
function create(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    write(draft, `${text}\n`);
    appear(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function write(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function appear(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some file systems have no links: there the last of two starts at once would win, and the check value tells.
    if (code !== 'EEXIST') renameSync(draft, file);
  }
}
