/**
 * The service killed with kill -9 at random moments of a mixed load, again and again, on one folder. What was
 * acknowledged has to be there after every start, what was not has to be there whole or not at all.
 */
import { figure, type Trial } from '../../support/trial.ts';
import { runCycles } from './cycles.ts';
import type { Kind } from './findings.ts';

const START_MS = 2_000;

const NONE: readonly (readonly [Kind, string])[] = [
  ['lost', 'acknowledged writes lost'],
  ['half', 'written in part, or counts that do not fit'],
  ['returned', 'deleted, used or signed out, and good again'],
  ['remains', 'bytes of acknowledged deletions found'],
  ['damaged', 'faults of integrity_check and foreign_key_check'],
  ['answer', 'answers that do not fit, 5xx among them'],
  ['silence', 'requests without an answer while it ran'],
  ['ended', 'ends by itself, under load or at a start'],
];

export const trial: Trial = {
  about: 'kill -9 at random moments of a mixed load, and what is there after each start',
  options: { seed: 1, cycles: 500, connections: 16 },
  async run({ seed = 1, cycles = 500, connections = 16 }, say) {
    const { context, starts, killedAfter, looked } = await runCycles({ seed, cycles, connections }, say);
    const { acknowledged, unanswered, lostChallenges } = context.total;
    const times = starts.map(({ healthyAfterMs }) => healthyAfterMs);
    const slowest = Math.max(...times);
    const p95 = quantile(times, 0.95);
    const own = Math.max(...starts.map(({ healthyAfterMs, waitedMs }) => healthyAfterMs - waitedMs));
    return [
      figure('kills, and starts on the same folder', `${cycles}`, starts.length, starts.length === cycles),
      figure('writes acknowledged', 'more than 0', acknowledged, acknowledged > 0),
      figure('writes under way at a kill', 'more than 0', unanswered, unanswered > 0),
      figure('accounts looked at over HTTP', 'more than 0', looked, looked > 0),
      ...NONE.map(([kind, what]) => {
        const count = context.findings.count(kind);
        return figure(what, '0', count, count === 0);
      }),
      figure('healthy again, p95', 'under 2 s', seconds(p95), p95 < START_MS),
      figure('healthy again, slowest', 'under 2 s', seconds(slowest), slowest < START_MS),
      figure('the same, less its waiting for a processor', 'under 2 s', seconds(own), own < START_MS),
      figure(
        'milliseconds of load before the kill',
        '50 to 800',
        `${Math.min(...killedAfter)} to ${Math.max(...killedAfter)}`,
        true,
      ),
      figure('challenges issued and lost', 'any number', lostChallenges, true),
    ];
  },
};

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
