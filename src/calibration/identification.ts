/**
 * One-to-many search by the service's rule: a sign-in is accepted if the best user is nearer than the threshold and
 * every other user is at least the margin farther away. Half of each person's descriptors (the first ones, at most
 * five) are enrolled; each of the others is one sign-in. FPIR: somebody outside the gallery is accepted as anybody.
 * FNIR: somebody in the gallery is not accepted as themselves. Galleries are drawn by seed: for each sign-in, the other
 * persons are shuffled and cut into galleries of each size. Held by test/calibration/identification.test.ts.
 */
import { seededDraw, shuffle } from './draw.ts';
import { type Rate, rateByPerson } from './intervals.ts';
import { between, descriptorsOf, type People, personsOf } from './people.ts';

/** Distances computed in total. They take nearly all of the time. */
const BUDGET = 20_000_000;
const FEWEST_PROBES = 50;
const MOST_ENROLLED = 5;

export interface Rule {
  readonly threshold: number;
  readonly margin: number;
}

export interface Identification {
  readonly threshold: number;
  readonly users: number;
  readonly fpir: Rate | null;
  readonly fnir: Rate | null;
  /** Among the sign-ins that FNIR counts: accepted as somebody else. */
  readonly misidentified: number;
}

interface Identified {
  /** By threshold, then by size; the last size is everybody except the person who signs in. */
  readonly sizes: readonly Identification[];
  readonly probes: number;
  /** Average number of enrolled descriptors per person. */
  readonly templates: number;
}

/** How many of a person's descriptors are enrolled. */
export function enrolledOf(descriptors: number): number {
  return descriptors < 2 ? descriptors : Math.min(MOST_ENROLLED, Math.floor(descriptors / 2));
}

/** 1, 10, 100, … and finally all others. */
export function gallerySizes(others: number): number[] {
  const sizes: number[] = [];
  for (let size = 1; size <= others; size *= 10) sizes.push(size);
  if (others > 0 && sizes.at(-1) !== others) sizes.push(others);
  return sizes;
}

class Counts {
  readonly rule: Rule;
  readonly users: number;
  readonly trials: { stranger: Float64Array; owner: Float64Array };
  readonly errors: { stranger: Float64Array; owner: Float64Array };
  misidentified = 0;
  /** Sign-ins of people in the gallery, each counted once, however many galleries it was tried in. */
  ownSignIns = 0;

  constructor(rule: Rule, users: number, persons: number) {
    this.rule = rule;
    this.users = users;
    this.trials = { stranger: new Float64Array(persons), owner: new Float64Array(persons) };
    this.errors = { stranger: new Float64Array(persons), owner: new Float64Array(persons) };
  }
}

/** Overrides of the default galleries and sign-ins. */
export interface Scope {
  readonly budget?: number;
  /**
   * How many descriptors of a person are enrolled (the first ones). Somebody with none is in no gallery: each of their
   * sign-ins is a stranger's.
   */
  readonly enrolled?: (descriptors: number, person: number) => number;
  /** Instead of the rule's own. The same sign-ins are tried at each. */
  readonly thresholds?: readonly number[];
  /** Users in a gallery: at most one fewer than there are persons with an enrolled descriptor. */
  readonly sizes?: readonly number[];
  /** Whose sign-ins count. Everybody is in the galleries anyway. */
  readonly signsIn?: (person: number) => boolean;
}

export function identify(people: People, rule: Rule, seed: number, scope: Scope = {}): Identified {
  const persons = personsOf(people);
  const { budget = BUDGET, enrolled: enroll = enrolledOf, thresholds = [rule.threshold] } = scope;
  const { starts } = people;
  const enrolled = Uint32Array.from({ length: persons }, (_, p) =>
    enroll((starts[p + 1] as number) - (starts[p] as number), p),
  );
  const members = Uint32Array.from({ length: persons }, (_, p) => p).filter(p => enrolled[p]);
  const templates = enrolled.reduce((sum, count) => sum + count, 0);
  const draw = seededDraw(seed);
  const order = Uint32Array.from({ length: persons }, (_, p) => p);
  shuffle(order, draw);
  const signing = scope.signsIn ? order.filter(scope.signsIn) : order;
  const most = Math.max(FEWEST_PROBES, Math.floor(budget / templates));
  const probes = probesOf(people, enrolled, signing, most);
  const sizes = scope.sizes ?? gallerySizes(members.length - 1);
  const counts = thresholds.flatMap(threshold =>
    sizes.map(users => new Counts({ ...rule, threshold }, users, persons)),
  );
  const inOrder = new Float64Array(persons);
  for (const { person, row } of probes) {
    const nearest = (p: number) => {
      let best = Number.POSITIVE_INFINITY;
      const end = (starts[p] as number) + (enrolled[p] as number);
      for (let i = starts[p] as number; i < end; i++) best = Math.min(best, between(people.vectors, row, i));
      return best;
    };
    // In memory order first: this loop takes most of the time.
    for (const p of members) inOrder[p] = p === person ? 0 : nearest(p);
    const others = members.filter(p => p !== person);
    shuffle(others, draw);
    const distances = Float64Array.from(others, p => inOrder[p] as number);
    // A person with a single descriptor has none left to sign in with, so it counts as a stranger's.
    const isOwner = row >= (starts[person] as number) + (enrolled[person] as number) && enrolled[person];
    const own = isOwner ? nearest(person) : null;
    for (const count of counts) judge(count, distances, person, own);
  }
  return {
    sizes: counts.map(({ rule: { threshold }, users, trials, errors, misidentified, ownSignIns }) => ({
      threshold,
      users,
      fpir: rateByPerson(errors.stranger, trials.stranger),
      fnir: rateByPerson(errors.owner, trials.owner, ownSignIns),
      misidentified,
    })),
    probes: probes.length,
    templates: persons === 0 ? 0 : templates / persons,
  };
}

/** In rounds, one descriptor of each person per round, so that the budget covers as many persons as possible. */
function probesOf(people: People, enrolled: Uint32Array, order: Uint32Array, most: number) {
  const probes: { person: number; row: number }[] = [];
  for (let round = 0; probes.length < Math.min(most, descriptorsOf(people)); round++) {
    const before = probes.length;
    for (const person of order) {
      const [from, end] = [people.starts[person] as number, people.starts[person + 1] as number];
      const row = end - from === 1 ? from : from + (enrolled[person] as number) + round;
      if (row < end && (end - from > 1 || round === 0)) probes.push({ person, row });
      if (probes.length === most) return probes;
    }
    if (probes.length === before) return probes;
  }
  return probes;
}

/** Cuts the distances into galleries of this size, with and without the person who signs in. */
function judge(count: Counts, distances: Float64Array, person: number, own: number | null): void {
  const { users, trials, errors } = count;
  const { threshold, margin } = count.rule;
  for (let from = 0; from + users <= distances.length; from += users) {
    const { best, second } = nearestTwo(distances, from, from + users);
    (trials.stranger[person] as number)++;
    if (best < threshold && second - best >= margin) (errors.stranger[person] as number)++;
  }
  if (own === null) return;
  count.ownSignIns++;
  const rivals = users - 1;
  for (let from = 0; from + rivals <= distances.length; from += rivals) {
    const { best, second } = nearestTwo(distances, from, from + rivals);
    (trials.owner[person] as number)++;
    const accepted = own < threshold && best - own >= margin;
    if (!accepted) (errors.owner[person] as number)++;
    if (best < own && best < threshold && Math.min(own, second) - best >= margin) count.misidentified++;
    if (rivals === 0) return;
  }
}

function nearestTwo(distances: Float64Array, from: number, to: number): { best: number; second: number } {
  let best = Number.POSITIVE_INFINITY;
  let second = Number.POSITIVE_INFINITY;
  for (let i = from; i < to; i++) {
    const distance = distances[i] as number;
    if (distance < best) {
      second = best;
      best = distance;
    } else if (distance < second) second = distance;
  }
  return { best, second };
}
