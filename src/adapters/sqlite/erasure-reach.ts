/**
 * Whether what is known of erasures reaches back to a backup: old erasures are forgotten, and a backup from before them would
 * bring back people whom nobody can erase again. Held by test/cli/restore-reach.long.test.ts.
 */
import { existsSync } from 'node:fs';
import { ERASURES_KEPT } from '../../protocol/limits.ts';
import { reachOf, readErasures } from './erasure-journal.ts';
import { latestMomentIn } from './examine.ts';
import { reading } from './examine-reading.ts';

/** Knows all erasures of this time, in milliseconds since the epoch. */
export interface Known {
  readonly from: number;
  readonly until: number;
}

/** What the folder's own journal knows; null when there is none. */
export function knownHere(journal: string): Known | null {
  return existsSync(journal) ? { from: reachOf(journal), until: Number.POSITIVE_INFINITY } : null;
}

/** What a journal from elsewhere knows: until its last line, as far as anybody can say. */
export function knownInJournal(file: string): Known {
  const until = readErasures(file).reduce((last, { at }) => Math.max(last, at), 0);
  return { from: reachOf(file), until };
}

/** What another backup knows. */
export function knownInBackup(file: string): Known {
  const from = reading(file, database =>
    database.prepare("SELECT value FROM meta WHERE name = 'erasures_reach'").pluck().get(),
  );
  return { from: Number(from ?? 0), until: latestMomentIn(file) ?? 0 };
}

/**
 * Null when all erasures since the backup are known; else from when on they are.
 * @param backup the last moment that the backup knows of
 */
export function gapAfter(backup: number, known: readonly Known[], now: number): number | null {
  if (known.length === 0) return backup < now - ERASURES_KEPT ? now - ERASURES_KEPT : null;
  let covered = backup;
  for (const { from, until } of known.toSorted((a, b) => a.from - b.from)) {
    if (from > covered) return from;
    covered = Math.max(covered, until);
  }
  return null;
}
