/** Reads what --erasures names, a journal or another backup; changes neither. Held by test/sqlite/opening.test.ts. */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { BackupFault } from '../../ports/upkeep.ts';
import { type Known, knownInJournal } from '../journal/erasure-reach.ts';
import { backupAt } from '../sql/schema.ts';
import type { Erasure } from '../sql/store/journal.ts';
import { latestMomentIn } from './examine.ts';
import { requireSchema, withCopy } from './examine-reading.ts';

const DATABASE_HEAD = 'SQLite format 3\0';

/** @throws BackupFault, SchemaMisfit */
export function knownIn(file: string | null): Known | null {
  if (file === null) return null;
  if (!existsSync(file)) throw new BackupFault(`there is no journal of erasures ${file}: check the path`);
  if (isDatabase(file)) return knownInBackup(file);
  const known = knownInJournal(file);
  if (known.erasures.length === 0 && readFileSync(file, 'utf8').trim() !== '')
    throw new BackupFault(`${file} is not a journal of erasures: choose an erasures.jsonl or a backup`);
  return known;
}

function knownInBackup(file: string): Known {
  return withCopy(file, database => {
    requireSchema(database, backupAt(file), true);
    const from = database.prepare("SELECT value FROM meta WHERE name = 'erasures_reach'").pluck().get();
    const erasures = database.prepare<[], Erasure>('SELECT hash, erased_at AS at FROM erasures').all();
    return { from: Number(from ?? 0), until: latestMomentIn(database) ?? 0, erasures };
  });
}

export function isDatabase(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(DATABASE_HEAD.length);
    readSync(handle, head, 0, head.length, 0);
    return head.toString('latin1') === DATABASE_HEAD;
  } finally {
    closeSync(handle);
  }
}
