/**
 * Rebuilds a database file, so that nothing is left in it but its rows. The engine overwrites what it deletes, but when
 * it moves rows from page to page it may leave copies in space that is free afterwards (in tests about 1 row in 5,000);
 * a person deleted later would be gone from the row and not from the copy.
 *
 * It runs on a thread of its own with a connection of its own: other writes wait, the event loop does not.
 */
import { statSync } from 'node:fs';
import { startThread } from '../../assets.ts';
import { shared } from '../sql/shared.ts';
import type { Rebuilding } from './rebuilding.ts';

/** Larger files are not rebuilt with an erasure, which would hold up everybody, but once a day by a job. */
export const AT_ONCE_BYTES = 32 * 1024 * 1024;
/** Between two rebuilds after erasures: so long, and so many times what the last one took. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 10;

export interface Compactor {
  /** Rebuilds a small database: at once when the last time is long enough ago, else it is owed. */
  afterErasure(): Promise<void>;
  /** A rebuild of a small database is to be made when its time comes. */
  owe(): void;
  /** Whether a rebuild was put off or failed. */
  owed(): boolean;
  /** Whether the last one failed. */
  fails(): boolean;
  /** Whether one is owed, and its time has come. */
  due(): boolean;
  /** Rebuilds now, once for all who ask before it begins. */
  run(): Promise<void>;
}

/** @param pause milliseconds that lie between two rebuilds after erasures, at least */
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

/** Rebuilds on the thread. */
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
