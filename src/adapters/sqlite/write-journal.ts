/**
 * Copies erasures from the table to the journal beside the database. There is always a journal, also when nobody was
 * erased yet: a restore must tell that from a journal that is lost. Held by test/journal/journal.test.ts and
 * test/cli/restore-reach.long.test.ts.
 */
import { existsSync } from 'node:fs';
import { StoreUnavailable } from '../../ports/store.ts';
import { addErasures, makeJournal } from '../journal/erasure-journal.ts';
import { shared } from '../sql/asked-together.ts';
import type { Driver } from '../sql/driver.ts';
import { erasuresReach, latestMoment } from '../sql/keys/meta.ts';
import { ROWS } from '../sql/scope.ts';
import type { Erasure } from '../sql/store/journal.ts';

/** The oldest of what is stored. The known time is written first, and a backup of the first moments goes by it. */
const BEGAN = `SELECT MIN(at) AS at FROM (SELECT CAST(value AS BIGINT) AS at FROM meta WHERE name = 'known_time'
  UNION ALL SELECT MIN(created_at) FROM signing_keys
  UNION ALL SELECT MIN(created_at) FROM apps UNION ALL SELECT MIN(created_at) FROM users) AS oldest`;

/** Each call resolves when all erasures before it are in the journal. Rejects with StoreUnavailable. */
export function journalWriter(driver: Driver, file: string): () => Promise<void> {
  let isThere = false;
  /** The database was empty when it was opened. */
  let isNew = false;

  async function make(): Promise<void> {
    const moment = existsSync(file) ? null : await latestMoment(driver.read);
    isThere = existsSync(file);
    if (isThere) return;
    isNew ||= moment === null;
    if (moment === null) return;
    // That of a new database says nothing about backups from before it.
    const began = isNew ? await driver.read.get<{ at: number | null }>(BEGAN) : undefined;
    const reach = Math.max(await erasuresReach(driver.read), began?.at ?? 0);
    const lost = await driver.read.all<Erasure>(
      'SELECT hash, erased_at AS at FROM erasures WHERE journaled = 1 ORDER BY erased_at',
    );
    await makeJournal(file, reach, lost).catch(error => {
      throw new StoreUnavailable(error);
    });
    isThere = true;
  }

  return shared(async () => {
    if (!isThere) await make();
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
