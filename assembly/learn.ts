/**
 * Learns the axes of a gallery from its templates, a step at a time, so that no search waits long: sums of products of
 * some templates, axes from them, the mean squares of others on these axes, and a coding (allot.ts). If that
 * pays, all templates are coded again (recode.ts). A search may come between any two steps. Sums are erased once the
 * axes are made, and axes once their successors are; all are made from the templates that are there. One gallery learns
 * at a time. It decides nothing about a search. Held by test/matcher/axes.long.test.ts and bound.long.test.ts.
 */
import { allot, plainCost, takeIn } from './allot';
import { addProducts, defectOf, sortRows, turnRow } from './axes';
import { givePage, takePage } from './blocks';
import { fieldsOf, multiply, setPlain } from './coding';
import * as layout from './layout';
import { beginRecoding, recodeNext } from './recode';
import { decidesFrom } from './select';

/**
 * Axes are learned first at so many templates, then at so many, then whenever the gallery is four times as large. Below
 * FIRST it goes back to the coding without axes, and learns again at SECOND.
 */
const FIRST: u32 = 256;
const SECOND: u32 = 1000;
/**
 * Most templates that are looked at. The first half of them, as stored, gives the axes, the second one the mean squares
 * on them: so a coding is judged by how it suits others, who came later where none were removed.
 */
const SAMPLE: u32 = 4096;
/** Turns of the iteration. */
const TURNS: u32 = 8;
/** Axes that are less orthonormal than this are not used, see README.md. */
const MOST_DEFECT: f64 = 1e-5;
/** Templates are coded again if that makes a search so much cheaper. */
const WORTH: f64 = 0.9;
/** A template is a stray when its fine distance is so much larger than that of others. */
const STRAY: f64 = 2;
/** What is done in one go, and what the kinds of steps cost, in templates coded. */
const AT_ONCE: i32 = 48;
const TEMPLATE_COST: i32 = 2;
const MOST_WALKED: u32 = 4096;
const ROW_COST: i32 = 3;
const PLAN_COST: i32 = 200;

// Steps.
const SUMMING: u32 = 0;
const TURNING: u32 = 1;
const MEASURING: u32 = 2;
const RECODING: u32 = 3;

/** The gallery that is learning; 0: none. */
let learning: u32 = 0;
let step: u32 = 0;
/** Whether its present coding is that of other templates, or of few. */
let isOld: bool = false;
/** Pages with the sums of products and the new axes. */
let sums: u32 = 0;
let axes: u32 = 0;
/** Where the walk over templates is, how many to go each time, how many half of the sample has, and were seen. */
let block: u32 = 0;
let index: u32 = 0;
let stride: u32 = 0;
let sample: u32 = 0;
let seen: u32 = 0;
/** The row and turn of the iteration. */
let row: u32 = 0;
let turns: u32 = 0;
let defect: f64 = 0;

function presentOf(gallery: u32): usize {
  return layout.codingAddress(gallery, layout.recordOf(gallery).current);
}

export function beginCodings(gallery: u32): void {
  setPlain(presentOf(gallery));
  layout.recordOf(gallery).learnAt = FIRST;
  for (let held = gallery; held != 0; held = layout.headOf(held).next)
    layout.setCoded(held, layout.recordOf(gallery).current, layout.headOf(held).slots);
}

/** Counts an added template of such a fine distance, if the coding does not suit it. */
export function noteAdded(gallery: u32, distance: f64): void {
  if (distance > STRAY * fieldsOf(presentOf(gallery)).distance) layout.recordOf(gallery).strays++;
}

/** Does some of what is due for a gallery, or for the one that is learning. @returns whether there is more */
export function tend(gallery: u32): bool {
  if (gallery == 0 || (learning == 0 && !begin(gallery))) return false;
  for (let left = AT_ONCE; learning != 0 && left > 0; ) left -= advance();
  return true;
}

/** Gives back the axes of a gallery that is being dropped, erases its codings, and ends its learning. */
export function releaseAxes(gallery: u32): void {
  if (learning == gallery) end();
  for (let which: u32 = 0; which < 2; which++) {
    givePage(fieldsOf(layout.codingAddress(gallery, which)).axes);
    memory.fill(layout.codingAddress(gallery, which), 0, layout.CODING_BYTES);
  }
}

/** Forgets all that was learned, once the last template is gone. */
export function forget(gallery: u32): void {
  releaseAxes(gallery);
  restart(gallery);
  beginCodings(gallery);
}

/** Notes that what the gallery has learned is of its present templates. */
function restart(gallery: u32): void {
  const record = layout.recordOf(gallery);
  record.learnedFrom = record.templates < FIRST ? 0 : record.templates;
  record.removed = 0;
  record.strays = 0;
}

/** Starts what is due for a gallery. False: nothing is. */
function begin(gallery: u32): bool {
  const record = layout.recordOf(gallery);
  const count = record.templates;
  const from = record.learnedFrom;
  // More went than are left, or many came that the coding does not suit.
  const isWorn = from != 0 && (record.removed >= min(from, count) || record.strays >= max(from / 4, SECOND));
  if (count < FIRST ? fieldsOf(presentOf(gallery)).axes == 0 : count < record.learnAt && !isWorn)
    return false;
  learning = gallery;
  isOld = isWorn || record.removed > 0 || from < SAMPLE;
  sums = count < FIRST ? 0 : takePage();
  axes = sums == 0 ? 0 : takePage();
  if (axes == 0) {
    // There is no memory, or the gallery is too small.
    record.learnAt = count < FIRST ? SECOND : count + count / 4;
    settle(isWorn || count < FIRST);
    return learning != 0;
  }
  record.learnAt = count < SECOND ? SECOND : min(count, 0x3fffffff) * 4;
  stride = (count - 1) / SAMPLE + 1;
  sample = count / stride / 2;
  block = gallery;
  index = seen = 0;
  step = SUMMING;
  return true;
}

/** Ends what was begun. */
function end(): void {
  givePage(sums);
  givePage(axes);
  sums = axes = 0;
  learning = 0;
}

/** Ends what was begun. Axes that are not to be kept go: all templates are coded without. */
function settle(plainIsBetter: bool): void {
  const gallery = learning;
  end();
  if (!plainIsBetter) return;
  restart(gallery);
  if (fieldsOf(presentOf(gallery)).axes == 0) return;
  setPlain(layout.codingAddress(gallery, 1 - layout.recordOf(gallery).current));
  beginAgain(gallery);
}

/** Begins to code all templates again. */
function beginAgain(gallery: u32): void {
  learning = gallery;
  beginRecoding(gallery);
  step = RECODING;
}

/** One step. @returns about what it cost */
function advance(): i32 {
  if (step == SUMMING) return sumNext();
  if (step == TURNING) return turnNext();
  if (step == MEASURING) return measureNext();
  const cost = recodeNext(learning);
  if (cost == 0) learning = 0;
  return cost;
}

/** The next template of the sample; 0: there is none, or it is not found at once. */
function findNext(): usize {
  let left = stride;
  for (let walked: u32 = 0; block != 0 && seen < sample && walked < MOST_WALKED; walked++) {
    if (index >= layout.headOf(block).used) {
      block = layout.headOf(block).next;
      index = 0;
      continue;
    }
    if (layout.user(block, index++) == 0 || --left > 0) continue;
    seen++;
    return layout.vectorAddress(block, index - 1);
  }
  return 0;
}

/** Adds a template to the sums of products. */
function sumNext(): i32 {
  const vector = findNext();
  if (vector != 0) addProducts(sums, vector);
  if (block != 0 && seen < sample) return TEMPLATE_COST;
  // Their own rows are as good a beginning as any.
  memory.copy(layout.addressOf(axes), layout.addressOf(sums), layout.PAGE);
  row = turns = 0;
  defect = 0;
  step = TURNING;
  return ROW_COST;
}

/** Turns one row of the axes, and sums up the defect in the last turn. */
function turnNext(): i32 {
  turnRow(axes, sums, row);
  const isLast = turns == TURNS - 1;
  if (isLast) defect += defectOf(axes, row);
  if (++row < <u32>layout.DIMENSIONS) return ROW_COST;
  row = 0;
  turns++;
  if (!isLast) return ROW_COST;
  // From here on the page has the sums of squares.
  memory.fill(layout.addressOf(sums), 0, layout.PAGE);
  seen = 0;
  step = MEASURING;
  if (!(sqrt(defect) <= MOST_DEFECT)) settle(isOld);
  return ROW_COST;
}

/** Sums up squares of the coordinates of a template that gave no axes. */
function measureNext(): i32 {
  const vector = findNext();
  if (vector != 0) {
    const turned = layout.scratchAt(layout.TURNED);
    multiply(layout.addressOf(axes), <u32>layout.DIMENSIONS, vector, turned);
    for (let i: usize = 0; i < layout.DIMENSIONS; i++) {
      const y = <f64>load<f32>(turned + i * 4);
      const at = layout.addressOf(sums) + i * 8;
      store<f64>(at, load<f64>(at) + y * y);
    }
  }
  return block != 0 && seen < sample ? TEMPLATE_COST : plan();
}

/** Decides on the coding, and whether it pays. */
function plan(): i32 {
  const squares = layout.addressOf(sums);
  for (let at = squares; at < squares + layout.DIMENSIONS * 8; at += 8)
    store<f64>(at, load<f64>(at) / <f64>max(seen, 1));
  sortRows(axes, squares);
  const coding = layout.codingAddress(learning, 1 - layout.recordOf(learning).current);
  takeIn(squares, decidesFrom());
  const cost = allot(coding);
  const isBetter = cost < WORTH * plainCost();
  if (!isBetter || (!isOld && cost >= WORTH * fieldsOf(presentOf(learning)).cost)) {
    memory.fill(coding, 0, layout.CODING_BYTES);
    settle(isOld);
    return PLAN_COST;
  }
  fieldsOf(coding).axes = axes;
  axes = 0;
  const gallery = learning;
  end();
  restart(gallery);
  beginAgain(gallery);
  return PLAN_COST;
}
