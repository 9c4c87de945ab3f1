/**
 * Which sign-in decisions of an engine differ from the exact ones, on many more queries than the gate compares: an
 * approximate engine is seldom wrong. Held by test/bench/gate.test.ts.
 */
import type { Answer, Engine } from '../engines.ts';
import type { Asked } from './expected.ts';
import { verdictOf } from './gate.ts';

export const DECISIONS = 2_000;

/** Null for engines that promise the nearest, or report no other user; and if no engine has the exact answers. */
export async function wrongDecisions(
  engines: readonly Engine[],
  users: Uint32Array,
  queries: readonly Asked[],
): Promise<(number | null)[]> {
  const exact = (await engines.find(one => one.decide)?.decide?.(queries))?.map(one =>
    decisionOf(one, users),
  );
  const counts: (number | null)[] = [];
  const order = queries.map((_, i) => i);
  for (const engine of engines) {
    const counted =
      exact && ((engine.rule === 'core' && engine.threads === 1) || engine.rule === 'approximate');
    const found = counted ? await engine.turn({ queries, warmUp: [], order, cold: false }) : [];
    const decisions = found.map(({ answer }) => decisionOf(answer, users));
    const known = counted && !decisions.includes(null);
    counts.push(known ? decisions.filter((one, i) => one !== exact[i]).length : null);
  }
  return counts;
}

/** Null if the answer does not say enough. The user counts where somebody would be signed in. */
function decisionOf(answer: Answer, users: Uint32Array): string | null {
  const { template, distance, otherDistance, verdict } = answer;
  if (verdict === undefined && otherDistance === undefined) return null;
  const decision = verdict ?? verdictOf({ distance, otherDistance: otherDistance as number });
  return decision === 'match' ? `match ${users[template]}` : decision;
}
