/**
 * One-to-many search by the service's rule: a sign-in is accepted if the best user is nearer than the threshold and
 * every other user is at least the margin farther away. Half of each person's descriptors (the first ones, at most
 * five) are enrolled; each of the others is one sign-in. FPIR: somebody outside the gallery is accepted as anybody.
 * FNIR: somebody in the gallery is not accepted as themselves. Galleries are drawn by seed: for each sign-in, the other
 * persons are shuffled and cut into galleries of each size. Held by test/calibration/identification.test.ts.
 */
import { seededDraw, shuffle } from './draw.ts';
import { clusterVariance, type Rate, rateOf } from './intervals.ts';
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
  readonly users: number;
  readonly fpir: Rate | null;
  readonly fnir: Rate | null;
  /** Among the sign-ins that FNIR counts: accepted as somebody else. */
  readonly misidentified: number;
}

export interface Identified {
  /** By size; the last is everybody except the person who signs in. */
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
  readonly users: number;
  readonly trials: { stranger: Float64Array; owner: Float64Array };
  readonly errors: { stranger: Float64Array; owner: Float64Array };
  misidentified = 0;
  /** Sign-ins of people in the gallery, each counted once, however many galleries it was tried in. */
  ownSignIns = 0;

  constructor(users: number, persons: number) {
    this.users = users;
    this.trials = { stranger: new Float64Array(persons), owner: new Float64Array(persons) };
    this.errors = { stranger: new Float64Array(persons), owner: new Float64Array(persons) };
  }
}

/** Overrides of the default galleries and sign-ins. */
export interface Scope {
  readonly budget?: number;
  /**
   * How many descriptors of a person are enrolled (the first ones): at least one, and not all for somebody in the
   * gallery.
   */
  readonly enrolled?: (descriptors: number) => number;
  /** Users in a gallery: at most one fewer than there are persons. */
  readonly sizes?: readonly number[];
  /** Whose sign-ins count. Everybody is in the galleries anyway. */
  readonly signsIn?: (person: number) => boolean;
}

export function identify(people: People, rule: Rule, seed: number, scope: Scope = {}): Identified {
  const persons = personsOf(people);
  const { budget = BUDGET, enrolled: enroll = enrolledOf, sizes: wanted = gallerySizes(persons - 1) } = scope;
  const { starts } = people;
  const sizeOf = (p: number) => (starts[p + 1] as number) - (starts[p] as number);
  const enrolled = Uint32Array.from({ length: persons }, (_, p) => enroll(sizeOf(p)));
  const templates = enrolled.reduce((sum, count) => sum + count, 0);
  const draw = seededDraw(seed);
  const order = Uint32Array.from({ length: persons }, (_, p) => p);
  shuffle(order, draw);
  const signing = scope.signsIn ? order.filter(scope.signsIn) : order;
  const most = Math.max(FEWEST_PROBES, Math.floor(budget / templates));
  const probes = probesOf(people, enrolled, signing, most);
  const counts = wanted.map(users => new Counts(users, persons));
  const others = new Uint32Array(persons - 1);
  const distances = new Float64Array(persons - 1);
  const inOrder = new Float64Array(persons);
  for (const { person, row } of probes) {
    const nearest = (p: number) => {
      let best = Number.POSITIVE_INFINITY;
      const end = (starts[p] as number) + (enrolled[p] as number);
      for (let i = starts[p] as number; i < end; i++) best = Math.min(best, between(people.vectors, row, i));
      return best;
    };
    // In memory order first: this loop takes most of the time.
    for (let p = 0; p < persons; p++) inOrder[p] = p === person ? 0 : nearest(p);
    for (let p = 0; p < persons - 1; p++) others[p] = p < person ? p : p + 1;
    shuffle(others, draw);
    for (let i = 0; i < others.length; i++) distances[i] = inOrder[others[i] as number] as number;
    // A person with a single descriptor has none left to sign in with, so it counts as a stranger's.
    const own = row < (starts[person] as number) + (enrolled[person] as number) ? null : nearest(person);
    for (const count of counts) judge(count, distances, person, own, rule);
  }
  const sizes = counts.map(({ users, trials, errors, misidentified, ownSignIns }) => ({
    users,
    fpir: rate(errors.stranger, trials.stranger),
    fnir: rate(errors.owner, trials.owner, ownSignIns),
    misidentified,
  }));
  return { sizes, probes: probes.length, templates: persons === 0 ? 0 : templates / persons };
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
function judge(
  count: Counts,
  distances: Float64Array,
  person: number,
  own: number | null,
  { threshold, margin }: Rule,
): void {
  const { users, trials, errors } = count;
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

/** Clustered by person: the descriptors of one person are not independent. */
function rate(errors: Float64Array, trials: Float64Array, apart?: number): Rate | null {
  const sum = (all: Float64Array) => all.reduce((total, one) => total + one, 0);
  const persons = trials.reduce((total, one) => total + (one > 0 ? 1 : 0), 0);
  return rateOf(sum(errors), sum(trials), clusterVariance(errors, trials), persons, apart);
}
