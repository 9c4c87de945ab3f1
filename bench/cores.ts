/**
 * How fast this machine's cores are right now, one alone and all at once. On a shared machine both change from minute
 * to minute, and every figure that depends on arithmetic changes with them. Measured with a loop of multiplications; on
 * processors that start one multiplication per cycle the result is close to the clock rate in GHz.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface CoreSpeed {
  /** Multiplications per nanosecond of one core, while the bench leaves the others idle. */
  readonly alone: number;
  /** The same per core, on average, while all of them are busy. */
  readonly together: number;
}

const WARM_UP_MS = 200;
const MS = 20;
/** Time between the message to all threads and the moment when they begin. */
const LEAD_MS = 4;

export class Cores {
  readonly #workers = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('cores-worker.ts', import.meta.url)),
  );

  /** Lets V8 compile the loop, so that the first figure is comparable to the others. */
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

/** Ticks per second of the kernel's clock. */
const TICKS = 100;
/** Field of the first line of /proc/stat (the whole machine) that counts stolen ticks. */
const STOLEN_FIELD = 8;

/**
 * Starts counting the time that the hypervisor gave to other machines.
 * @returns the share of all cores' time that was stolen since; null where the system does not report it
 */
export function stolenTime(): () => number | null {
  const stolen = () =>
    existsSync('/proc/stat')
      ? Number(readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/)[STOLEN_FIELD])
      : Number.NaN;
  const [before, began] = [stolen(), performance.now()];
  return () => {
    const share = (stolen() - before) / TICKS / ((performance.now() - began) / 1000) / cpus().length;
    return Number.isNaN(share) ? null : share;
  };
}
