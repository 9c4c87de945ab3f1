/**
 * The float64 reference, written from the definitions and from nothing else: every pair is compared, nothing is
 * skipped, no state is carried. Slow on purpose; it decides what "exact" means in every test of this folder.
 */
import type { Verdict } from '../../src/ports/matcher.ts';

/** Templates are listed in the order in which they were stored. */
export interface StoredTemplate {
  readonly id: string;
  readonly userId: string;
  readonly vector: Float32Array;
}

export interface Expected {
  readonly verdict: Verdict;
  /** The port names no template. */
  readonly best: { readonly userId: string; readonly templateId?: string; readonly distance: number } | null;
  readonly otherDistance: number | null;
}

export const THRESHOLD = 0.35;
export const MARGIN = 0.04;

/** 1 minus the dot product, summed in double in index order. */
export function exactDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return 1 - sum;
}

/** The same in float32 throughout, which is what a scan without an exact second look would decide by. */
export function float32Distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum = Math.fround(sum + Math.fround((a[i] as number) * (b[i] as number)));
  }
  return Math.fround(1 - sum);
}

/** Normalises in double and rounds to float32; the largest magnitude is taken out first, so nothing overflows. */
export function normalise(probe: readonly number[]): Float32Array {
  const largest = Math.max(...probe.map(Math.abs));
  const scaled = probe.map(x => x / largest);
  const norm = Math.sqrt(scaled.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(scaled, x => x / norm);
}

export function reference(
  stored: readonly StoredTemplate[],
  probes: readonly Float32Array[],
  { threshold = THRESHOLD, margin = MARGIN, distance = exactDistance } = {},
): Expected {
  const pairs = stored.map(template => ({
    template,
    distance: Math.min(...probes.map(p => distance(p, template.vector))),
  }));
  const smallest = Math.min(...pairs.map(pair => pair.distance));
  const best = pairs.find(pair => pair.distance === smallest);
  if (best === undefined) return { verdict: 'none', best: null, otherDistance: null };
  const { userId, id } = best.template;
  const others = pairs.filter(pair => pair.template.userId !== userId).map(pair => pair.distance);
  const otherDistance = others.length === 0 ? null : Math.min(...others);
  const clear = otherDistance === null || otherDistance - smallest >= margin;
  const near = smallest < threshold + margin ? 'near' : 'none';
  const verdict = smallest < threshold ? (clear ? 'match' : 'ambiguous') : near;
  return { verdict, best: { userId, templateId: id, distance: smallest }, otherDistance };
}
