/**
 * Finds the master secret: in the setting, else in a file of mode 0600 beside the database. The file is made only
 * together with a new database. A database without its secret is an error, never a reason to make another one.
 *
 * While a rotation is under way, or after one that was interrupted, the secret that is to follow lies beside the file, as
 * `master.key.next`: whichever of the two fits the database is the master secret. A rotation that is over leaves the one
 * before as `master.key.old`, which opens nothing but backups. test/domain/master-secret.test.ts holds it, and
 * test/cli/master-secret.long.test.ts the rotation.
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
import { StoreMisfit } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';

export const MASTER_SECRET_BYTES = 32;

/** Where the secret is put before the database changes to it. */
export const nextOf = (file: string) => `${file}.next`;
/** Where a rotation keeps the secret that it replaces: backups from before need it. Only an operator removes it. */
export const oldOf = (file: string) => `${file}.old`;

/**
 * What may be the master secret, the likeliest first.
 * @throws StoreMisfit when there is no secret for a database that exists, or the file holds something else
 */
export function findMasterSecrets(
  given: Buffer | null,
  file: string,
  databaseExists: boolean,
  random: Random,
): [Buffer, ...Buffer[]] {
  if (given) return [given];
  // Read first: what is not here any more is the file that is read next.
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
    `${file} must hold ${MASTER_SECRET_BYTES} bytes in base64url: put the right file back`,
  );
}

/** What the files hold now, as far as it can be a secret: for a process whose own fits no longer. */
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

/** Null when the file holds something else. */
export function readSecret(file: string): Buffer | null {
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  return secret.length === MASTER_SECRET_BYTES ? secret : null;
}

/** The secret that is to follow is on the disk when this returns. */
export function writeNext(file: string, secret: Buffer): void {
  rmSync(nextOf(file), { force: true });
  create(nextOf(file), secret);
}

/**
 * The secret that was to follow is the master secret from now on, and the one before is kept as `master.key.old`.
 * Another process may have done it already. An old secret that lies there is never written over: both files then stay,
 * and each start finds the one that fits.
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

/** @returns false when another old secret is in the way */
function keepOld(file: string): boolean {
  if (!existsSync(file)) return true;
  const present = readFileSync(file, 'utf8');
  if (existsSync(oldOf(file))) return readFileSync(oldOf(file), 'utf8') === present;
  createFile(oldOf(file), present);
  return true;
}

/** The rotation did not come about. */
export function dropNext(file: string): void {
  rmSync(nextOf(file), { force: true });
  syncFolderOf(file);
}

/**
 * Two first starts at once agree on one file: the one that does not make it reads the other's. The file appears whole
 * or not at all, by linking a finished one to its name.
 */
function create(file: string, secret: Buffer): void {
  createFile(file, `${secret.toString('base64url')}\n`);
}

function createFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    write(draft, text);
    appear(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderOf(file);
}

export function syncFolderOf(file: string): void {
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
