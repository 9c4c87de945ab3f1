/**
 * The journal of erasures: a file in the data folder that outlives the database, so that a restored backup does not
 * bring back erased users. It has one JSON line per erased user or app: a keyed hash of the id, and the time. Several
 * processes may append at once. After old lines were pruned (prune-journal.ts), the first line says how far back the
 * journal reaches. Held by test/journal/journal.test.ts.
 */
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Erasure } from '../sql/store/journal.ts';
import { fileIdIn, fileIdOf, sync } from './files.ts';

/** Resolves when the lines are on the disk. Duplicate lines are harmless. */
export async function addErasures(path: string, erasures: readonly Erasure[]): Promise<void> {
  if (erasures.length === 0) return;
  // Repeat if the journal was replaced meanwhile: the old file may have been read before these lines were added.
  while (!(await appended(path, erasures.map(lineOf))));
}

/** A new journal, which is complete from the moment on; 0: from the beginning. One that is there already stays. */
export async function makeJournal(path: string, from: number, erasures: readonly Erasure[]): Promise<void> {
  const draft = `${path}.new-${process.pid}`;
  try {
    await writeDraft(draft, from, erasures);
    linkSync(draft, path);
    sync(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A whole journal under another name. Removes what is there. */
export async function writeDraft(draft: string, from: number, erasures: readonly Erasure[]): Promise<void> {
  const lines = [...(from > 0 ? [JSON.stringify({ reaches: isoOf(from) })] : []), ...erasures.map(lineOf)];
  rmSync(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(lines.map(line => `${line}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** False if the file that got the lines is no longer the journal. */
async function appended(path: string, lines: readonly string[]): Promise<boolean> {
  const isNew = !existsSync(path);
  const file = await open(path, 'a+', 0o600);
  try {
    await file.appendFile(`${(await endsWhole(file)) ? '' : '\n'}${lines.join('\n')}\n`);
    await file.datasync();
    if (isNew) sync(dirname(path));
    const now = fileIdOf(path);
    return now === '' || now === fileIdIn(await file.stat());
  } finally {
    await file.close();
  }
}

const isoOf = (moment: number) => new Date(moment).toISOString();
const lineOf = ({ hash, at }: Erasure) => JSON.stringify({ at: isoOf(at), hash });

/** The journal is complete from this time on, in milliseconds since the epoch; 0: from the beginning. */
export function reachOf(path: string): number {
  if (!existsSync(path)) return 0;
  const moments = readFileSync(path, 'utf8')
    .split('\n', 1)
    .map(line => Date.parse(/^\{"reaches":"([^"]+)"\}$/.exec(line)?.[1] ?? ''));
  return moments[0] || 0;
}

/** The erasures in a journal; none if it does not exist. Skips lines that were cut short by a crash. */
export function readErasures(path: string): Erasure[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').split('\n').flatMap(erasureOf);
}

function erasureOf(line: string): Erasure[] {
  try {
    const { at, hash } = JSON.parse(line);
    const time = Date.parse(at);
    return typeof hash === 'string' && !Number.isNaN(time) ? [{ hash, at: time }] : [];
  } catch {
    return [];
  }
}

/** False if a crash cut the last line short. */
async function endsWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}
