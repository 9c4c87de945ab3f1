/** Three nodes on one PostgreSQL: everything that nodes must agree on, and what the fault of one does to the others. */
import { serverWithReady } from '../../support/ready-database.ts';
import type { Figure, Trial } from '../../support/trial.ts';
import { playClocks } from './clocks.ts';
import { playCut } from './cut.ts';
import { playFrozen } from './frozen.ts';
import { playFull } from './full.ts';
import { playHeard } from './heard.ts';
import { playKills } from './kills.ts';
import { playControl, playLimits, playRaces } from './races.ts';
import { playSeen } from './seen.ts';

/** Each is left out with 0. */
const FAULTS = {
  frozen: playFrozen,
  cut: playCut,
  clocks: playClocks,
  full: playFull,
};

export const trial: Trial = {
  about: 'three nodes on one PostgreSQL, which has to be installed; 0 leaves a part out; needs root',
  options: {
    ...{ seed: 1, parallel: 200, rounds: 10, limits: 10, control: 4, times: 100, heard: 10_000, kills: 10 },
    ...{ frozen: 1, cut: 1, clocks: 1, full: 1 },
  },
  async run(options, say) {
    const {
      seed = 1,
      parallel = 200,
      rounds = 0,
      limits = 0,
      control = 0,
      times = 0,
      heard = 0,
      kills = 0,
    } = options;
    const server = await serverWithReady();
    const parts: [wanted: number, play: () => Promise<Figure[]>][] = [
      [rounds, () => playRaces(server, { rounds, parallel }, say)],
      [limits, () => playLimits(server, { rounds: limits, parallel }, say)],
      [control, () => playControl(server, { rounds: control, parallel })],
      [times, () => playSeen(server, times, say)],
      [heard, () => playHeard(server, heard, say)],
      [kills, () => playKills(server, { seed, kills }, say)],
      ...Object.entries(FAULTS).map(
        ([name, play]) => [options[name] ?? 0, () => play(server, say)] as (typeof parts)[number],
      ),
    ];
    const figures: Figure[] = [];
    try {
      for (const [wanted, play] of parts) if (wanted > 0) figures.push(...(await play()));
      return figures;
    } finally {
      server.stop();
    }
  },
};
