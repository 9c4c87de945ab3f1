/** Asks each node all the time how it is and for its keys, and each database server whether it accepts writes. */
import { setTimeout as delay } from 'node:timers/promises';
import { healthOf } from '../crash/program.ts';

const EVERY_MS = 150;
const PATIENCE_MS = 20_000;

interface Seen {
  readonly at: number;
  readonly status: number;
}

export type Watch = ReturnType<typeof watch>;

/** @param write a write to the database; it throws as long as no server accepts it */
export function watch(bases: readonly string[], write: () => Promise<unknown>) {
  const health: Seen[][] = bases.map(() => []);
  const keys: Seen[][] = bases.map(() => []);
  const accepted: number[] = [];
  let isOver = false;

  async function again(look: () => Promise<void>): Promise<void> {
    while (!isOver) {
      await look().catch(() => undefined);
      await delay(EVERY_MS);
    }
  }
  const all = bases.flatMap((base, node) => [
    again(async () => {
      const status = await healthOf(base, PATIENCE_MS);
      health[node]?.push({ at: performance.now(), status });
    }),
    again(async () => {
      const status = await keysOf(base);
      keys[node]?.push({ at: performance.now(), status });
    }),
  ]);
  const probe = async () => {
    await write();
    accepted.push(performance.now());
  };
  // Not one after another: a write may wait for a standby, or for a machine that is silent.
  all.push(again(async () => void probe().catch(() => undefined)));
  return {
    /** Of each node. */
    health,
    keys,
    /** When a database server accepted a write. */
    accepted,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(all);
    },
  };
}

async function keysOf(base: string): Promise<number> {
  try {
    const answer = await fetch(`${base}/.well-known/jwks.json`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { keys } = (await answer.json()) as { keys: unknown[] };
    return keys.length > 0 ? answer.status : 0;
  } catch {
    return 0;
  }
}
