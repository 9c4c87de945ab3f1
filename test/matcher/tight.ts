/**
 * Probes and templates that sit on the core's bounds, for bound.long.test.ts. What codes stand for, and the bound made of
 * them, is written from assembly/README.md. Should those numbers change, the search for tight cases aims beside the
 * point; the test sees that, because it also demands that its cases are tight.
 */
import { below, pick, type Random } from './data.ts';
import { DIMENSIONS, dot, normOf } from './frame.ts';

const CODED = DIMENSIONS - 1;
const UNIT = 2 ** -14;
/** A pair that starts with a bound so far above its product is not worth the steps. */
const TOO_LOOSE = 0.02;
/** Sums of 8 bits that a score is made of, and the quanta that one of them is about at most. */
const SHARES = 16;
const MOST_OF_SHARE = 146;
/** Largest factor of the distance and of the coordinate on the axis. */
const MOST_FACTOR = 32766;

/** Half the width of a coarse cell, for so much energy beside the axis. */
export function stepFor(energy: number): number {
  return Math.fround(0.54 * Math.sqrt(Math.max(energy, 1e-5) / CODED));
}

/** Energy beside the mean of a gallery, as the core reckons it. */
export function energyBeside(base: readonly Float32Array[]): number {
  const mean = Array.from({ length: DIMENSIONS }, (_, i) =>
    base.reduce((sum, v) => sum + (v[i] as number), 0),
  );
  const square = mean.reduce((sum, x) => sum + (x / base.length) ** 2, 0);
  return 1 - (square - (1 - square) / base.length);
}

export interface Bound {
  /** By how much the bounds exceed the dot product. */
  readonly coarse: number;
  readonly fine: number;
  /** Norms of what the codes stand for. */
  readonly norms: readonly [number, number];
}

/** What a pair of turned vectors gets as bounds; `norms` are the largest ones of the gallery. */
export function boundOf(
  z: ArrayLike<number>,
  y: ArrayLike<number>,
  step: number,
  norms: readonly [number, number],
): Bound {
  const quantum = quantumOf(z, step);
  const unsaid = 2 * step * quantum * notTakenOff(z, y, step, quantum);
  let [rest, beside, product, coarseRest, fineRest, coarseNorm, fineNorm] = [0, 0, 0, 0, 0, 0, 0];
  let [coarseSum, fineSum] = [0, 0];
  for (let i = 1; i < DIMENSIONS; i++) {
    const [a, b] = [z[i] as number, y[i] as number];
    const whole = quantum * Math.round(a / quantum);
    const level = cell(b, step);
    const fine = level + cell(b - level, step / 4);
    rest += (a - whole) ** 2;
    beside += a * a;
    product += a * b;
    coarseRest += (b - level) ** 2;
    fineRest += (b - fine) ** 2;
    coarseNorm += level * level;
    fineNorm += fine * fine;
    coarseSum += whole * level;
    fineSum += whole * fine;
  }
  const size = Math.sqrt(beside);
  const lost = Math.sqrt(rest);
  const own = [Math.sqrt(coarseNorm), Math.sqrt(fineNorm)] as const;
  const fineDistance = Math.ceil(Math.sqrt(fineRest) * 64);
  const coarseDistance = (Math.ceil(Math.sqrt(coarseRest) * 128) * 128 + fineDistance) * UNIT;
  return {
    coarse: coarseSum + unsaid + size * coarseDistance + lost * Math.max(norms[0], own[0]) - product,
    fine: fineSum + unsaid + (size * fineDistance) / 64 + lost * Math.max(norms[1], own[1]) - product,
    norms: own,
  };
}

/** What the coordinates of a probe are whole multiples of, at least so much that its factors fit. */
function quantumOf(z: ArrayLike<number>, step: number): number {
  let [quantum, beside] = [0, 0];
  for (let i = 1; i < DIMENSIONS; i++) {
    quantum = Math.max(quantum, Math.abs(z[i] as number) / 127);
    beside += (z[i] as number) ** 2;
  }
  for (const share of sharesOf(i => Math.abs(z[i] as number)))
    quantum = Math.max(quantum, share / MOST_OF_SHARE);
  return Math.max(
    quantum,
    (2 * Math.max(Math.abs(z[0] as number), Math.sqrt(beside))) / (step * MOST_FACTOR),
  );
}

/** Coordinates that one sum of 8 bits is about. */
function shareOf(n: number): number[] {
  const first = 16 * (n >> 1) + 2 * (n & 1);
  return [0, 4, 8, 12].flatMap(by => [first + by, first + by + 1]);
}

/** Sums over the coordinates of each share, but for the one on the axis. */
function sharesOf(value: (i: number) => number): number[] {
  return Array.from({ length: SHARES }, (_, n) =>
    shareOf(n).reduce((sum, i) => sum + (i > 0 ? value(i) : 0), 0),
  );
}

/** How much more than 8 bits hold should be taken off a score. */
function notTakenOff(z: ArrayLike<number>, y: ArrayLike<number>, step: number, quantum: number): number {
  const losses = sharesOf(i => {
    const whole = Math.round((z[i] as number) / quantum);
    return Math.abs(whole) * 1.5 - (whole * cell(y[i] as number, step)) / (2 * step);
  });
  return losses.reduce((sum, loss) => sum + Math.max(0, loss - 255), 0);
}

function cell(x: number, step: number): number {
  return (2 * Math.min(3, Math.max(0, Math.floor(x / (2 * step) + 2))) - 3) * step;
}

export interface Pair {
  readonly probe: Float64Array;
  readonly template: Float64Array;
}

/**
 * A turned probe and template whose dot product is `product`, with as tight a bound as a search by small random steps
 * finds: it starts where what the code loses points along the probe. Undefined when that is too far off.
 */
export function tightPair(
  next: Random,
  kind: 'coarse' | 'fine',
  step: number,
  norms: readonly [number, number],
  product: number,
): Pair | undefined {
  let towards = begin(next, step);
  let template = beginTemplate(next, kind, step, towards);
  let best = settled(towards, template, product);
  if (best === undefined) return undefined;
  let least = boundOf(best, template, step, norms)[kind];
  if (least > TOO_LOOSE) return undefined;
  for (let turn = 0; turn < 250; turn++) {
    const [newTowards, newTemplate] = [towards.slice(), template.slice()];
    for (let n = 1 + below(next, 3); n > 0; n--) {
      const changed = next() < 0.5 ? newTowards : newTemplate;
      const i = below(next, changed === newTowards ? CODED : DIMENSIONS) + (changed === newTowards ? 1 : 0);
      const by =
        changed === newTowards && next() < 0.6
          ? Math.sign(next() - 0.5) * quantumOf(newTowards, step)
          : (next() - 0.5) * step * (next() < 0.5 ? 1 : 0.05);
      changed[i] = (changed[i] as number) + by;
    }
    normalise(newTemplate);
    const probe = settled(newTowards, newTemplate, product);
    if (probe === undefined) continue;
    const now = boundOf(probe, newTemplate, step, norms)[kind];
    if (now >= least) continue;
    [least, best, towards, template] = [now, probe, newTowards, newTemplate];
  }
  return { probe: best, template };
}

/**
 * A direction beside the axis in whole quanta: of equal magnitudes, of random ones, of few, or all but one share of it
 * half a quantum off, which is hard to quantise.
 */
function begin(next: Random, step: number): Float64Array {
  const kind = below(next, 4);
  const few = 1 + below(next, 40);
  const sizes = Array.from({ length: DIMENSIONS }, () => {
    if (kind === 0) return 18;
    if (kind === 2) return below(next, CODED) < few ? 30 : 0;
    return below(next, 30);
  });
  sizes[0] = 0;
  const full = below(next, SHARES);
  for (let n = 0; n < SHARES; n++) fill(next, sizes, n, n === full, kind === 3 && n !== full ? 4 : 0);
  const off = next() < 0.5 ? 0.49 : -0.49;
  const z = Float64Array.from(sizes, (size, i) => {
    const half = kind === 3 && !shareOf(full).includes(i) ? off : 0;
    return i === 0 ? 0 : (size + half) * (next() < 0.5 ? -1 : 1);
  });
  if (!z.some(x => x !== 0)) z[5] = step;
  return z;
}

/** Takes off until a share has no more quanta than it may, `spare` less, and adds to one until it has so many. */
function fill(next: Random, sizes: number[], share: number, toTheBrim: boolean, spare: number): void {
  const own = shareOf(share).filter(i => i > 0);
  let rest = MOST_OF_SHARE - spare - own.reduce((sum, i) => sum + (sizes[i] as number), 0);
  while (rest < 0 || (toTheBrim && rest > 0)) {
    const i = pick(next, own);
    if (rest < 0 && sizes[i] === 0) continue;
    sizes[i] = (sizes[i] as number) + Math.sign(rest);
    rest -= Math.sign(rest);
  }
}

/** Levels of the code, and what is lost along `towards`, with any coordinate on the axis. */
function beginTemplate(
  next: Random,
  kind: 'coarse' | 'fine',
  step: number,
  towards: Float64Array,
): Float64Array {
  const size = normOf(towards);
  // All of one level, and none against: along what is left of a probe that is half a quantum off everywhere.
  const plain = next() < 0.4;
  const outer = plain ? 0 : next() * 0.6;
  const against = plain ? 0 : next() * 0.3;
  const levels = 1 + below(next, 8);
  const lost = kind === 'coarse' ? next() * 0.7 : next() * step * 3;
  const y = towards.map(x => {
    const level = kind === 'coarse' ? (next() < outer ? 3 : 1) : (2 * below(next, levels) + 1) / 4;
    const sign = (x < 0 ? -1 : 1) * (next() < against ? -1 : 1);
    return sign * level * step + (x / size) * lost;
  });
  y[0] = 0;
  const beside = normOf(y);
  if (beside < 1) y[0] = (next() < 0.5 ? -1 : 1) * Math.sqrt(1 - beside * beside);
  normalise(y);
  return y;
}

/** The unit vector in the plane of the axis and `towards` whose product with the template is this. */
function settled(towards: Float64Array, template: Float64Array, product: number): Float64Array | undefined {
  const size = normOf(towards);
  const onAxis = template[0] as number;
  const along = dot(towards, template) / size;
  const reach = Math.hypot(onAxis, along);
  if (reach < product + 1e-3 || along <= 0) return undefined;
  // Of the two angles the one that leaves more beside the axis.
  const middle = Math.atan2(onAxis, along);
  const turn = Math.acos(product / reach);
  const angle = Math.abs(middle - turn) < Math.abs(middle + turn) ? middle - turn : middle + turn;
  const probe = towards.map(x => (x / size) * Math.cos(angle));
  probe[0] = Math.sin(angle);
  return probe;
}

function normalise(v: Float64Array): void {
  const norm = normOf(v);
  for (let i = 0; i < v.length; i++) v[i] = (v[i] as number) / norm;
}
