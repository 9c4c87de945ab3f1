/** The whole of a calibration: centring, the wanted FMR and how sure it is, the largest gallery, and what is left open. */
import * as assert from 'uvu/assert';
import { centred, centringVerdict, meanOf } from '../../src/calibration/centring.ts';
import { impostorTally } from '../../src/calibration/comparisons.ts';
import { calibrate, type Report } from '../../src/calibration/report.ts';
import { extrapolatedFpir, extrapolatedUsers } from '../../src/calibration/thresholds.ts';
import { exactDistance, normalise } from '../matcher/reference.ts';
import { easyFaces, gathered, type Line, rawFaces, unit } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: report');
const OPTIONS = { rule: { threshold: 0.35, margin: 0.04 }, wantedFmr: 0.01, seed: 1 };
const report = (lines: readonly Line[], more = {}): Report =>
  calibrate(gathered(lines), { ...OPTIONS, ...more });
const easy = report(easyFaces(60, 4));
const raw = report(rawFaces(60, 4));

test('a good encoder: nobody is taken for another, centring is not needed', () => {
  assert.equal([easy.persons, easy.descriptors, easy.single], [60, 240, 0]);
  assert.equal([easy.impostor.error?.errors, easy.genuine.error?.errors], [0, 0]);
  assert.is(easy.centring?.verdict, 'not needed');
  assert.ok(Math.abs((easy.impostorSpread?.mean ?? 0) - 1) < 0.05);
  for (const { fpir, fnir } of easy.identification) assert.equal([fpir?.errors, fnir?.errors], [0, 0]);
});

test('raw descriptors that lie within 0.25: everybody is everybody, and centring brings them apart', () => {
  assert.ok((raw.impostorSpread?.high ?? 1) < 0.25, 'a set like raw dlib');
  assert.is(raw.impostor.error?.rate, 1);
  assert.is(raw.identification[0]?.fpir?.rate, 1, 'in a gallery of one everybody gets in');
  assert.is(raw.centring?.verdict, 'needed');
  assert.equal([raw.centring?.meanOfOthers, raw.centring?.persons], [true, 30]);
  assert.equal([raw.centring?.fmr.errors, raw.centring?.fnmr?.errors], [0, 0]);
  assert.ok(Math.abs((raw.centring?.impostor.mean ?? 0) - 1) < 0.1);
});

test('half-way: different persons have half of it in common', () => {
  const lines = rawFaces(60, 3, 5, 1);
  const halfway = report(lines);
  assert.is(halfway.centring?.verdict, 'advised');
  assert.ok(Math.abs((halfway.impostorSpread?.mean ?? 0) - 0.5) < 0.1);
});

test('the verdict is needed where the median comparison lies below the threshold', () => {
  const { people } = gathered(rawFaces(30, 2));
  const at = (threshold: number) => centringVerdict(impostorTally(people, threshold, 1), threshold);
  assert.equal([at(0.35), at(0.02)], ['needed', 'advised']);
});

test('the mean is that of the persons, each as much as another, of the descriptors as given', () => {
  const lines = rawFaces(5, 3).filter((_, n) => n !== 1);
  const { people } = gathered(lines);
  const persons = [...new Set(lines.map(({ person }) => person))];
  const means = persons.map(person => {
    const own = lines.filter(line => line.person === person).map(({ descriptor }) => descriptor);
    return own[0]?.map((_, i) => own.reduce((sum, one) => sum + (one[i] as number), 0) / own.length) ?? [];
  });
  meanOf(people).forEach((x, i) => {
    const wanted = means.reduce((sum, mean) => sum + (mean[i] as number), 0) / persons.length;
    assert.ok(Math.abs(x - wanted) < 1e-6, `${x} ${wanted}`);
  });
  // Few persons: their own mean, and it is said.
  const moved = centred(people, 1);
  assert.is(moved.meanOfOthers, false);
  const mean = meanOf(people);
  const wanted = lines.map(({ descriptor }) => normalise(descriptor.map((x, i) => x - (mean[i] as number))));
  wanted.forEach((vector, n) => {
    const got = moved.people.vectors.slice(n * 128, (n + 1) * 128);
    assert.ok(Math.abs(exactDistance(vector, got)) < 1e-6);
  });
});

test('from twenty persons on the mean is that of half of them, and the figures are those of the others', () => {
  const lines = Array.from({ length: 20 }, (_, p) => ({
    person: `p${p}`,
    descriptor: Array.from({ length: 128 }, (_, i) => (i === p ? 1 : 0)),
  }));
  const { people, meanOfOthers } = centred(gathered(lines).people, 1);
  assert.equal([meanOfOthers, people.norms.length], [true, 10]);
  for (let row = 0; row < 10; row++) {
    const vector = people.vectors.slice(row * 128, (row + 1) * 128);
    assert.equal([vector.filter(x => x > 0).length, vector.filter(x => x < 0).length], [1, 10]);
  }
});

test('a wanted FMR: measured, rough, or beyond what so few comparisons can show', () => {
  const { comparisons } = easy.impostor;
  assert.is(comparisons, (240 * 236) / 2);
  const at = (wantedFmr: number) => report(easyFaces(60, 4), { wantedFmr }).wanted;
  assert.equal(
    [at(0.01)?.certainty, at(0.0005)?.certainty, at(1e-6)?.certainty],
    ['measured', 'rough', 'beyond'],
  );
  const wanted = at(0.01);
  assert.ok((wanted?.fmr.rate ?? 1) <= 0.01 && (wanted?.fmr.rate ?? 0) > 0.009);
  assert.ok((wanted?.threshold ?? 0) > 0.7, 'far above the genuine ones');
  assert.is(wanted?.fnmr?.errors, 0);
  const beyond = at(1e-6);
  assert.is(beyond?.fmr.errors, 0);
  assert.ok(beyond?.fmr.none, 'with the rule of three');
});

test('larger galleries by arithmetic from that of one user, up to a million', () => {
  const one = easy.identification[0]?.fpir;
  assert.equal(
    easy.extrapolated.map(({ users }) => users),
    [100, 1_000, 10_000, 100_000, 1_000_000],
  );
  for (const { users, fpir, high } of easy.extrapolated) {
    assert.is(fpir, 0);
    assert.is(high, extrapolatedFpir(one?.high ?? 0, users));
  }
  assert.equal(
    easy.largest.map(({ fpir, users }) => [fpir, users]),
    [
      [0.001, null],
      [0.01, null],
    ],
  );
  for (const { fpir, safeUsers } of easy.largest)
    assert.is(safeUsers, extrapolatedUsers(one?.high ?? 0, fpir));
  assert.equal(
    raw.largest.map(({ users, safeUsers }) => [users, safeUsers]),
    [
      [0, 0],
      [0, 0],
    ],
  );
  assert.is(raw.extrapolated.length, 1, 'once everybody gets in, larger sizes say nothing');
});

test('what cannot be known is null: one person, or one descriptor of each', () => {
  const one = report(easyFaces(1, 4));
  assert.equal([one.impostor.error, one.wanted, one.centring], [null, null, null]);
  assert.equal([one.identification, one.extrapolated, one.largest, one.curve], [[], [], [], []]);
  assert.is(one.genuine.error?.trials, 6);
  const single = report(easyFaces(12, 1));
  assert.equal([single.single, single.genuine.error, single.curve], [12, null, []]);
  assert.ok(single.impostor.error && single.wanted && single.centring);
  for (const { fpir, fnir } of single.identification) assert.ok(fpir && fnir === null);
});

test('the same descriptors and seed give the same report', () => {
  assert.equal(report(easyFaces(60, 4)), easy);
  const shuffled = easyFaces(60, 4).map(({ person, descriptor }) => ({
    person,
    descriptor: unit(descriptor),
  }));
  assert.equal(report(shuffled).impostor.below, easy.impostor.below, 'lengths do not matter');
});

test.run();
