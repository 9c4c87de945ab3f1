/**
 * Rebuilds a database file, so that it contains only current rows. SQLite overwrites what it deletes. But when it moves
 * rows between pages, it may leave copies in free space (in tests, about 1 row in 5,000). If such a user is deleted
 * later, the copy would remain.
 *
 * The rebuild runs in its own thread with its own connection: other writes wait, the event loop does not.
 */
import { statSync } from 'node:fs';
import { startThread } from '../../assets.ts';
import { shared } from '../sql/asked-together.ts';
import type { Rebuilding } from './compaction-worker.ts';

/** Larger files are not rebuilt after each erasure, which would block all writes, but once a day by a job. */
export const AT_ONCE_BYTES = 32 * 1024 * 1024;
/** Minimum pause between two rebuilds after erasures; also PAUSE_FACTOR times the duration of the last one. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 10;

interface Compactor {
  /** Rebuilds a small database now, or later if the last rebuild is too recent. */
  afterErasure(): Promise<void>;
  /** Requests a rebuild of a small database. */
  owe(): void;
  /** Whether a rebuild is outstanding, because it was postponed or failed. */
  owed(): boolean;
  /** Whether the last rebuild failed. */
  fails(): boolean;
  /** Whether a rebuild is outstanding and may run now. */
  due(): boolean;
  /** Rebuilds now. Callers that ask before it begins share one rebuild. */
  run(): Promise<void>;
}

/** @param pause minimum milliseconds between two rebuilds after erasures */
export function compactor(path: string, pause = PAUSE_MS): Compactor {
  let owed = false;
  let failed = false;
  let notBefore = Number.NEGATIVE_INFINITY;

  const run = shared(async () => {
    const began = performance.now();
    owed = false;
    try {
      await rebuildBeside({ path });
      failed = false;
    } catch (error) {
      owed = true;
      failed = true;
      throw error;
    } finally {
      const ended = performance.now();
      notBefore = ended + Math.max(pause, PAUSE_FACTOR * (ended - began));
    }
  });
  const isTime = () => performance.now() >= notBefore;

  function owe(): void {
    if (statSync(path).size <= AT_ONCE_BYTES) owed = true;
  }

  return {
    async afterErasure() {
      owe();
      if (owed && isTime()) await run();
    },
    owe,
    owed: () => owed,
    fails: () => failed,
    due: () => owed && isTime(),
    run,
  };
}

/** Rebuilds in a thread. */
export function rebuildBeside(work: Rebuilding): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = startThread('src/adapters/sqlite/compaction-worker.ts', {
      workerData: work,
      name: 'compaction',
    });
    worker.on('error', reject);
    worker.on('exit', code => (code === 0 ? resolve() : reject(new Error(`compaction ended with ${code}`))));
  });
}
