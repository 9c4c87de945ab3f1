/** Counts of a run by operation, and the table of them. */
import type { Answer } from '../support/client.ts';
import type { Case } from './cases.ts';
import { reachedFields } from './judge.ts';
import { hasFields, OPERATIONS } from './operations.ts';

interface Count {
  requests: number;
  controls: number;
  /** By first digit of the status; 0 for none. */
  readonly statuses: number[];
  reached: number;
  ms: number;
  slowest: number;
}
const nothing = (): Count => ({
  requests: 0,
  controls: 0,
  statuses: Array(6).fill(0),
  reached: 0,
  ms: 0,
  slowest: 0,
});

export interface Tally {
  add(one: Case, answer: Answer | null, ms: number): void;
  readonly total: Readonly<Count>;
  /** For console.table. */
  table(): object[];
}

export function newTally(): Tally {
  const counts = new Map(OPERATIONS.map(({ name }) => [name, nothing()]));
  const total = nothing();
  return {
    total,
    add(one, answer, ms) {
      for (const count of [total, counts.get(one.operation.name) ?? nothing()]) {
        const group = Math.floor((answer?.status ?? 0) / 100);
        count.requests++;
        count.controls += one.mutations.length === 0 ? 1 : 0;
        count.statuses[group] = (count.statuses[group] ?? 0) + 1;
        count.reached += answer && reachedFields(one, answer) ? 1 : 0;
        count.ms += ms;
        count.slowest = Math.max(count.slowest, ms);
      }
    },
    table() {
      const rows = OPERATIONS.map(operation =>
        row(operation.name, counts.get(operation.name), hasFields(operation)),
      );
      return [...rows, row('all', total, true)];
    },
  };
}

function row(
  name: string,
  { requests, controls, statuses, reached, ms, slowest } = nothing(),
  fields: boolean,
): object {
  const [none, , fine, , refused, failed] = statuses;
  return {
    operation: name,
    requests,
    valid: controls,
    '2xx': fine,
    '4xx': refused,
    '5xx': failed,
    none,
    'fields reached': fields && requests > 0 ? `${((100 * reached) / requests).toFixed(1)} %` : '-',
    'mean ms': requests > 0 ? (ms / requests).toFixed(1) : '-',
    'slowest ms': slowest.toFixed(0),
  };
}
