/** A disk without room, however deep in an error it shows: what an operator has to know is where, and that it is that. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const FULL = /^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/;
/** The engine's name for many things; one of them is a file of its own that finds no room. */
const MAYBE_FULL = /^SQLITE_IOERR/;
/** Less than this is none: the engine's files begin with more. */
const ROOM = 1024 * 1024;

/** @returns an error to tell instead; null when the disk has room, or something else is wrong */
export function fullDisk(error: unknown, ...files: readonly string[]): Error | null {
  const codes = codesOf(error);
  if (!codes.some(code => FULL.test(code) || MAYBE_FULL.test(code))) return null;
  const full = files.map(dirname).find(hasNoRoom);
  if (full === undefined) return null;
  return new Error(`no space is left on the disk of ${full}: make room, then start again`, { cause: error });
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
