/** One against many: against the float64 reference of the matcher, probe by probe, and against galleries drawn anew. */
import * as assert from 'uvu/assert';
import { enrolledOf, gallerySizes, identify } from '../../src/calibration/identification.ts';
import type { Rate } from '../../src/calibration/intervals.ts';
import { random } from '../matcher/data.ts';
import { type Expected, normalise, reference, type StoredTemplate } from '../matcher/reference.ts';
import { gathered, type Line } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: identification');
const next = random(31);
const RULE = { threshold: 0.35, margin: 0.04 };

/** Persons with 1 to 6 descriptors who are alike in so many ways that every kind of outcome happens. */
const lines: Line[] = Array.from({ length: 45 }, (_, p) => {
  const number = () => next() + next() - 1;
  const core = Array.from({ length: 128 }, (_, i) => number() * Math.exp(-i / 5));
  return Array.from({ length: 1 + (p % 6) }, () => ({
    person: `p${p}`,
    descriptor: core.map((x, i) => x + 0.45 * number() * Math.exp(-i / 5)),
  }));
}).flat();
const { people } = gathered(lines);
const persons = [...new Set(lines.map(({ person }) => person))];
const vectorsOf = new Map(
  persons.map(person => [
    person,
    lines.filter(line => line.person === person).map(({ descriptor }) => normalise(descriptor)),
  ]),
);
const half = (person: string) => {
  const all = vectorsOf.get(person) as Float32Array[];
  const count = all.length === 1 ? 1 : Math.floor(all.length / 2);
  return { enrolled: all.slice(0, count), left: all.slice(count), all };
};
const templatesOf = (users: readonly string[]): StoredTemplate[] =>
  users.flatMap(userId =>
    half(userId).enrolled.map((vector, i) => ({ id: `${userId}/${i}`, userId, vector })),
  );
const probes = persons.flatMap(person => {
  const { left, all } = half(person);
  return (left.length > 0 ? left : all).map(vector => ({ person, vector, mated: left.length > 0 }));
});
const others = (person: string) => persons.filter(one => one !== person);
const decide = (users: readonly string[], vector: Float32Array): Expected =>
  reference(templatesOf(users), [vector]);
const isMatch = ({ verdict }: Expected) => verdict === 'match';
const found = identify(people, RULE, 1);

test('every sign-in is tried, the first half of the descriptors is enrolled, five at most', () => {
  assert.is(found.probes, probes.length);
  assert.is(found.templates, templatesOf(persons).length / persons.length);
  assert.equal([0, 1, 2, 3, 4, 9, 10, 11, 50].map(enrolledOf), [0, 1, 1, 1, 2, 4, 5, 5, 5]);
});

test('galleries of 1, 10, 100, … and everybody', () => {
  assert.equal(gallerySizes(0), []);
  assert.equal(gallerySizes(1), [1]);
  assert.equal(gallerySizes(44), [1, 10, 44]);
  assert.equal(gallerySizes(1_000), [1, 10, 100, 1_000]);
  assert.equal(
    found.sizes.map(({ users }) => users),
    [1, 10, 44],
  );
});

test('a gallery of one: FPIR and FNIR as the reference decides, for every sign-in and user', () => {
  const accepted = probes.flatMap(({ person, vector }) =>
    others(person).filter(user => isMatch(decide([user], vector))),
  ).length;
  const [one] = found.sizes;
  assert.equal([one?.fpir?.errors, one?.fpir?.trials], [accepted, probes.length * (persons.length - 1)]);
  const mated = probes.filter(probe => probe.mated);
  const refused = mated.filter(({ person, vector }) => !isMatch(decide([person], vector))).length;
  assert.equal([one?.fnir?.errors, one?.fnir?.trials], [refused, mated.length]);
  assert.is(one?.misidentified, 0);
  assert.ok(accepted > 0 && refused > 0);
});

test('everybody else: FPIR as the reference decides, the margin included', () => {
  const decided = probes.map(({ person, vector }) => decide(others(person), vector));
  const all = found.sizes.at(-1);
  assert.equal([all?.fpir?.errors, all?.fpir?.trials], [decided.filter(isMatch).length, probes.length]);
  assert.ok(
    decided.some(({ verdict }) => verdict === 'ambiguous'),
    'the margin decides some',
  );
});

test('galleries of ten: all three rates are those of galleries drawn anew', () => {
  const size = found.sizes[1];
  const mated = probes.filter(probe => probe.mated);
  const draw = (from: readonly string[], count: number) => {
    const left = [...from];
    return Array.from({ length: count }, () => left.splice(Math.floor(next() * left.length), 1)[0] as string);
  };
  const rounds = 3_000;
  let [accepted, refused, mistaken] = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    const stranger = probes[round % probes.length] as (typeof probes)[number];
    if (isMatch(decide(draw(others(stranger.person), 10), stranger.vector))) accepted++;
    const owner = mated[round % mated.length] as (typeof probes)[number];
    const outcome = decide([owner.person, ...draw(others(owner.person), 9)], owner.vector);
    const own = isMatch(outcome) && outcome.best?.userId === owner.person;
    if (!own) refused++;
    if (!own && isMatch(outcome)) mistaken++;
  }
  const near = (got: number, wanted: number, what: string) =>
    assert.ok(Math.abs(got - wanted) < 0.035, `${what}: ${got}, wanted about ${wanted}`);
  near(size?.fpir?.rate ?? -1, accepted / rounds, 'FPIR');
  near(size?.fnir?.rate ?? -1, refused / rounds, 'FNIR');
  near((size?.misidentified ?? -1) / (size?.fnir?.trials ?? 1), mistaken / rounds, 'as somebody else');
  assert.ok(mistaken > 20, 'it happens');
});

test('galleries of two: who is let in, and as whom, as the reference decides for every pair', () => {
  const counted = { errors: 0, trials: 0, mistaken: 0 };
  const wanted = { errors: 0, trials: 0, mistaken: 0 };
  let heldBack = 0;
  for (let n = 0; n < 300; n++) {
    const three = [0, 1 + (n % 14), 15 + (n % 29)].map(
      step => persons[(n + step) % persons.length] as string,
    );
    const own = lines.filter(({ person }) => three.includes(person));
    const two = identify(gathered(own).people, RULE, 1).sizes.at(-1);
    assert.is(two?.users, 2);
    counted.errors += two?.fnir?.errors ?? 0;
    counted.trials += two?.fnir?.trials ?? 0;
    counted.mistaken += two?.misidentified ?? 0;
    for (const { person, vector } of probes.filter(probe => probe.mated && three.includes(probe.person)))
      for (const other of three.filter(one => one !== person)) {
        const { verdict, best } = decide([person, other], vector);
        wanted.trials++;
        if (verdict !== 'match' || best?.userId !== person) wanted.errors++;
        if (verdict === 'match' && best?.userId === other) wanted.mistaken++;
        if (verdict === 'ambiguous' && best?.userId === other) heldBack++;
      }
  }
  assert.equal(counted, wanted);
  assert.ok(wanted.mistaken > 0 && heldBack > 0, 'the margin refuses some');
});

test('the same seed gives the same, a budget tries fewer', () => {
  assert.equal(identify(people, RULE, 1), found);
  assert.is.not(identify(people, RULE, 2).sizes[1]?.fpir?.errors, found.sizes[1]?.fpir?.errors);
  const templates = templatesOf(persons).length;
  assert.is(identify(people, RULE, 1, { budget: 60 * templates }).probes, 60);
  assert.is(identify(people, RULE, 1, { budget: 1 }).probes, 50, 'never fewer');
});

test('several thresholds at once are each as one alone; the sign-ins are the same', () => {
  const thresholds = [0.35, 0.2];
  const both = identify(people, RULE, 1, { thresholds, sizes: [10, 44] }).sizes;
  const alone = thresholds.flatMap(
    threshold => identify(people, { ...RULE, threshold }, 1, { sizes: [10, 44] }).sizes,
  );
  assert.equal(both, alone);
  assert.equal(
    both.map(({ threshold, users }) => [threshold, users]),
    [0.35, 0.2].flatMap(threshold => [10, 44].map(users => [threshold, users])),
  );
});

test('who enrolls nothing is in no gallery, and all their sign-ins are those of a stranger', () => {
  const outside = (person: number) => person % 3 === 0;
  const enrolled = (count: number, person: number) => (outside(person) ? 0 : enrolledOf(count));
  const { sizes, templates, ...rest } = identify(people, RULE, 1, { enrolled });
  const inside = persons.filter((_, p) => !outside(p));
  assert.is(sizes.at(-1)?.users, inside.length - 1);
  assert.is(templates, templatesOf(inside).length / persons.length);
  const from = (all: typeof probes) => all.filter(({ person }) => inside.includes(person));
  const strangers = persons.filter((_, p) => outside(p)).flatMap(person => half(person).all);
  assert.is(rest.probes, from(probes).length + strangers.length);
  // In galleries of one each is tried with every member, but with themselves.
  const [one] = sizes;
  const accepted = (vector: Float32Array, others: readonly string[]) =>
    others.filter(other => isMatch(decide([other], vector))).length;
  const counted = {
    trials: from(probes).length * (inside.length - 1) + strangers.length * inside.length,
    errors:
      from(probes).reduce(
        (sum, { person, vector }) =>
          sum +
          accepted(
            vector,
            inside.filter(one => one !== person),
          ),
        0,
      ) + strangers.reduce((sum, vector) => sum + accepted(vector, inside), 0),
  };
  assert.equal([one?.fpir?.trials, one?.fpir?.errors], [counted.trials, counted.errors]);
  assert.is(one?.fnir?.trials, from(probes).filter(({ mated }) => mated).length);
});

test('two persons make one gallery, one person none', () => {
  const of = (...names: string[]) => gathered(lines.filter(({ person }) => names.includes(person))).people;
  const two = identify(of('p4', 'p5'), RULE, 1);
  assert.equal(
    two.sizes.map(({ users }) => users),
    [1],
  );
  assert.equal(identify(of('p4'), RULE, 1).sizes, []);
});

test('a scope: so many templates each, this size, sign-ins of these persons alone, as the reference decides', () => {
  const pool = persons.filter(person => (vectorsOf.get(person) as Float32Array[]).length > 2);
  const some = pool.filter((_, i) => i % 3 === 0);
  const stored = (users: readonly string[]): StoredTemplate[] =>
    users.flatMap(userId =>
      (vectorsOf.get(userId) as Float32Array[])
        .slice(0, 1)
        .map((vector, i) => ({ id: `${userId}/${i}`, userId, vector })),
    );
  const tried = some.flatMap(person =>
    (vectorsOf.get(person) as Float32Array[]).slice(1).map(vector => ({ person, vector })),
  );
  const rest = (person: string) => pool.filter(one => one !== person);
  const chosen = gathered(lines.filter(({ person }) => pool.includes(person))).people;
  const users = pool.length - 1;
  const { sizes, probes, templates } = identify(chosen, RULE, 1, {
    enrolled: () => 1,
    sizes: [1, users],
    signsIn: p => some.includes(pool[p] as string),
  });
  assert.equal([probes, templates, sizes.map(size => size.users)], [tried.length, 1, [1, users]]);
  const accepts = (users: readonly string[], vector: Float32Array) =>
    isMatch(reference(stored(users), [vector]));
  const alone = tried.flatMap(({ person, vector }) => rest(person).filter(user => accepts([user], vector)));
  const among = tried.filter(({ person, vector }) => accepts(rest(person), vector));
  const refused = tried.filter(({ person, vector }) => !accepts([person], vector));
  const of = (rate: Rate | null | undefined) => [rate?.errors, rate?.trials];
  assert.equal(of(sizes[0]?.fpir), [alone.length, tried.length * users]);
  assert.equal(of(sizes[0]?.fnir), [refused.length, tried.length]);
  assert.equal(of(sizes[1]?.fpir), [among.length, tried.length]);
  assert.ok(alone.length > 0 && refused.length > 0);
});

test.run();
