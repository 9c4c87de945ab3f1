/**
 * What many minutes of load with one kill of the primary leave in the nodes: people come as others leave, so that no
 * node may need more memory or handles than it did.
 */

import { handlesOf, MB, memoryOf } from '../../support/process-figures.ts';
import { type Figure, none, told } from '../../support/trial.ts';
import type { Program } from '../crash/program.ts';
import { figureOfLong, memoryFigure, settled, shiftOf } from '../soak/judge.ts';
import type { Load } from './load.ts';

const SAMPLE_MS = 5_000;
/** Connections of clients and of the pool come and go. */
const HANDLES_DRIFT = 5;
/** Until Patroni has brought the primary that was killed back as a standby, writes may wait for it once more. */
const SETTLED_MS = 30_000;

interface Sample {
  /** Seconds since the first. */
  readonly at: number;
  readonly rss: number;
  readonly handles: number;
}

/** Samples the nodes while `act` goes on. @returns of each node */
export async function sampled(
  nodes: readonly Program[],
  load: Load,
  say: (line: string) => void,
  act: () => Promise<unknown>,
): Promise<Sample[][]> {
  const samples: Sample[][] = nodes.map(() => []);
  const began = performance.now();
  const sample = () => {
    const at = (performance.now() - began) / 1_000;
    for (const [n, { pid }] of nodes.entries())
      samples[n]?.push({ at, rss: memoryOf(pid) / MB, handles: handlesOf(pid) });
    const last = samples.map(all => all.at(-1) as Sample);
    if ((samples[0]?.length ?? 0) % 12 !== 0) return;
    const memory = last.map(({ rss, handles }) => `${rss.toFixed(0)} MB and ${handles} handles`).join(', ');
    say(`minute ${(at / 60).toFixed(0)}: ${memory}, ${load.acknowledged.length} acknowledged`);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  await act().finally(() => clearInterval(timer));
  return samples;
}

export function judged(
  samples: readonly (readonly Sample[])[],
  minutes: number,
  load: Load,
  killedAt: number,
): Figure[] {
  const away = load.refused.filter(at => at < killedAt || at > killedAt + SETTLED_MS).length;
  return [
    told('soak: writes acknowledged a second', rateOf(load)),
    none(`soak: refusals, but for ${SETTLED_MS / 1_000} s after the kill`, away),
    ...samples.flatMap((all, n) => {
      const shift = shiftOf(settled(all).map(({ handles }) => handles));
      return [
        memoryFigure(
          `soak: memory of node ${n + 1}`,
          all.map(({ at, rss }) => ({ at, value: rss })),
          minutes,
        ),
        figureOfLong(
          `soak: handles of node ${n + 1}, rise of the lowest`,
          `at most ${HANDLES_DRIFT}`,
          shift,
          minutes,
          shift <= HANDLES_DRIFT,
        ),
      ];
    }),
  ];
}

function rateOf({ acknowledged }: Load): string {
  const seconds = ((acknowledged.at(-1)?.at ?? 0) - (acknowledged[0]?.at ?? 0)) / 1_000;
  return (acknowledged.length / seconds).toFixed(0);
}
