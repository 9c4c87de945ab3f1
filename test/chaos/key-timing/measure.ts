/** Times of answers to wrong keys, those that begin like a real one and those that do not, in random order. */
import { Client } from 'undici';
import { sample, welch } from '../../../bench/measure.ts';
import { type Chance, chanceOf } from '../../support/chance.ts';

/** How a key is sent, and where. */
export interface Door {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  headers(key: string): Record<string, string>;
}

export interface Times {
  /** Milliseconds. */
  readonly near: number[];
  readonly far: number[];
  /** Answers other than 401. */
  readonly odd: number;
}

/** The last letters of a near key, of which at least one is wrong. */
const TAIL = 3;
/** Not measured: connections open and code gets fast. */
const WARM_UP = 500;

/** @param count keys of each kind */
export async function timeKeys(
  base: string,
  door: Door,
  key: string,
  count: number,
  seed: number,
): Promise<Times> {
  const chance = chanceOf(seed, 0);
  const client = new Client(base, { pipelining: 1 });
  const times = { near: [] as number[], far: [] as number[], odd: 0 };
  const prefix = key.lastIndexOf('_') + 1;
  const near = () => wrong(chance, key, key.length - TAIL);
  const far = () => wrong(chance, key, prefix);
  try {
    for (let n = 0; n < WARM_UP; n++) await ask(client, door, n % 2 ? near() : far());
    const left = { near: count, far: count };
    while (left.near + left.far > 0) {
      const kind = chance.below(left.near + left.far) < left.near ? 'near' : 'far';
      left[kind] -= 1;
      const { status, ms } = await ask(client, door, kind === 'near' ? near() : far());
      times[kind].push(ms);
      if (status !== 401) times.odd += 1;
    }
  } finally {
    await client.destroy();
  }
  return times;
}

/** Another key, the same up to here and different in the very next letter where all of the rest may be. */
function wrong(chance: Chance, key: string, from: number): string {
  for (;;) {
    const rest = chance.word(key.length - from);
    if (rest === key.slice(from) || (key.length - from > TAIL && rest[0] === key[from])) continue;
    return key.slice(0, from) + rest;
  }
}

async function ask(client: Client, { method, path, headers }: Door, key: string) {
  const sent = headers(key);
  const began = performance.now();
  const { statusCode, body } = await client.request({ method, path, headers: sent });
  await body.dump();
  return { status: statusCode, ms: performance.now() - began };
}

export interface Difference {
  /** Welch's t over all times, and over those below the 90th of a hundred, which rare pauses do not reach. */
  readonly t: number;
  readonly cropped: number;
  /** Of the means, in microseconds. */
  readonly micros: number;
}

export function difference({ near, far }: Pick<Times, 'near' | 'far'>): Difference {
  const all = [...near, ...far].sort((a, b) => a - b);
  const limit = all[Math.floor(all.length * 0.9)] ?? Number.POSITIVE_INFINITY;
  const below = (times: number[]) => sample(times.filter(ms => ms < limit));
  const [a, b] = [sample(near), sample(far)];
  return { t: welch(a, b), cropped: welch(below(near), below(far)), micros: 1_000 * (a.mean - b.mean) };
}
