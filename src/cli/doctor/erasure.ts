/** `doctor --erasure`: searches the service's files for traces of an erased user. */
import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { iso } from '../../domain/time.ts';
import { counted } from '../../protocol/amounts.ts';
import type { Parts } from '../../service/data.ts';
import { openFile } from '../../service/file.ts';
import { fileOf } from '../../settings/database.ts';
import type { Check } from './check.ts';
import { filesBelow, searchFile } from './search.ts';

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
