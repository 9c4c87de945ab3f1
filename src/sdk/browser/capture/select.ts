/**
 * Selects among the good pictures of a capture: the best ones that are apart in time, because neighbouring pictures are
 * almost the same. For an enrollment, pictures that differ in more than time come first. It holds only numbers, never a
 * picture. Held by test/sdk/capture-select.test.ts.
 */
import type { Pose } from '../liveness/pose.ts';
import type { Side } from './turns.ts';

export interface Candidate {
  /** Milliseconds. */
  readonly time: number;
  /** 0 to 1. */
  readonly quality: number;
  readonly descriptor: readonly number[];
  readonly stance?: Stance;
}

/** The position of the face in the frame. */
export interface Stance {
  /** Where the head points, among the views that an enrollment asks for. */
  readonly side: Side;
  readonly pose: Pose | null;
  /** The middle of the face, in pixels of the frame. */
  readonly x: number;
  readonly y: number;
  /** Its width in pixels. */
  readonly size: number;
  /** Height of the eyes over their width; null without landmarks. */
  readonly eyes: number | null;
  /** How often the person had blinked by then. */
  readonly blinks: number;
}

/** Least time between two selected pictures, in milliseconds. */
export const APART = 250;
/** After this long, two pictures that look the same still differ, because nobody keeps perfectly still. */
export const LATER = 1_000;
/** What makes two pictures differ: degrees, shares of the face's width, ratio of sizes. */
const TURNED = 8;
const MOVED = 0.25;
const NEARER = 1.15;
/** Eyes that are less open than this share of the person's normal openness are shut. */
const SHUT = 0.72;
/** The most candidates that are kept. */
const MOST = 24;

/** Selects at most `count` of the best candidates, at least `apart` ms apart, and returns them in order of time. */
export function select(candidates: readonly Candidate[], count: number, apart = APART): Candidate[] {
  return inTime(fill([], candidates, count, (one, other) => areApart(one, other, apart)));
}

/**
 * Selects at most `count` for an enrollment: the best of each side, then the best that differ from all selected ones,
 * and then, up to `least`, any that are apart in time. It drops duplicates and other persons, and shut eyes halve the
 * quality.
 */
export function selectVaried(given: readonly Candidate[], count: number, least: number): Candidate[] {
  const candidates = ofOnePerson(openEyed(distinct(given)));
  const best = new Map<Side | undefined, Candidate>();
  for (const one of byQuality(candidates)) {
    const side = one.stance?.side;
    if (!best.has(side) && [...best.values()].every(other => areApart(one, other, APART)))
      best.set(side, one);
  }
  const sides = byQuality([...best.values()]).slice(0, count);
  const varied = fill(sides, candidates, count, differ);
  return inTime(
    fill(varied, candidates, Math.min(least, count), (one, other) => areApart(one, other, APART)),
  );
}

/** Counts candidates that differ by more than time or a turn. Turns have their own prompts. */
export function countVaried(given: readonly Candidate[]): number {
  return fill([], distinct(given), Number.POSITIVE_INFINITY, stoodOther).length;
}

/** Drops candidates that are almost identical to an earlier one, as from a frozen camera. */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((one, i) => candidates.slice(0, i).every(other => !areAlike(one, other)));
}

/** If there are too many, drops the worst one that is not in `chosen`. */
export function kept(candidates: readonly Candidate[], chosen: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length <= MOST) return candidates;
  const times = new Set(chosen.map(({ time }) => time));
  const spare = byQuality(candidates).filter(({ time }) => !times.has(time));
  const worst = spare.at(-1);
  return candidates.filter(one => one !== worst);
}

function fill(
  first: readonly Candidate[],
  candidates: readonly Candidate[],
  count: number,
  fits: (one: Candidate, other: Candidate) => boolean,
): Candidate[] {
  const taken = [...first];
  for (const one of byQuality(candidates)) {
    if (taken.length >= count) break;
    if (taken.every(other => one !== other && fits(one, other))) taken.push(one);
  }
  return taken;
}

const byQuality = (candidates: readonly Candidate[]) =>
  [...candidates].sort((a, b) => b.quality - a.quality || a.time - b.time);
const inTime = (candidates: readonly Candidate[]) => [...candidates].sort((a, b) => a.time - b.time);
const areApart = (one: Candidate, other: Candidate, apart: number) =>
  Math.abs(one.time - other.time) >= apart;
const differ = (one: Candidate, other: Candidate) => looksOther(one, other) || areApart(one, other, LATER);

function looksOther(one: Candidate, other: Candidate): boolean {
  return stoodOther(one, other) || (areApart(one, other, APART) && isTurned(one, other, ['yaw']));
}

function stoodOther(one: Candidate, other: Candidate): boolean {
  const [a, b] = [one.stance, other.stance];
  if (!a || !b || !areApart(one, other, APART)) return false;
  const size = Math.max(a.size, b.size);
  const moved = Math.hypot(a.x - b.x, a.y - b.y) >= MOVED * size;
  const nearer = size >= NEARER * Math.min(a.size, b.size);
  return moved || nearer || a.blinks !== b.blinks || isTurned(one, other, ['pitch', 'roll']);
}

function isTurned(one: Candidate, other: Candidate, angles: readonly (keyof Pose)[]): boolean {
  const [a, b] = [one.stance?.pose, other.stance?.pose];
  return Boolean(a && b && angles.some(of => Math.abs(a[of] - b[of]) >= TURNED));
}

/** Finds shut eyes relative to this person's own openness, which differs between people by more than a blink does. */
function openEyed(candidates: readonly Candidate[]): Candidate[] {
  const eyes = candidates.flatMap(({ stance }) => stance?.eyes ?? []).sort((a, b) => a - b);
  const normal = eyes[Math.floor(0.7 * (eyes.length - 1))] ?? 0;
  return candidates.map(one => {
    const shut = (one.stance?.eyes ?? normal) < SHUT * normal;
    return shut ? { ...one, quality: one.quality / 2 } : one;
  });
}

/** Two pictures up to this cosine distance are duplicates. Compressing a frozen picture again changes no more. */
const ALIKE = 5e-4;
/** From this cosine distance on it is another person. The service matches up to 0.35; turned heads need more. */
const OTHER = 0.5;

const areAlike = (one: Candidate, other: Candidate) => distance(one.descriptor, other.descriptor) <= ALIKE;

/** Up to this cosine distance from one of a person's pictures it is that person, as for the service. */
const SAME = 0.35;

/** Whether a descriptor is of the person in these pictures. */
export const isOfOne = (descriptor: readonly number[], candidates: readonly Candidate[]) =>
  candidates.some(one => distance(one.descriptor, descriptor) <= SAME);

/** The candidates of the person in the best picture. */
function ofOnePerson(candidates: readonly Candidate[]): readonly Candidate[] {
  const [best] = byQuality(candidates);
  return candidates.filter(one => best && distance(one.descriptor, best.descriptor) < OTHER);
}

function distance(a: readonly number[], b: readonly number[]): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    ab += value * other;
    aa += value * value;
    bb += other * other;
  }
  return 1 - ab / Math.sqrt(aa * bb);
}
