/**
 * Checks whether the known erasures reach back to a backup. Old erasures are not kept, so an older backup would bring
 * back erased users. Held by test/cli/restore-reach.long.test.ts.
 */
import { existsSync } from 'node:fs';
import { backupAt } from '../sql/schema.ts';
import { reachOf, readErasures } from './erasure-journal.ts';
import { latestMomentIn } from './examine.ts';
import { requireSchema } from './examine-reading.ts';
import { withCopy } from './unchanged.ts';

/** All erasures in this period are known. Milliseconds since the epoch. */
export interface Known {
  readonly from: number;
  readonly until: number;
}

/** For the folder's own journal; null if there is none. */
export function knownHere(journal: string): Known | null {
  return existsSync(journal) ? { from: reachOf(journal), until: Number.POSITIVE_INFINITY } : null;
}

/** For a journal from elsewhere. It is certain only until its last line. */
export function knownInJournal(file: string): Known {
  const until = readErasures(file).reduce((last, { at }) => Math.max(last, at), 0);
  return { from: reachOf(file), until };
}

/** For another backup. */
export function knownInBackup(file: string): Known {
  return withCopy(file, database => {
    requireSchema(database, backupAt(file), true);
    const from = database.prepare("SELECT value FROM meta WHERE name = 'erasures_reach'").pluck().get();
    return { from: Number(from ?? 0), until: latestMomentIn(database) ?? 0 };
  });
}

/** From when on erasures may be missing. Null: from no time on. */
export function unknownSince(backup: number, known: readonly Known[]): number | null {
  const until = Math.max(backup, ...known.map(each => each.until));
  return until === Number.POSITIVE_INFINITY ? gapAfter(backup, known) && backup : until;
}

/**
 * @param known not empty
 * @param backup the latest moment in the backup
 * @returns null if all erasures since the backup are known; otherwise the end of the gap
 */
export function gapAfter(backup: number, known: readonly Known[]): number | null {
  let covered = backup;
  for (const { from, until } of known.toSorted((a, b) => a.from - b.from)) {
    if (from > covered) return from;
    covered = Math.max(covered, until);
  }
  return null;
}
