/**
 * Finds the master secret: in the setting, or else in a file of mode 0600 beside the database. The file is created only
 * together with a new database. A database without its secret is an error.
 *
 * During a rotation, or after an interrupted one, the next secret lies beside the file as `master.key.next`; whichever
 * of the two fits the database is the master secret. A finished rotation leaves the previous secret as
 * `master.key.old`, which opens only backups. Held by test/secrets/master-secret.test.ts; rotation by
 * test/cli/master-secret.long.test.ts.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StoreMisfit } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { type Master, masterOf } from './master.ts';

export const MASTER_SECRET_BYTES = 32;

/** File of the next secret, until the database uses it. */
export const nextOf = (file: string) => `${file}.next`;
/** File of the previous secret, which older backups need. Only an operator removes it. */
export const oldOf = (file: string) => `${file}.old`;

/**
 * Candidates for the master secret, the likeliest first.
 * @throws StoreMisfit if the database exists but no secret does, or if the file contains no secret
 */
export function findMasterSecrets(
  given: Buffer | null,
  file: string,
  databaseExists: boolean,
  random: Random,
): [Buffer, ...Buffer[]] {
  if (given) return [given];
  // Read this one first: if a rotation has just moved it, the other file contains it.
  const next = databaseExists ? readIfThere(nextOf(file)) : null;
  if (!existsSync(file)) {
    if (next) return [next];
    if (databaseExists) {
      throw new StoreMisfit(
        `MASTER_SECRET is not set and ${file} is missing, but the database exists: put the file back or set the variable`,
      );
    }
    create(file, random.bytes(MASTER_SECRET_BYTES));
  }
  const secret = readSecret(file);
  if (secret) return next ? [secret, next] : [secret];
  throw new StoreMisfit(
    `${file} must contain ${MASTER_SECRET_BYTES} bytes in base64url: put the right file back`,
  );
}

/** The secrets in the files now, for a process whose own secret no longer fits. */
export function secretsOnDisk(file: string): Buffer[] {
  return [file, nextOf(file)].flatMap(path => {
    try {
      return readSecret(path) ?? [];
    } catch {
      return [];
    }
  });
}

function readIfThere(file: string): Buffer | null {
  try {
    return readSecret(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Null if the file contains no secret. */
function readSecret(file: string): Buffer | null {
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  return secret.length === MASTER_SECRET_BYTES ? secret : null;
}

/** Writes the next secret. It is on the disk when this returns. */
export function writeNext(file: string, secret: Buffer): void {
  rmSync(nextOf(file), { force: true });
  create(nextOf(file), secret);
}

/**
 * Makes the next secret the master secret, and keeps the previous one as `master.key.old`. Another process may have
 * done so already. An existing `master.key.old` is never overwritten: then both files stay, and each start finds the
 * one that fits.
 */
export function adoptNext(file: string): void {
  if (existsSync(nextOf(file)) && !keepOld(file)) return;
  try {
    renameSync(nextOf(file), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  syncFolderOf(file);
}

/** @returns false if there is another old secret already */
function keepOld(file: string): boolean {
  if (!existsSync(file)) return true;
  const current = readFileSync(file, 'utf8');
  if (existsSync(oldOf(file))) return readFileSync(oldOf(file), 'utf8') === current;
  createFile(oldOf(file), current);
  return true;
}

/** Cancels the rotation. */
export function dropNext(file: string): void {
  rmSync(nextOf(file), { force: true });
  syncFolderOf(file);
}

/**
 * Creates the file atomically, by linking a complete draft to its name. If two first starts run at once, the one that
 * comes second uses the file of the other.
 */
function create(file: string, secret: Buffer): void {
  createFile(file, `${secret.toString('base64url')}\n`);
}

function createFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    write(draft, text);
    publish(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderOf(file);
}

function syncFolderOf(file: string): void {
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

function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some file systems have no links. There the last of two simultaneous starts wins, and the check value shows it.
    if (code !== 'EEXIST') renameSync(draft, file);
  }
}

/** The master secret in a file; null: there is none. */
export function masterIn(file: string): Master | null {
  const secret = existsSync(file) ? readSecret(file) : null;
  return secret && masterOf(secret);
}

/**
 * When the secret before the last rotation was written, in milliseconds since the epoch. It stays beside the new one as
 * `master.key.old`, because older backups need it. Only an operator destroys it. Null: there is none. Held by
 * test/cli/old-secret.test.ts.
 */
export function oldSecretSince(file: string): number | null {
  return statSync(oldOf(file), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Overwrites the bytes, then deletes the file. */
export function destroyOldSecret(file: string): void {
  const handle = openSync(oldOf(file), 'r+');
  try {
    writeSync(handle, Buffer.alloc(fstatSync(handle).size), 0, undefined, 0);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  rmSync(oldOf(file));
  syncFolderOf(file);
}
