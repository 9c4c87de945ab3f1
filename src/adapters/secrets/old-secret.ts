/**
 * The secret before the last rotation. It stays beside the new one as `master.key.old`, because older backups need it.
 * Only an operator destroys it. Held by test/cli/old-secret.test.ts.
 */
import { closeSync, fstatSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { oldOf, syncFolderOf } from './master-secret.ts';

/** When it was written, in milliseconds since the epoch. Null: there is none. */
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
