/** Runs races and limits on a ground, and keeps count: how often each was tried and held, and what was wrong with it. */
import type { Running } from '../../support/service.ts';
import type { Reply } from './burst.ts';
import { orphansInFile } from './database.ts';
import { differs, type Ground, kinds, type Race } from './ground.ts';
import type { Limit } from './limit-bursts.ts';

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

/** @param look finds what no race may leave in the database */
export function createScores(look: (run: Running) => string[] = orphansInFile) {
  const scores = new Map<string, Score>();

  async function play(
    kind: Score['kind'],
    name: string,
    wanted: string,
    ground: Ground,
    judge: () => Promise<string[]>,
  ): Promise<string[]> {
    const score = scores.get(name) ?? { name, wanted, kind, tried: 0, held: 0, faults: [] };
    scores.set(name, score);
    const faults = await judge().catch(error => [`the trial failed: ${error?.message ?? error}`]);
    faults.push(...look(ground.run));
    score.tried += 1;
    if (faults.length === 0) score.held += 1;
    const place = `round ${ground.round}, ${ground.mode}`;
    for (const fault of faults)
      if (score.faults.length < MOST_FAULTS) score.faults.push(`${place}: ${fault}`);
    return faults;
  }

  return {
    all: (): readonly Score[] => [...scores.values()],
    race: (race: Race, ground: Ground) =>
      play('race', race.name, race.wanted, ground, () => race.run(ground)),
    limit: (limit: Limit, ground: Ground) =>
      play('limit', limit.name, `${limit.limit} of ${10 * limit.limit}`, ground, () =>
        tryLimit(limit, ground),
      ),
  };
}

async function tryLimit(limit: Limit, ground: Ground): Promise<string[]> {
  const { requests, spent = 0, after } = await limit.burst(ground, limit.limit);
  const replies = await ground.send(requests);
  return [...exactly(limit, limit.limit - spent, replies), ...(after?.(replies) ?? [])];
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
