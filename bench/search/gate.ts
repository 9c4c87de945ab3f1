/**
 * The correctness gate: compares an engine's answers with the float64 reference, by the engine's rule. Nothing is timed
 * before every engine has passed. Checked by test/bench/gate.test.ts.
 */
import type { Verdict } from '../../src/ports/matcher.ts';
import { exactDistance } from '../../test/matcher/reference.ts';
import { type Answer, MARGIN, type Rule, THRESHOLD } from '../engines.ts';
import { DIMENSIONS, type Templates } from './data.ts';
import type { Expected, Query } from './expected.ts';

/** Largest error of a distance, and of a template's distance behind the best: the rounding of float32 sums. */
export const TOLERANCE = 1e-6;

export interface Judgement {
  /** Share of queries answered correctly. */
  readonly recall: number;
  readonly mismatches: number;
}

export function judge(
  rule: Rule,
  of: Templates,
  queries: readonly Query[],
  answers: readonly Answer[],
): Judgement {
  const right = queries.filter((query, i) => {
    const answer = answers[i];
    if (answer === undefined) return false;
    return rule === 'core' ? asCore(query.expected, answer) : asNearest(of, query, answer);
  });
  return { recall: right.length / queries.length, mismatches: queries.length - right.length };
}

/** Whether a mismatch of such an engine voids the run. */
export const isExact = (rule: Rule) => rule === 'core' || rule === 'exact';

export function verdictOf({ distance, otherDistance }: Expected): Verdict {
  if (distance >= THRESHOLD + MARGIN) return 'none';
  if (distance >= THRESHOLD) return 'near';
  return otherDistance - distance >= MARGIN ? 'match' : 'ambiguous';
}

/**
 * For the core: the same decision; the same template and distance where someone is near enough; and the distance of the
 * best other user where that user makes it ambiguous. Otherwise it may leave out what cannot matter, but not be wrong.
 */
function asCore(expected: Expected, answer: Answer): boolean {
  const verdict = verdictOf(expected);
  if (answer.verdict !== verdict) return false;
  if (verdict === 'none') return true;
  if (answer.template !== expected.template) return false;
  if (Math.abs(answer.distance - expected.distance) > TOLERANCE) return false;
  const other = answer.otherDistance ?? Number.POSITIVE_INFINITY;
  if (other === Number.POSITIVE_INFINITY) return verdict !== 'ambiguous';
  const limit = expected.distance + MARGIN;
  return expected.otherDistance < limit
    ? Math.abs(other - expected.otherDistance) <= TOLERANCE
    : other >= limit - TOLERANCE;
}

/** For other engines: the best template is the reference's, or one that is as near except for rounding. */
function asNearest({ vectors }: Templates, { units, expected }: Query, { template }: Answer): boolean {
  if (template === expected.template) return true;
  if (!(template >= 0)) return false;
  const vector = vectors.subarray(template * DIMENSIONS, (template + 1) * DIMENSIONS);
  const distance = Math.min(...units.map(unit => exactDistance(unit, vector)));
  return distance - expected.distance <= TOLERANCE;
}
