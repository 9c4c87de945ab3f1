/**
 * Turns the flat numbers of an answer into results and settles the calls. Each result gets new arrays, so no two
 * callers share a buffer. Held by test/matcher/pool.test.ts.
 */
import { DIMENSIONS, type SearchResult } from '../../ports/matcher.ts';
import { VERDICTS } from './core.ts';
import type { Call } from './outbox.ts';
import { type Answer, NUMBERS, type Outcome } from './wire.ts';

export function settle(calls: readonly Call[], answer: Answer): void {
  let search = 0;
  let change = 0;
  let row = 0;
  for (const call of calls) {
    if (call.kind === 'change') {
      call.done(answer.outcomes[change++] as Outcome);
      continue;
    }
    const refused = answer.numbers[search * NUMBERS];
    if (refused) call.fail(new Error(`probe ${refused} needs finite numbers and a norm of at least 1e-6`));
    else call.done(result(answer, search, row, call.probes));
    row += call.probes;
    search++;
  }
  answer.units.fill(0);
}

function result({ numbers, units }: Answer, search: number, row: number, probes: number): SearchResult {
  const at = search * NUMBERS;
  const other = numbers[at + 4] as number;
  const user = numbers[at + 5] as number;
  const normalised: Float32Array[] = [];
  for (let i = row; i < row + probes; i++) normalised.push(units.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS));
  return {
    sequence: numbers[at + 1] as number,
    verdict: VERDICTS[numbers[at + 2] as number] ?? 'none',
    best: user === 0 ? null : { user, distance: numbers[at + 3] as number },
    otherDistance: other === Number.POSITIVE_INFINITY ? null : other,
    normalised,
  };
}
