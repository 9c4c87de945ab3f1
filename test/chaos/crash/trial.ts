/**
 * The service killed with kill -9 at random moments of a mixed load, again and again, on one folder. What was
 * acknowledged has to be there after every start, what was not has to be there whole or not at all.
 */
import { quantile } from '../../../bench/measure.ts';
import { figure, some, type Trial, told, within } from '../../support/trial.ts';
import { runCycles } from './cycles.ts';

const START_MS = 2_000;

export const trial: Trial = {
  about: 'kill -9 at random moments of a mixed load, and what is there after each start',
  options: { seed: 1, cycles: 500, connections: 16 },
  async run({ seed = 1, cycles = 500, connections = 16 }, say) {
    const { context, starts, killedAfter, looked } = await runCycles({ seed, cycles, connections }, say);
    const { acknowledged, unanswered, lostChallenges } = context.total;
    const times = starts.map(({ healthyAfterMs }) => healthyAfterMs);
    const own = Math.max(...starts.map(({ healthyAfterMs, waitedMs }) => healthyAfterMs - waitedMs));
    return [
      figure('kills, and starts on the same folder', `${cycles}`, starts.length, starts.length === cycles),
      some('writes acknowledged', acknowledged),
      some('writes under way at a kill', unanswered),
      some('accounts looked at over HTTP', looked),
      ...context.findings.figures(),
      within('healthy again, p95', START_MS, quantile(times, 0.95)),
      within('healthy again, slowest', START_MS, Math.max(...times)),
      within('the same, less its waiting for a processor', START_MS, own),
      told(
        'milliseconds of load before the kill',
        `${Math.min(...killedAfter)} to ${Math.max(...killedAfter)}`,
      ),
      told('challenges issued and lost', lostChallenges),
    ];
  },
};
