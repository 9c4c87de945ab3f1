/**
 * Probes and templates that sit on the core's bounds, for bound.long.test.ts: a search by small random steps for pairs whose
 * bound exceeds their product by as little as possible.
 */
import { below, pick, type Random } from './data.ts';
import {
  cellOf,
  excessOf,
  fineUnitOf,
  isFine,
  isRounded,
  type Kind,
  QUANTA_OF_SHARE,
  quantumOf,
  SHARES,
  sizeOf,
} from './excess.ts';
import { type Cell, DIMENSIONS, dot, type Frame, normalise, normOf } from './frame.ts';

/** Sizes are so much more than whole quanta, lest rounding takes one off. */
const MORE = 1 + 2e-5;
/** A pair that starts with a bound so far above its product is not worth the steps. */
const TOO_LOOSE = 0.03;
const STEPS = { plain: 350, withAxes: 150 };

export interface Pair {
  readonly probe: Float64Array;
  readonly template: Float64Array;
}

/** What a pair is made of. */
interface Plan {
  /** The part of the probe beside axis 0. */
  readonly towards: Float64Array;
  /** What the template's codes stand for. */
  readonly levels: Float64Array;
  /** How much of the template lies off them, along the probe as weights want it. */
  readonly off: number;
  readonly sign: number;
}

/**
 * A turned probe and template whose dot product is `product`, with as tight a bound as a search by small random steps
 * finds: it starts where what codes lose points along the probe. Undefined when that is too far off.
 */
export function tightPair(next: Random, kind: Kind, frame: Frame, product: number): Pair | undefined {
  const towards = begin(next, kind, frame);
  const levels = levelsFor(next, kind, frame, towards);
  const sign = next() < 0.5 ? -1 : 1;
  let best: Plan = { towards, levels, off: 0, sign };
  let least = Number.POSITIVE_INFINITY;
  const attempt = (plan: Plan) => {
    const pair = pairOf(frame, kind, plan, product);
    if (!pair) return;
    const now = excessOf(frame, pair.probe, pair.template)[kind];
    if (now < least) [least, best] = [now, plan];
  };
  // Often far off, so that much of the bound is distance.
  for (let off = next() < 0.5 ? 0.01 : 0.3 + 0.4 * next(); off < 2; off *= 1.08) attempt({ ...best, off });
  if (least > TOO_LOOSE) return undefined;
  for (let step = frame.hasAxes ? STEPS.withAxes : STEPS.plain; step > 0; step--)
    attempt(changed(next, kind, frame, best));
  return pairOf(frame, kind, best, product);
}

/** A direction beside the axis, in whole quanta where codes have bits. */
function begin(next: Random, kind: Kind, frame: Frame): Float64Array {
  const shape = below(next, 4);
  const few = next() < 0.3 ? 0.2 : 1;
  const full = below(next, SHARES);
  const isAlone = next() < 0.15;
  const unsaid = next() < 0.4 ? 0 : next() ** 2;
  const z = Float64Array.from(frame.cells, ({ half, top, weight, place }, i) => {
    if (i === 0 || next() > few || (isAlone && place >> 4 !== full)) return 0;
    const sign = next() < 0.5 ? -1 : 1;
    if (top === 0) return sign * unsaid * next() * 0.3;
    const along = half * weight * weight;
    return (
      sign * (shape === 0 ? 1 / half : shape === 1 ? next() / half : shape === 2 ? along : next() * along)
    );
  });
  if (normOf(z) === 0) z[5] = 1;
  normalise(z);
  // One share has more than all others, so that their sizes do not move it, and often so much that factors fit.
  const more = 1.03 + (next() < 0.5 ? 0 : 3 * next());
  const own = frame.cells.flatMap(({ place, top }, i) =>
    i > 0 && top > 0 && place >> 4 === full ? [i] : [],
  );
  if (own.length > 0) {
    const quantum = quantumOf(frame, z, 0);
    const size = own.reduce((sum, i) => sum + sizeOf(frame, z, i) * cellOf(frame, i).top, 0);
    for (const i of own) {
      const by = (quantum * QUANTA_OF_SHARE * more) / size;
      z[i] = size > 0 ? (z[i] as number) * by : (quantum * 10) / cellOf(frame, i).half;
    }
  }
  return isRounded(kind) ? quantised(frame, z) : z;
}

/** The same in whole quanta, but for the largest share. */
function quantised(frame: Frame, z: Float64Array): Float64Array {
  const quantum = quantumOf(frame, z, 0);
  const full = fullShare(frame, z);
  return z.map((x, i) => {
    const { half, top, place } = cellOf(frame, i);
    if (i === 0 || top === 0 || half === 0 || place >> 4 === full) return x;
    return (Math.sign(x) * Math.round(sizeOf(frame, z, i) / quantum) * quantum * MORE) / (2 * half);
  });
}

function fullShare(frame: Frame, z: Float64Array): number {
  const shares = new Float64Array(SHARES);
  for (let i = 1; i < DIMENSIONS; i++) {
    const { top, place } = cellOf(frame, i);
    shares[place >> 4] = (shares[place >> 4] as number) + sizeOf(frame, z, i) * top;
  }
  return shares.indexOf(Math.max(...shares));
}

/** Levels of codes: more or less along the probe, and in the share that says what a quantum is, as far as they go. */
function levelsFor(next: Random, kind: Kind, frame: Frame, towards: Float64Array): Float64Array {
  const full = fullShare(frame, towards);
  const against = next() < 0.4 ? 0 : next() * 0.3;
  // Most levels are low, lest the template is too long.
  const outer = next() < 0.4 ? 0 : next() / 5;
  const high = next() ** 2;
  const unit = fineUnitOf(frame, towards);
  return towards.map((z, i) => {
    const cell = cellOf(frame, i);
    if (i === 0 || cell.top === 0) return 0;
    const isOuter = cell.place >> 4 === full || next() < outer;
    const steps = isOuter ? cell.top : 1 + 2 * below(next, (high * (cell.top + 1)) / 2);
    const sign = (z < 0 ? -1 : 1) * (cell.place >> 4 !== full && next() < against ? -1 : 1);
    const isFull = cell.place >> 4 === full;
    return level(kind, cell, sign * steps, isFull ? 3 * sign : quartersFor(next, cell, z, unit));
  });
}

/** A fine code: mostly the one that goes along with how the factor is rounded. */
function quartersFor(next: Random, { half }: Cell, z: number, unit: number): number {
  const exact = (z * half) / 2 / unit;
  return next() < 0.1 ? pick(next, [-3, -1, 1, 3]) : exact > Math.round(exact) ? 3 : -3;
}

function level(kind: Kind, { half, top }: Cell, steps: number, quarters: number): number {
  const bounded = Math.min(top, Math.max(-top, steps));
  return bounded * half + (isFine(kind) ? (quarters * half) / 4 : 0);
}

/** A small change of a plan. */
function changed(next: Random, kind: Kind, frame: Frame, { towards, levels, off, sign }: Plan): Plan {
  const [z, to] = [towards.slice(), levels.slice()];
  const quantum = quantumOf(frame, z, 0);
  const unit = fineUnitOf(frame, z);
  for (let n = below(next, 3); n > 0; n--) {
    const i = 1 + below(next, DIMENSIONS - 1);
    const cell = cellOf(frame, i);
    if (next() < 0.5 && cell.top > 0)
      to[i] = level(
        kind,
        cell,
        2 * below(next, cell.top + 1) - cell.top,
        quartersFor(next, cell, z[i] as number, unit),
      );
    else if (cell.half > 0 && cell.top > 0)
      z[i] = (z[i] as number) + ((next() < 0.5 ? -1 : 1) * quantum) / (2 * cell.half);
    else z[i] = (z[i] as number) + (next() - 0.5) * 0.1;
  }
  return {
    towards: isRounded(kind) ? quantised(frame, z) : z,
    levels: to,
    off: off * (1 + (next() - 0.5) * 10 ** -(3 * next())),
    sign,
  };
}

/** The pair of a plan; undefined if there is none with such a product. */
function pairOf(frame: Frame, kind: Kind, plan: Plan, product: number): Pair | undefined {
  const { towards, levels, off, sign } = plan;
  const size = normOf(towards);
  const template = levels.map((to, i) => {
    if (i === 0) return 0;
    const cell = cellOf(frame, i);
    const y = to + ((towards[i] as number) / size / cell.weight ** 2) * off * cellOf(frame, 0).weight ** 2;
    return cell.half === 0 ? y : within(kind, cell, to, y);
  });
  const beside = normOf(template);
  if (beside > 1) return undefined;
  template[0] = sign * Math.sqrt(1 - beside * beside);
  const probe = settled(towards, template, product);
  return probe && { probe, template };
}

/** The number next to `y` that has the code of `to`. */
function within(kind: Kind, cell: Cell, to: number, y: number): number {
  const width = (isFine(kind) ? 0.2499 : 0.9999) * cell.half;
  const last = cell.top * cell.half + (isFine(kind) ? 0.75 * cell.half : 0);
  const beyond = Math.abs(to) > last - cell.half / 8 ? Number.POSITIVE_INFINITY : width;
  return Math.min(to + (to > 0 ? beyond : width), Math.max(to - (to < 0 ? beyond : width), y));
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
