/** Checks whether a database works: by reading, and after a failed write by writing too. */
import { StoreUnavailable } from '../../ports/store.ts';
import type { Driver } from './driver.ts';
import { ROWS } from './scope.ts';

/** After a failed write: minimum time between attempts to see whether writing works again. */
const PROBE_EVERY_MS = 1_000;

interface Probing extends Pick<Driver, 'ping' | 'probe'> {
  /** To be told of every write. */
  noteWrite(isDone: boolean): void;
}

/** @param isWhole false: only a write can tell that the database works */
export function createProbing(
  { read, write }: Pick<Driver, 'read' | 'write'>,
  isWhole = () => true,
): Probing {
  let lastWriteFailed = false;
  let probedAt = Number.NEGATIVE_INFINITY;

  async function probe(): Promise<void> {
    await write(ROWS, sql =>
      sql.run(
        `INSERT INTO meta (name, value) VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = ''`,
      ),
    );
  }

  return {
    noteWrite(isDone) {
      lastWriteFailed = !isDone;
    },

    async ping() {
      await read.get(`SELECT value FROM meta WHERE name = 'master_secret_check'`);
      if (!lastWriteFailed && isWhole()) return;
      if (performance.now() - probedAt < PROBE_EVERY_MS)
        throw new StoreUnavailable(new Error('the last write failed'));
      probedAt = performance.now();
      await probe();
    },

    probe,
  };
}
