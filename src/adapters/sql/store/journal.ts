/** Copies erasures from the table to the journal beside the database. */
import { StoreUnavailable } from '../../../ports/store.ts';
import type { Driver, Sql } from '../driver.ts';
import { ROWS } from '../scope.ts';
import { shared } from '../shared.ts';

/** An erased user or app. */
export interface Erasure {
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Each call resolves when all erasures before it are in the journal. Rejects with StoreUnavailable.
 * @param add resolves when the erasures are in the journal; may get one that is already there
 */
export function journalWriter(
  driver: Driver,
  add: (erasures: readonly Erasure[]) => Promise<void>,
): () => Promise<void> {
  return shared(async () => {
    const missing = await missingErasures(driver.read);
    if (missing.length === 0) return;
    await add(missing).catch(error => {
      throw new StoreUnavailable(error);
    });
    await driver.write(ROWS, async sql => {
      for (const { hash } of missing)
        await sql.run('UPDATE erasures SET journaled = 1 WHERE hash = $1', hash);
    });
  });
}

/** Number of erasures that are not in the journal yet. */
export async function unjournaled(sql: Sql): Promise<number> {
  const row = await sql.get<{ count: number }>('SELECT COUNT(*) AS count FROM erasures WHERE journaled = 0');
  return row?.count ?? 0;
}

/** Erasures that are not in the journal yet, oldest first. */
async function missingErasures(sql: Sql): Promise<Erasure[]> {
  const rows = await sql.all<{ hash: string; erased_at: number }>(
    'SELECT hash, erased_at FROM erasures WHERE journaled = 0 ORDER BY erased_at',
  );
  return rows.map(row => ({ hash: row.hash, at: row.erased_at }));
}
