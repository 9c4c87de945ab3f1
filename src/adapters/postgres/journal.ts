/**
 * This node's copy of the journal of erasures: a file of its own, which outlives the database. Each node pulls all
 * erasures, whoever made them, so any one of the files is enough after a restore. Held by test/postgres/journal.ts.
 */
import { StoreMisfit, StoreUnavailable } from '../../ports/store.ts';
import { addErasures, reachOf, readErasures } from '../journal/erasure-journal.ts';
import { pruneJournal } from '../journal/prune-journal.ts';
import { shared } from '../sql/asked-together.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import { erasuresReach } from '../sql/keys/meta.ts';
import { ROWS } from '../sql/scope.ts';
import type { Erasure } from '../sql/store/journal.ts';
import { textList } from './own-words.ts';

/** An erasure becomes visible with its commit, some time after the database has noted when it was made. */
const AGAIN_MS = 600_000;
/** How often the file is compared with how far back the database still lists erasures. */
const PRUNE_EVERY_MS = 3_600_000;

/** The erasures of a journal that the database should list and does not. */
export async function lackingOf(read: Sql, journal: readonly Erasure[]): Promise<readonly Erasure[]> {
  const rows = await read.all<{ hash: string }>('SELECT hash FROM erasures');
  const known = new Set(rows.map(({ hash }) => hash));
  // After the rows: what another node prunes meanwhile is not lacking.
  const reach = await erasuresReach(read);
  return journal.filter(({ hash, at }) => at >= reach && !known.has(hash));
}

/**
 * After a restore, erased users would be back and nobody would notice.
 * @param shown the database, as messages name it. @throws StoreMisfit
 */
export async function requireErasures(
  { read }: Pick<Driver, 'read'>,
  file: string,
  shown: string,
): Promise<void> {
  const journal = readable(file);
  if (journal.length === 0) return;
  const lacking = (await lackingOf(read, journal)).length;
  if (lacking > 0)
    throw new StoreMisfit(
      `the database ${shown} lacks ${lacking} of the erasures in ${file}, so it is from before them: run "after-restore", or move the file away if it is that of another deployment`,
    );
}

/** @throws StoreMisfit */
function readable(file: string): Erasure[] {
  try {
    return readErasures(file);
  } catch (error) {
    throw new StoreMisfit(
      `the journal of erasures cannot be read (${(error as Error).message}): give ${file} to the user of the service`,
    );
  }
}

type Row = Erasure & { readonly seen: number };

/** Each call resolves when all erasures before it are in the file. Rejects with StoreUnavailable. */
export function journalPuller(driver: Driver, file: string): () => Promise<void> {
  /** By the database's clock: a node whose own clock is wrong must not hide erasures from the others. */
  let since = 0;
  /** Erasures after `since` that are in the file. Null: it was not read yet. */
  let written: Set<string> | null = null;
  let prunedAt = Number.NEGATIVE_INFINITY;

  /** What one node's job has deleted is deleted from the files of all; a new file says what it has never had. */
  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < PRUNE_EVERY_MS) return;
    const reach = await erasuresReach(driver.read);
    if (reach > reachOf(file)) await pruneJournal(file, reach, true);
    if (reach <= reachOf(file)) prunedAt = performance.now();
  }

  return shared(async () => {
    const rows = await driver.read.all<Row>(
      'SELECT hash, erased_at AS at, seen_at AS seen FROM erasures WHERE seen_at >= $1 ORDER BY seen_at',
      since,
    );
    try {
      written ??= new Set(readErasures(file).map(({ hash }) => hash));
      const known = written;
      await prune();
      await addErasures(
        file,
        rows.filter(({ hash }) => !known.has(hash)),
      );
    } catch (error) {
      throw new StoreUnavailable(error);
    }
    since = Math.max(since, (rows.at(-1)?.seen ?? 0) - AGAIN_MS);
    written = new Set(rows.filter(({ seen }) => seen >= since).map(({ hash }) => hash));
    // Read first: most calls find nothing to mark.
    if (await driver.read.get('SELECT 1 FROM erasures WHERE journaled = 0 LIMIT 1'))
      await driver.write(ROWS, sql =>
        sql.run(
          'UPDATE erasures SET journaled = 1 WHERE journaled = 0 AND hash = ANY (CAST($1 AS TEXT[]))',
          textList(rows.map(({ hash }) => hash)),
        ),
      );
  });
}
