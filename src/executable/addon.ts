/**
 * The database engine of the single executable. The system loads native code from files only, so each start writes it into
 * a folder of its own that nobody else can enter, checks what is there, loads it, and removes the folder at once: there
 * is nothing for another program to replace, for another start to race with, or to be left behind.
 *
 * A thread loads it by the same name, which the system answers with what is loaded already. A second copy would be worse
 * than none: two of them in one process undo each other's locks on the database. Held by test/dist/unpack.long.test.ts and
 * run.long.test.ts.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** By this name it is packed, and by this name threads learn where it was loaded from. */
export const ADDON = 'addon/better_sqlite3.node';
/** SHA-256 of what was packed, and the oldest glibc that it runs on; the build puts them here. */
declare const ADDON_SHA256: string;
declare const ADDON_GLIBC: string;

const OTHERS_MAY_WRITE = 0o022;
const STICKY = 0o1000;
/** What the loader says of a file system from which nothing may be run. */
const NOT_RUNNABLE = /failed to map segment|Operation not permitted|Permission denied/;

export function loadAddon(): unknown {
  const known = getEnvironmentData(ADDON);
  if (typeof known === 'string') return load(known);
  if (!isMainThread) throw new Error('the database engine was not loaded before this thread began');
  const bytes = new Uint8Array(getRawAsset(ADDON) as ArrayBuffer);
  if (createHash('sha256').update(bytes).digest('hex') !== ADDON_SHA256)
    throw new Error('this executable is damaged: copy it again from where it was built');
  const faults: string[] = [];
  for (const place of new Set([tmpdir(), '/var/tmp', '/dev/shm', `/run/user/${process.getuid?.()}`])) {
    try {
      return loadFrom(place, bytes);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_DLOPEN_FAILED' && !NOT_RUNNABLE.test(message))
        throw new Error(
          `the database engine does not run on this machine, which needs glibc ${ADDON_GLIBC} or newer and the libstdc++ of its time: ${message}`,
          { cause: error },
        );
      faults.push(`${place} (${code === 'ERR_DLOPEN_FAILED' ? 'mounted noexec' : (code ?? message)})`);
    }
  }
  throw new Error(
    `the database engine cannot be unpacked into ${faults.join(', ')}: set TMPDIR to a folder that this user can write and that is not mounted noexec`,
  );
}

function loadFrom(place: string, bytes: Uint8Array): unknown {
  requirePrivate(place);
  const folder = mkdtempSync(join(place, 'face-sign-in-'));
  try {
    const file = join(folder, 'better_sqlite3.node');
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
    if (!readFileSync(file).equals(bytes)) throw new Error('what is written comes back changed');
    const addon = load(file);
    setEnvironmentData(ADDON, file);
    return addon;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody else may rename a folder in it: it is ours or the system's, and others write to it as to /tmp or not at all. */
function requirePrivate(place: string): void {
  const { uid, mode } = statSync(place);
  if (uid !== 0 && uid !== process.getuid?.()) throw new Error('belongs to another user');
  if (mode & OTHERS_MAY_WRITE && !(mode & STICKY)) throw new Error('others may replace what is in it');
}

function load(file: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}
