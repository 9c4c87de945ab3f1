/** Detects a full disk behind an error, and says which disk it is. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const FULL = /^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/;
/** SQLite uses this code for many faults. One of them is a full disk. */
const MAYBE_FULL = /^SQLITE_IOERR/;
/** With less free space the disk counts as full: SQLite's files begin larger. */
const ROOM = 1024 * 1024;

/** @returns the error to report instead; null if the disk is not full */
export function fullDisk(error: unknown, ...files: readonly string[]): Error | null {
  const codes = codesOf(error);
  if (!codes.some(code => FULL.test(code) || MAYBE_FULL.test(code))) return null;
  const full = files.map(dirname).find(hasNoRoom);
  if (full === undefined) return null;
  return new Error(`no space is left on the disk of ${full}: free some space, then start again`, {
    cause: error,
  });
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [String((error as NodeJS.ErrnoException).code), ...codesOf(error.cause)];
}

function hasNoRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < ROOM;
  } catch {
    return false;
  }
}
