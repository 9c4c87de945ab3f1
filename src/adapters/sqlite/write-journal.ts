/** Copies erasures from the table to the journal beside the database. Held by test/sqlite/journal.ts. */
import { StoreUnavailable } from '../../ports/store.ts';
import { shared } from '../sql/asked-together.ts';
import type { Driver } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import type { Erasure } from '../sql/store/journal.ts';
import { addErasures } from './erasure-journal.ts';

/** Each call resolves when all erasures before it are in the journal. Rejects with StoreUnavailable. */
export function journalWriter(driver: Driver, file: string): () => Promise<void> {
  return shared(async () => {
    const missing = await driver.read.all<Erasure>(
      'SELECT hash, erased_at AS at FROM erasures WHERE journaled = 0 ORDER BY erased_at',
    );
    if (missing.length === 0) return;
    await addErasures(file, missing).catch(error => {
      throw new StoreUnavailable(error);
    });
    await driver.write(ROWS, async sql => {
      for (const { hash } of missing)
        await sql.run('UPDATE erasures SET journaled = 1 WHERE hash = $1', hash);
    });
  });
}
