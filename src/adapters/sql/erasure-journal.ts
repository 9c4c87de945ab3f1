/**
 * The journal of erasures: a file in the data folder that outlives the database, so that a restored backup does not
 * bring back whom the service was told to forget. One JSON line for each erased user or app: a keyed hash of the id, and
 * the time. Lines are only ever added; processes that share the folder may add at once. test/contract holds it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Erasure {
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Resolves when the lines are on the disk. A line may be there twice: it means the same. */
export async function addErasures(path: string, erasures: readonly Erasure[]): Promise<void> {
  if (erasures.length === 0) return;
  const lines = erasures.map(({ hash, at }) => JSON.stringify({ at: new Date(at).toISOString(), hash }));
  const isNew = !existsSync(path);
  const file = await open(path, 'a+', 0o600);
  try {
    await file.appendFile(`${(await endsWhole(file)) ? '' : '\n'}${lines.join('\n')}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  if (isNew) await syncFolder(dirname(path));
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
