/** From the table of erasures to the journal beside the database. */
import { StoreUnavailable } from '../../../ports/store.ts';
import { addErasures, type Erasure } from '../../sqlite/erasure-journal.ts';
import type { Driver, Sql } from '../driver.ts';
import { shared } from '../shared.ts';

/** @param file the journal. Each call resolves when all that was erased before it is there; rejects with StoreUnavailable */
export function journalWriter(driver: Driver, file: string): () => Promise<void> {
  return shared(async () => {
    const missing = await missingErasures(driver.read);
    if (missing.length === 0) return;
    await addErasures(file, missing).catch(error => {
      throw new StoreUnavailable(error);
    });
    await driver.write(async sql => {
      for (const { hash } of missing)
        await sql.run('UPDATE erasures SET journaled = 1 WHERE hash = $1', hash);
    });
  });
}

/** How many erasures are not in the journal yet. */
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
