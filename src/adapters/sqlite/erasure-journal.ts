/**
 * The journal of erasures: a file in the data folder that outlives the database, so that a restored backup does not
 * bring back whom the service was told to forget. One JSON line for each erased user or app: a keyed hash of the id, and
 * the time. Processes that share the folder may add at once. Where old lines were taken out (prune-journal.ts), the first
 * line says how far back the others reach. test/sqlite/journal.ts holds it.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Erasure } from '../sql/store/journal.ts';

/** Resolves when the lines are on the disk. A line may be there twice: it means the same. */
export async function addErasures(path: string, erasures: readonly Erasure[]): Promise<void> {
  if (erasures.length === 0) return;
  // Again when the journal was written anew meanwhile: what was added to the one of before may have been read too early.
  while (!(await appended(path, erasures.map(lineOf))));
}

/** False when the file that has the lines is not the journal any more. */
async function appended(path: string, lines: readonly string[]): Promise<boolean> {
  const isNew = !existsSync(path);
  const file = await open(path, 'a+', 0o600);
  try {
    await file.appendFile(`${(await endsWhole(file)) ? '' : '\n'}${lines.join('\n')}\n`);
    await file.datasync();
    if (isNew) await syncFolder(dirname(path));
    const { dev, ino } = await file.stat();
    const now = statSync(path, { throwIfNoEntry: false });
    return now === undefined || (now.dev === dev && now.ino === ino);
  } finally {
    await file.close();
  }
}

export function lineOf({ hash, at }: Erasure): string {
  return JSON.stringify({ at: new Date(at).toISOString(), hash });
}

/** Says that erasures of before the moment are not in the journal any more. */
export function reachLine(moment: number): string {
  return JSON.stringify({ reaches: new Date(moment).toISOString() });
}

/** From when on the journal knows all erasures, in milliseconds since the epoch; 0: from the beginning. */
export function reachOf(path: string): number {
  if (!existsSync(path)) return 0;
  const moments = readFileSync(path, 'utf8')
    .split('\n', 1)
    .map(line => Date.parse(/^\{"reaches":"([^"]+)"\}$/.exec(line)?.[1] ?? ''));
  return moments[0] || 0;
}

/** What a journal tells; nothing when there is none. A line that a crash has cut short is passed over. */
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

/** False after a crash in the middle of a line. */
async function endsWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
