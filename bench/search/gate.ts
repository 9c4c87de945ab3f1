/**
 * The correctness gate: what an engine answered against the float64 reference, by the rule that it is held to. Nothing
 * is timed before every engine has been through it. Held by test/repo/bench-gate.test.ts.
 */
import type { Verdict } from '../../src/ports/matcher.ts';
import { exactDistance } from '../../test/matcher/reference.ts';
import { type Answer, MARGIN, type Rule, THRESHOLD } from '../engines.ts';
import { DIMENSIONS, type Templates } from './data.ts';
import type { Expected, Query } from './expected.ts';

/** How far a distance may be off, and how far a template may lie behind the best: what float32 sums lose. */
export const TOLERANCE = 1e-6;

export interface Judgement {
  /** Share of queries answered rightly. */
  readonly recall: number;
  readonly mismatches: number;
}

export function judge(
  rule: Rule,
  of: Templates,
  asked: readonly Query[],
  answers: readonly Answer[],
): Judgement {
  const right = asked.filter((query, i) => {
    const answer = answers[i];
    if (answer === undefined) return false;
    return rule === 'core' ? asCore(query.expected, answer) : asNearest(of, query, answer);
  });
  return { recall: right.length / asked.length, mismatches: asked.length - right.length };
}

/** Whether a mismatch of such an engine voids the run. */
export const isExact = (rule: Rule) => rule === 'core' || rule === 'exact';

export function verdictOf({ distance, otherDistance }: Expected): Verdict {
  if (distance >= THRESHOLD + MARGIN) return 'none';
  if (distance >= THRESHOLD) return 'near';
  return otherDistance - distance >= MARGIN ? 'match' : 'ambiguous';
}

/**
 * The core: the same decision; where somebody is within reach the same template and distance; and the distance of the
 * best other user where that one makes it ambiguous. Beyond that it may leave out what cannot matter, but not be wrong.
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

/** A peer: its best template is the reference's, or one that lies as near but for rounding. */
function asNearest({ vectors }: Templates, { units, expected }: Query, { template }: Answer): boolean {
  if (template === expected.template) return true;
  if (!(template >= 0)) return false;
  const vector = vectors.subarray(template * DIMENSIONS, (template + 1) * DIMENSIONS);
  const distance = Math.min(...units.map(unit => exactDistance(unit, vector)));
  return distance - expected.distance <= TOLERANCE;
}
