/**
 * Decides how a gallery's templates are coded on its axes: how many half bytes they take, and what each coordinate gets
 * of them. More half bytes cost time for every template, fewer send more templates to the second look; a normal
 * distribution says how many. What it decides changes no answer. Held by test/matcher/bound.long.test.ts.
 */
import { fieldsOf, PLAIN_COARSE, PLAIN_FINE, setCell } from './coding';
import { DIMENSIONS, MAX_HALVES, scratchAt, WORK } from './layout';

const LEAST_HALVES: u32 = 32;
/** Half bytes come in eights: a turn of the inner loop takes four rows. */
const STEP: u32 = 8;
/** The kernels keep the sum of so many tables in 8 bits. */
const SUMMED: u32 = 4;
/** What a second look costs, in half bytes of the scan, and an exact comparison. */
const LOOK_COST: f64 = 900;
const EXACT_COST: f64 = 4000;
/** Share of a coarse distance that fine codes leave. */
const FINE_SHARE: f64 = 0.3;
/** What rounding adds to a bound. */
const ROUNDED: f64 = 0.015;
/** Energy on axes that may be left out. */
const LEFT_OUT: f64 = 1e-4;

/** How many half bytes hold one coordinate of 4 bits; one of 3 and one of 1; two of 2; four of 1. */
let whole: u32 = 0;
let uneven: u32 = 0;
let even: u32 = 0;
let quarters: u32 = 0;

/** Mean squares on the axes (f64, falling), the number of axes that are kept, and the energy beyond these. */
let squares: usize = 0;
let kept: u32 = 0;
let beyond: f64 = 0;
/** What strangers' products beside axis 0 have to exceed, and their standard deviation. */
let limit: f64 = 0;
let deviation: f64 = 0;

/** Mean square of the rest, for a variance of 1. */
function restOf(bits: u32): f64 {
  return bits == 0 ? 1 : bits == 1 ? 0.363 : bits == 2 ? 0.12 : bits == 3 ? 0.0378 : 0.0119;
}

/**
 * Weight of the rest of a coordinate with so many bits. By the inequality of Cauchy and Schwarz any weights give a
 * bound; these give about the tightest.
 */
function weightOf(bits: u32): f64 {
  return sqrt(sqrt(restOf(4) / restOf(bits)));
}

function squareOf(i: u32): f64 {
  return load<f64>(squares + <usize>i * 8);
}

/** Takes in the mean squares on all axes (128 f64, falling), and the smallest product that matters. */
export function takeIn(of128: usize, least: f64): void {
  squares = of128;
  limit = least - squareOf(0) - ROUNDED;
  let sum: f64 = squareOf(0);
  let products: f64 = 0;
  let n: u32 = 1;
  let all: f64 = 0;
  for (let i: u32 = 0; i < <u32>DIMENSIONS; i++) all += squareOf(i);
  for (; n < <u32>DIMENSIONS && (all - sum > LEFT_OUT || (n & 3) != 0); n++) {
    sum += squareOf(n);
    products += squareOf(n) * squareOf(n);
  }
  kept = n;
  deviation = sqrt(products) + 1e-6;
  beyond = max(1 - sum, 0);
}

/** What a search costs in the coding without axes, where no direction is preferred. */
export function plainCost(): f64 {
  return costOf(MAX_HALVES, PLAIN_COARSE, PLAIN_FINE);
}

/** What a search costs for each template, in half bytes, when bounds exceed strangers' products by so much. */
function costOf(halves: u32, coarse: f64, fine: f64): f64 {
  return <f64>halves + LOOK_COST * shareAbove(limit - coarse) + EXACT_COST * shareAbove(limit - fine);
}

/** Share of strangers' products that are so far above the mean, by the normal distribution, within a few percent. */
function shareAbove(difference: f64): f64 {
  const t = difference / deviation;
  return 1 / (1 + Math.exp(t * (1.5976 + 0.07056 * t * t)));
}

/** Writes the best coding to `coding`. @returns what it costs */
export function allot(coding: usize): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 1; i <= kept; i++) {
    store<f64>(scratchAt(WORK) + <usize>(i - 1) * 8, sum);
    if (i < kept) sum += squareOf(i);
  }
  let best: f64 = Infinity;
  let halves: u32 = 0;
  for (let count = LEAST_HALVES; count <= MAX_HALVES; count += STEP) {
    const coarse = shareOut(count);
    const cost = costOf(count, coarse, fineOf(coarse));
    if (cost >= best) continue;
    best = cost;
    halves = count;
  }
  const coarse = shareOut(halves);
  const largest = weightOf(whole > 0 ? 4 : uneven > 0 ? 3 : even > 0 ? 2 : 1);
  // The weights share their product out so between distance and reach.
  const reach = sqrt(coarse / sqrt(restOf(4))) * largest;
  const fields = fieldsOf(coding);
  fields.rows = halves / 2;
  fields.kept = kept;
  fields.cost = best;
  fields.distance = fineOf(coarse) / reach;
  writeCells(coding, halves, largest);
  return best;
}

/** Distance times reach of fine codes, for that of coarse ones. */
function fineOf(coarse: f64): f64 {
  return beyond + FINE_SHARE * (coarse - beyond);
}

/** Finds the best kinds for so many half bytes. @returns distance times reach */
function shareOut(halves: u32): f64 {
  let best: f64 = Infinity;
  for (let q: u32 = 0; q <= halves; q += 4) {
    for (let w: u32 = 0; w <= halves - q; w++) {
      for (let u: u32 = 0; u <= halves - q - w; u++) {
        const e = halves - q - w - u;
        const now = spread(w, u, e, q);
        if (now >= best) continue;
        best = now;
        whole = w;
        uneven = u;
        even = e;
        quarters = q;
      }
    }
  }
  return best;
}

/**
 * The sum of mean square times root of the relative rest over all coordinates. It is the product of distance and reach,
 * because the weights make the two sums of squares equal.
 */
function spread(w: u32, u: u32, e: u32, q: u32): f64 {
  const three = sumTo(w);
  const two = sumTo(w + u);
  const one = sumTo(w + u + 2 * e);
  const none = sumTo(w + u + 2 * e + u + 4 * q);
  const last = sumTo(kept - 1);
  return (
    three * sqrt(restOf(4)) +
    (two - three) * sqrt(restOf(3)) +
    (one - two) * sqrt(restOf(2)) +
    (none - one) * sqrt(restOf(1)) +
    (last - none) +
    beyond
  );
}

/** Mean squares on the first axes beside axis 0, so many or all. */
function sumTo(n: u32): f64 {
  return load<f64>(scratchAt(WORK) + <usize>min(n, kept - 1) * 8);
}

function coordinatesWith(bits: u32): u32 {
  return bits == 4 ? whole : bits == 3 ? uneven : bits == 2 ? 2 * even : uneven + 4 * quarters;
}

/** The coordinates with the largest mean squares get the most bits. Half bytes come in the order of their kinds. */
function writeCells(coding: usize, halves: u32, largest: f64): void {
  let i: u32 = 1;
  for (let bits: u32 = 4; bits > 0; bits--) {
    for (let n: u32 = 0; n < coordinatesWith(bits) && i < kept; n++, i++) {
      // The half byte of coordinate n of this many bits, and its first bit.
      let half = n;
      let first: u32 = 0;
      if (bits == 3) half = whole + n;
      else if (bits == 2) {
        half = whole + uneven + n / 2;
        first = (n & 1) * 2;
      } else if (bits == 1) {
        half = n < uneven ? whole + n : whole + uneven + even + (n - uneven) / 4;
        first = n < uneven ? 3 : (n - uneven) & 3;
      }
      const place = positionOf(half, halves) * 4 + first;
      setCell(coding, i, bits, place, sqrt(squareOf(i)), weightOf(bits) / largest);
    }
  }
  for (; i < kept; i++) setCell(coding, i, 0, 0, sqrt(squareOf(i)), weightOf(0) / largest);
  for (; i < <u32>DIMENSIONS; i++) setCell(coding, i, 0, 0, 0, weightOf(0) / largest);
  setCell(coding, 0, 0, 0, 0, weightOf(0) / largest);
}

/** Deals half bytes, which come in falling order, to the sums of four, there and back. */
function positionOf(half: u32, halves: u32): u32 {
  const sums = halves / SUMMED;
  const round = half / sums;
  const sum = half % sums;
  return ((round & 1) == 0 ? sum : sums - 1 - sum) * SUMMED + round;
}
