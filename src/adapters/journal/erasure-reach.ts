/**
 * Checks whether the known erasures reach back to a backup. Old erasures are not kept, so an older backup would bring
 * back erased users. Held by test/cli/restore-reach.long.test.ts.
 */
import { existsSync } from 'node:fs';
import { BackupFault } from '../../ports/upkeep.ts';
import { utcDay } from '../../protocol/time.ts';
import type { Erasure } from '../sql/store/journal.ts';
import { reachOf, readErasures } from './erasure-journal.ts';

/** All erasures in this period are known. Milliseconds since the epoch. */
interface Period {
  readonly from: number;
  readonly until: number;
}

export interface Known extends Period {
  readonly erasures: readonly Erasure[];
}

/** By the folder's own journal; null if there is none. */
export function knownHere(journal: string): Known | null {
  if (!existsSync(journal)) return null;
  return { from: reachOf(journal), until: Number.POSITIVE_INFINITY, erasures: readErasures(journal) };
}

/** By a journal from elsewhere. It is certain only until its last line. */
export function knownInJournal(file: string): Known {
  const erasures = readErasures(file);
  return { from: reachOf(file), until: erasures.reduce((last, { at }) => Math.max(last, at), 0), erasures };
}

/** @param what the database, as messages name it. @throws BackupFault if not all erasures since the moment are known */
export function refuseGapAfter(
  moment: number,
  what: string,
  erasuresFile: string,
  known: readonly Known[],
): void {
  if (known.length === 0)
    throw new BackupFault(
      `there is no journal of erasures ${erasuresFile}, so erasures since ${new Date(moment).toISOString()}, when ${what} was made, cannot be known: copy the journal there, name it with --erasures, or use --accept-gap to let erased users come back`,
    );
  const from = gapAfter(moment, known);
  if (from === null) return;
  throw new BackupFault(
    `${what} is from ${utcDay(moment)}, but erasures are known only from ${utcDay(from)} on: users erased in between would come back. Use --erasures with a journal or backup that knows them, or a newer backup, or --accept-gap to restore anyway`,
  );
}

/** From when on erasures may be missing. Null: from no time on. */
export function unknownSince(backup: number, known: readonly Period[]): number | null {
  const until = Math.max(backup, ...known.map(each => each.until));
  return until === Number.POSITIVE_INFINITY ? gapAfter(backup, known) && backup : until;
}

/**
 * @param known not empty
 * @param backup the latest moment in the backup
 * @returns null if all erasures since the backup are known; otherwise the end of the gap
 */
export function gapAfter(backup: number, known: readonly Period[]): number | null {
  let covered = backup;
  for (const { from, until } of known.toSorted((a, b) => a.from - b.from)) {
    if (from > covered) return from;
    covered = Math.max(covered, until);
  }
  return null;
}
