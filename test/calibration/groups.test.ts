/** Rates by group: every pair by brute force, groups that differ and groups that do not, and what is left out. */
import * as assert from 'uvu/assert';
import { impostorTally } from '../../src/calibration/comparisons.ts';
import { groupsOf } from '../../src/calibration/groups.ts';
import { Nearest } from '../../src/calibration/look-alikes.ts';
import { calibrate } from '../../src/calibration/report.ts';
import { below, random } from '../matcher/data.ts';
import { exactDistance, normalise } from '../matcher/reference.ts';
import { easyFaces, gathered, hardFaces, type Line, rawFaces } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: groups and look-alikes');
const inGroup = (group: string, lines: readonly Line[]): Line[] =>
  lines.map(line => ({ ...line, person: `${group} ${line.person}`, group }));
const groups = (lines: readonly Line[], wanted: number | null = null) =>
  groupsOf(gathered(lines), 0.35, wanted, 1);
const differences = (lines: readonly Line[]) =>
  groups(lines)?.differences.map(({ group, what }) => `${what} ${group}`);

test('the rates of each group, at both thresholds, as every pair by itself gives', () => {
  const lines = [
    ...inGroup('near', rawFaces(32, 3, 8, 1.1)),
    ...inGroup('hard', hardFaces(31, 2)),
    ...easyFaces(6, 2, 9),
  ];
  const found = groups(lines, 0.5);
  assert.equal(
    found?.groups.map(({ name, persons, descriptors }) => [name, persons, descriptors]),
    [
      ['near', 32, 96],
      ['hard', 31, 62],
    ],
  );
  assert.is(found?.personsWithout, 6);
  for (const group of found?.groups ?? []) {
    const own = lines
      .filter(line => line.group === group.name)
      .map(({ person, descriptor }) => ({ person, vector: normalise(descriptor) }));
    for (const at of [group.atThreshold, group.atWanted]) {
      let [accepted, impostor, refused, genuine] = [0, 0, 0, 0];
      own.forEach((a, i) => {
        for (const b of own.slice(i + 1)) {
          const isBelow = exactDistance(a.vector, b.vector) < (at?.threshold ?? 0);
          if (a.person === b.person) {
            genuine++;
            if (!isBelow) refused++;
          } else {
            impostor++;
            if (isBelow) accepted++;
          }
        }
      });
      assert.equal([at?.fmr?.errors, at?.fmr?.trials], [accepted, impostor]);
      assert.equal([at?.fnmr?.errors, at?.fnmr?.trials], [refused, genuine]);
    }
  }
  assert.equal(
    found?.groups.map(({ atThreshold, atWanted }) => [atThreshold.threshold, atWanted?.threshold]),
    [
      [0.35, 0.5],
      [0.35, 0.5],
    ],
  );
});

test('a group that is refused more, or mixed up more, than the others is reported', () => {
  const plain = inGroup('plain', easyFaces(40, 3));
  const more = inGroup('more', easyFaces(40, 3, 6));
  assert.equal(differences([...plain, ...more]), []);
  const alike = [...inGroup('hard', hardFaces(40, 3)), ...inGroup('hard too', hardFaces(40, 3, 9))];
  assert.equal(differences(alike), [], 'by chance alone');
  assert.equal(differences([...plain, ...inGroup('hard', hardFaces(40, 3))]), ['FNMR hard']);
  assert.equal(differences([...plain, ...inGroup('near', rawFaces(40, 3, 8, 1.4))]), ['FMR near']);
  assert.equal(differences([...plain, ...more, ...inGroup('hard', hardFaces(40, 3))]), ['FNMR hard']);
});

test('groups of few persons have rates, say so, and are compared with nobody', () => {
  const lines = [...inGroup('plain', easyFaces(40, 3)), ...inGroup('few', hardFaces(29, 3))];
  const found = groups(lines);
  assert.equal(
    found?.groups.map(({ name, isFew }) => [name, isFew]),
    [
      ['plain', false],
      ['few', true],
    ],
  );
  assert.equal(
    found?.differences.filter(({ group }) => group === 'few'),
    [],
  );
});

test('a group of one person, or of single descriptors, has no rate of that kind', () => {
  const lines = [...inGroup('one', easyFaces(1, 3)), ...inGroup('single', easyFaces(3, 1, 6))];
  const [single, one] = groups(lines)?.groups ?? [];
  assert.equal([one?.name, one?.atThreshold.fmr, one?.atThreshold.fnmr?.trials], ['one', null, 3]);
  assert.equal(
    [single?.name, single?.atThreshold.fmr?.trials, single?.atThreshold.fnmr],
    ['single', 3, null],
  );
});

test('no group at all is null; of very many the largest fifty are looked at', () => {
  assert.is(groups(easyFaces(5, 2)), null);
  const many = easyFaces(120, 1).map((line, n) => ({ ...line, group: `g${n % 60}` }));
  const some = [...many, ...inGroup('large', easyFaces(4, 1, 6))];
  const found = groups(some);
  assert.equal([found?.groups.length, found?.groupsLeftOut, found?.groups[0]?.name], [50, 11, 'large']);
});

test('groups change nothing of the rest of a report, which is the same for the same seed', () => {
  const options = { rule: { threshold: 0.35, margin: 0.04 }, wantedFmr: 0.01, seed: 1 };
  const lines = [...inGroup('plain', easyFaces(30, 3)), ...inGroup('hard', hardFaces(30, 3))];
  const report = calibrate(gathered(lines), options);
  assert.equal(calibrate(gathered(lines), options), report);
  const without = lines.map(({ person, descriptor }) => ({ person, descriptor }));
  assert.equal({ ...report, groups: null }, calibrate(gathered(without), options));
});

/** What is found where each pair of persons is met so many times, in an order of chance. */
function found(distances: Readonly<Record<string, number>>, persons = 4, threshold = 0.35) {
  const nearest = new Nearest(persons);
  for (let p = 0; p < persons; p++)
    for (let q = p + 1; q < persons; q++) nearest.add(p, q, distances[`${p}${q}`] ?? 0.9);
  return nearest.lookAlikes(threshold);
}

test('near to each other, and everybody else far', () => {
  assert.equal(found({ '01': 0.2 }), [{ persons: [0, 1], distance: 0.2, next: 0.9 }]);
  assert.equal(found({ '13': 0.1, '02': 0.2 }), [
    { persons: [1, 3], distance: 0.1, next: 0.9 },
    { persons: [0, 2], distance: 0.2, next: 0.9 },
  ]);
  assert.equal(found({ '01': 0.35 }), [], 'not below the threshold');
  assert.equal(found({ '01': 0.2, '12': 0.34 }), [], 'another one below the threshold');
  assert.equal(found({ '01': 0.2, '12': 0.36 }).length, 1);
  assert.equal(found({ '01': 0.3, '12': 0.44 }), [], 'another one not much farther');
  assert.equal(found({ '01': 0.3, '12': 0.46 }).length, 1);
});

test('the nearest two persons of each, whatever the order and however often a pair is met', () => {
  const next = random(3);
  for (let round = 0; round < 200; round++) {
    const nearest = new Nearest(6);
    const least = new Map<string, number>();
    for (let n = 0; n < 60; n++) {
      const [p, q] = [below(next, 6), below(next, 6)].sort() as [number, number];
      if (p === q) continue;
      const distance = 0.05 + next() ** 2;
      nearest.add(p, q, distance);
      least.set(`${p}${q}`, Math.min(distance, least.get(`${p}${q}`) ?? 9));
    }
    const others = (p: number, q: number) =>
      Math.min(
        ...[...least]
          .filter(([pair]) => pair !== `${p}${q}` && (pair.includes(`${p}`) || pair.includes(`${q}`)))
          .map(([, d]) => d),
      );
    const wanted = [...least]
      .map(([pair, distance]) => {
        const [p, q] = [...pair].map(Number) as [number, number];
        return { persons: [p, q], distance, next: others(p, q) };
      })
      .filter(({ distance, next: far }) => distance < 0.35 && far >= Math.max(0.35, distance * 1.5))
      .sort((a, b) => a.distance - b.distance);
    assert.equal(nearest.lookAlikes(0.35), wanted);
  }
});

test('ten at most, the closest ones, and those of a sample too', () => {
  const lines = easyFaces(24, 2).map((line, n) =>
    n % 2 ? { ...line, person: `${line.person} again` } : line,
  );
  const options = { rule: { threshold: 0.35, margin: 0.04 }, wantedFmr: 0.01, seed: 1 };
  const { lookAlikes } = calibrate(gathered(lines), options);
  assert.is(lookAlikes.length, 10);
  for (const {
    labels: [a, b],
  } of lookAlikes)
    assert.is(b, `${a} again`);
  const distances = lookAlikes.map(({ distance }) => distance);
  assert.equal(
    distances,
    [...distances].sort((a, b) => a - b),
  );
  const { nearest } = impostorTally(gathered(lines).people, 0.35, 1, 1_000);
  assert.ok(nearest.lookAlikes(0.35).length > 0);
});

test.run();
