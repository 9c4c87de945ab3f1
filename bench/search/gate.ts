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

/** The first wrong answer, in words; null if there is none. */
export function firstFault(
  rule: Rule,
  of: Templates,
  queries: readonly Query[],
  answers: readonly Answer[],
): string | null {
  const at = queries.findIndex((query, i) => !isRight(rule, of, query, answers[i]));
  const [query, answer] = [queries[at], answers[at]];
  if (query === undefined) return null;
  const { expected } = query;
  const right = `template ${expected.template} at a distance of ${expected.distance.toFixed(7)}`;
  const verdict = rule === 'core' ? ` (${verdictOf(expected)})` : '';
  const where = `query ${at + 1}: the nearest is ${right}${verdict}`;
  if (answer === undefined) return `${where}, the engine did not answer`;
  if (!(answer.template >= 0)) return `${where}, the engine found none (${answer.verdict ?? 'template -1'})`;
  const real = distanceOf(of, query, answer.template);
  const given = answer.verdict === undefined ? '' : ` (${answer.verdict}, ${answer.distance.toFixed(7)})`;
  return `${where}, the engine found template ${answer.template}${given} at ${real.toFixed(7)}`;
}

export function judge(
  rule: Rule,
  of: Templates,
  queries: readonly Query[],
  answers: readonly Answer[],
): Judgement {
  const right = queries.filter((query, i) => isRight(rule, of, query, answers[i]));
  return { recall: right.length / queries.length, mismatches: queries.length - right.length };
}

function isRight(rule: Rule, of: Templates, query: Query, answer: Answer | undefined): boolean {
  if (answer === undefined) return false;
  return rule === 'core' ? asCore(query.expected, answer) : asNearest(of, query, answer);
}

/** Whether a mismatch of such an engine voids the run. */
export const isExact = (rule: Rule) => rule === 'core' || rule === 'exact';

export function verdictOf({
  distance,
  otherDistance,
}: Pick<Expected, 'distance' | 'otherDistance'>): Verdict {
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
function asNearest(of: Templates, query: Query, { template }: Answer): boolean {
  if (template === query.expected.template) return true;
  if (!(template >= 0)) return false;
  return distanceOf(of, query, template) - query.expected.distance <= TOLERANCE;
}

/** Of a template from the nearest of the probes. */
function distanceOf({ vectors }: Templates, { units }: Query, template: number): number {
  const vector = vectors.subarray(template * DIMENSIONS, (template + 1) * DIMENSIONS);
  return Math.min(...units.map(unit => exactDistance(unit, vector)));
}
