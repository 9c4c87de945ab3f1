/**
 * The secret that the last rotation replaced. It lies beside the new one as `master.key.old`, because a rotation that
 * destroyed the only copy would make every backup unreadable; and it goes only when an operator says so.
 * Held by test/cli/old-secret.test.ts.
 */
import { closeSync, fstatSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { oldOf, syncFolderOf } from './master-secret.ts';

/** Since when it is there, in milliseconds since the epoch; null when there is none. */
export function oldSecretSince(file: string): number | null {
  return statSync(oldOf(file), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Its bytes are written over before the file goes. */
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
