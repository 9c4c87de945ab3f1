/**
 * Loads the database engine of the single executable. The system loads native code only from files, so each start
 * writes the engine into a new private folder, checks it, loads it and removes the folder at once. No other program can
 * replace it, and nothing is left behind.
 *
 * Threads load it by the same file name, so they get the copy that is already loaded. A second copy in the process
 * would be dangerous: the two would undo each other's locks on the database. Held by test/dist/unpack.long.test.ts and
 * run.long.test.ts.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** Name of the asset, and of the environment data that gives threads the file it was loaded from. */
export const ADDON = 'addon/better_sqlite3.node';
/** Set by the build: SHA-256 of the packed engine, and the oldest glibc that it runs on. */
declare const ADDON_SHA256: string;
declare const ADDON_GLIBC: string;

const OTHERS_MAY_WRITE = 0o022;
const STICKY = 0o1000;
/** Messages of the loader for a file system that is mounted noexec. */
const NOT_RUNNABLE = /failed to map segment|Operation not permitted|Permission denied/;

export function loadAddon(): unknown {
  const known = getEnvironmentData(ADDON);
  if (typeof known === 'string') return load(known);
  if (!isMainThread) throw new Error('the database engine must be loaded before threads start');
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
          `the database engine does not run on this machine: it needs glibc ${ADDON_GLIBC} or newer and a matching libstdc++: ${message}`,
          { cause: error },
        );
      faults.push(`${place} (${code === 'ERR_DLOPEN_FAILED' ? 'mounted noexec' : (code ?? message)})`);
    }
  }
  throw new Error(
    `the database engine cannot be unpacked into ${faults.join(', ')}: set TMPDIR to a folder that this user can write to and that is not mounted noexec`,
  );
}

function loadFrom(place: string, bytes: Uint8Array): unknown {
  requirePrivate(place);
  const folder = mkdtempSync(join(place, 'face-sign-in-'));
  try {
    const file = join(folder, 'better_sqlite3.node');
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
    if (!readFileSync(file).equals(bytes)) throw new Error('the written file reads back changed');
    const addon = load(file);
    setEnvironmentData(ADDON, file);
    return addon;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error if other users could replace a folder in it. It must belong to us or to root; /tmp is sticky. */
function requirePrivate(place: string): void {
  const { uid, mode } = statSync(place);
  if (uid !== 0 && uid !== process.getuid?.()) throw new Error('belongs to another user');
  if (mode & OTHERS_MAY_WRITE && !(mode & STICKY)) throw new Error('other users can replace files in it');
}

function load(file: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}
