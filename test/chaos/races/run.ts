/** Runs races and limits on a setup, and keeps count: how often each was tried and held, and what was wrong with it. */
import type { Running } from '../../support/service.ts';
import type { Reply } from './burst.ts';
import { orphansInFile } from './database.ts';
import type { Limit } from './limits.ts';
import { differs, kinds, type Race, type Setup } from './setup.ts';

export interface Score {
  readonly name: string;
  readonly wanted: string;
  readonly kind: 'race' | 'limit';
  tried: number;
  held: number;
  /** Some of them. */
  readonly faults: string[];
}

const MOST_FAULTS = 5;
/** Of a burst that a slow machine makes longer than its window. */
const MOST_TRIES = 3;

/** @param look finds what no race may leave in the database */
export function createScores(look: (run: Running) => string[] = orphansInFile) {
  const scores = new Map<string, Score>();

  async function play(
    kind: Score['kind'],
    name: string,
    wanted: string,
    setup: Setup,
    judge: () => Promise<string[]>,
  ): Promise<string[]> {
    const score = scores.get(name) ?? { name, wanted, kind, tried: 0, held: 0, faults: [] };
    scores.set(name, score);
    const faults = await judge().catch(error => [`the trial failed: ${error?.message ?? error}`]);
    faults.push(...look(setup.run));
    score.tried += 1;
    if (faults.length === 0) score.held += 1;
    const place = `round ${setup.round}, ${setup.mode}`;
    for (const fault of faults)
      if (score.faults.length < MOST_FAULTS) score.faults.push(`${place}: ${fault}`);
    return faults;
  }

  return {
    all: (): readonly Score[] => [...scores.values()],
    race: (race: Race, setup: Setup) => play('race', race.name, race.wanted, setup, () => race.run(setup)),
    limit: (limit: Limit, setup: Setup) =>
      play('limit', limit.name, `${limit.limit} of ${10 * limit.limit}`, setup, () => tryLimit(limit, setup)),
  };
}

async function tryLimit(limit: Limit, setup: Setup): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const { requests, spent = 0, after } = await limit.burst(setup);
    const began = performance.now();
    const replies = await setup.send(requests);
    // If the window ends meanwhile, as many pass again: such a burst says nothing.
    if (performance.now() - began > (limit.windowMs ?? Number.POSITIVE_INFINITY) && tries < MOST_TRIES)
      continue;
    return [...exactly(limit, limit.limit - spent, replies), ...(after?.(replies) ?? [])];
  }
}

/** So many answers of the fine kinds, and all others refused for the limit. */
function exactly(
  { fine, refused = '429 rate_limited' }: Limit,
  most: number,
  replies: readonly Reply[],
): string[] {
  const accepted = replies.filter(({ kind }) => fine.includes(kind)).length;
  const odd = kinds(replies.filter(({ kind }) => kind !== refused && !fine.includes(kind)));
  return [...differs('accepted', accepted, most), ...differs('other answers', odd, {})];
}
