/**
 * How fast this machine's cores are at the moment, one alone and all at once: on a machine with neighbours both change
 * from minute to minute, and figures that wait for arithmetic change with them. Measured by a loop that needs nothing but
 * arithmetic; what it tells is near the clock in GHz on processors that begin one multiplication in each cycle.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface CoreSpeed {
  /** Multiplications in a nanosecond, of one core while the others have nothing to do from us. */
  readonly alone: number;
  /** The same, of each core on average while all of them are at it. */
  readonly together: number;
}

const WARM_UP_MS = 200;
const MS = 20;
/** Between the word to all threads and the moment at which they begin. */
const LEAD_MS = 4;

export class Cores {
  readonly #workers = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('cores-worker.ts', import.meta.url)),
  );

  /** Compiled code is measured, so that the first figure is like the others. */
  async warmUp(): Promise<void> {
    await this.#at(this.#workers, WARM_UP_MS);
  }

  async speed(): Promise<CoreSpeed> {
    const alone = await this.#at(this.#workers.slice(0, 1), MS);
    return { alone, together: await this.#at(this.#workers, MS) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map(worker => worker.terminate()));
  }

  /** Mean over the workers. */
  async #at(workers: readonly Worker[], ms: number): Promise<number> {
    const from = performance.timeOrigin + performance.now() + LEAD_MS;
    const speeds = await Promise.all(
      workers.map(async (worker): Promise<number> => {
        worker.postMessage({ from, ms });
        const [speed] = await once(worker, 'message');
        return speed;
      }),
    );
    return speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  }
}

/** Ticks of the kernel's own clock in a second. */
const TICKS = 100;
/** The word of the first line of /proc/stat, and so the whole machine's, that counts them. */
const STOLEN = 8;

/** From now on. @returns tells, once, which share of all cores' time was stolen since; null where the system does not */
export function stealing(): () => number | null {
  const stolen = () =>
    existsSync('/proc/stat')
      ? Number(readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/)[STOLEN])
      : Number.NaN;
  const [before, began] = [stolen(), performance.now()];
  return () => {
    const share = (stolen() - before) / TICKS / ((performance.now() - began) / 1000) / cpus().length;
    return Number.isNaN(share) ? null : share;
  };
}
