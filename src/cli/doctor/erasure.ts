/** `doctor --erasure`: searches the service's files for traces of an erased user. */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { counted } from '../../protocol/amounts.ts';
import { iso } from '../../protocol/time.ts';
import type { Parts } from '../../service/data.ts';
import { openFile } from '../../service/file.ts';
import { fileOf } from '../../settings/database.ts';
import type { Check } from './checks.ts';

/** Endings of SQLite's files. They lie beside the database, which need not be in DATA_DIR. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

export async function checkErasure(config: Config, id: string, parts: Parts): Promise<Check[]> {
  const { exists, erasedAt } = await openFile(config, parts, 'doctor --erasure').trace(id);
  if (exists) return [{ name: 'erasure', ok: false, detail: `${id} is not erased: delete this user first` }];
  const erased = erasedAt === null ? 'not in the journal' : `erased at ${iso(erasedAt)}`;
  return [
    { name: 'erasure', ok: true, detail: `${id}: ${erased}` },
    ...filesOf(config).flatMap(searchOf(id)),
  ];
}

function filesOf({ dataDir, database, mail }: Config): string[] {
  const path = fileOf(database);
  const beside = path === null ? [] : COMPANIONS.map(end => path + end).filter(file => existsSync(file));
  const folders = [dataDir, ...(mail?.kind === 'file' && existsSync(mail.folder) ? [mail.folder] : [])];
  return [...new Set([...beside, ...folders.flatMap(filesBelow)])].sort();
}

function searchOf(id: string): (file: string) => Check[] {
  return file => {
    const searched = searchFile(file, id);
    if (!searched) return [];
    const { bytes, found } = searched;
    const detail =
      found.length === 0
        ? `not found in ${counted(bytes, 'byte')}`
        : `found ${counted(found.length, 'time')}, first at byte ${found[0]}: run "job run retention" and check again`;
    return [{ name: file, ok: found.length === 0, detail }];
  };
}

const PIECE = 8 * 1024 * 1024;

interface Searched {
  readonly file: string;
  readonly bytes: number;
  /** Offsets of the text, counted from 0. */
  readonly found: readonly number[];
}

/** All files below a folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Null if the file no longer exists. */
export function searchFile(file: string, text: string): Searched | null {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return { file, ...search(handle, Buffer.from(text)) };
  } finally {
    closeSync(handle);
  }
}

function search(handle: number, wanted: Buffer): Omit<Searched, 'file'> {
  const overlap = wanted.length - 1;
  const buffer = Buffer.alloc(PIECE + overlap);
  const found: number[] = [];
  let kept = 0;
  let bytes = 0;
  for (;;) {
    const read = readSync(handle, buffer, kept, PIECE, bytes);
    if (read === 0) return { bytes, found };
    const piece = buffer.subarray(0, kept + read);
    for (let at = piece.indexOf(wanted); at >= 0; at = piece.indexOf(wanted, at + 1))
      found.push(bytes - kept + at);
    bytes += read;
    // Keep the end of this piece: the text may begin there.
    kept = Math.min(overlap, piece.length);
    piece.copy(buffer, 0, piece.length - kept);
  }
}
