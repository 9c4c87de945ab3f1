/** Pairs of names that may be one person: against every pair by brute force, and what is no such pair. */
import * as assert from 'uvu/assert';
import { impostorTally } from '../../src/calibration/comparisons.ts';
import { Nearest } from '../../src/calibration/look-alikes.ts';
import { calibrate } from '../../src/calibration/report.ts';
import { below, random } from '../matcher/data.ts';
import { easyFaces, gathered } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: look-alikes');

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
