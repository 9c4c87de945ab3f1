/**
 * The four verdicts on both sides of every boundary, with numbers whose distances are exact doubles. Fails when a
 * comparison is turned round or takes its boundary to the wrong side, or when the settings are compiled in.
 */
import * as assert from 'uvu/assert';
import type { Verdict } from '../../src/ports/matcher.ts';
import { suite } from '../support/suite.ts';
import { Direct, template } from './harness.ts';

const test = suite('matcher verdicts');

const PROBE = [1, ...new Array<number>(127).fill(0)];

/** A vector at exactly this distance from PROBE, each in a plane of its own. */
function at(distance: number, plane: number): Float32Array {
  const v = new Float32Array(128);
  v[0] = 1 - distance;
  v[plane] = Math.sqrt(1 - (v[0] as number) ** 2);
  return v;
}

/** With threshold 0.5 and margin 0.25: distances of different users, and what follows. */
const cases: [string, number[], Verdict][] = [
  ['nobody', [], 'none'],
  ['alone and near', [0.25], 'match'],
  ['alone, just below the threshold', [0.5 - 2 ** -20], 'match'],
  ['alone, at the threshold', [0.5], 'near'],
  ['alone, just below threshold + margin', [0.75 - 2 ** -20], 'near'],
  ['alone, at threshold + margin', [0.75], 'none'],
  ['the other exactly a margin away', [0.25, 0.5], 'match'],
  ['the other just inside the margin', [0.25, 0.5 - 2 ** -20], 'ambiguous'],
  ['the other at the same distance', [0.25, 0.25], 'ambiguous'],
  ['the nearer one is stored last', [0.875, 0.5, 0.25], 'match'],
  ['at the threshold with another inside the margin', [0.5, 0.5625], 'near'],
  ['the other inside the margin is above the threshold', [0.4375, 0.625], 'ambiguous'],
];

for (const [name, distances, verdict] of cases) {
  test(`${name}: ${verdict}`, () => {
    const settings = { threshold: 0.5, margin: 0.25 };
    const direct = new Direct(settings);
    const stored = distances.map((distance, i) => template(`t${i}`, `u${i}`, at(distance, i + 1)));
    direct.change(1, stored);
    const found = direct.verify(1, stored, [PROBE], settings);
    assert.is(found.verdict, verdict);
    const sorted = [...distances].sort((a, b) => a - b);
    assert.is(found.best?.distance, verdict === 'none' ? undefined : sorted[0]);
    assert.is(found.otherDistance, verdict === 'ambiguous' ? sorted[1] : null);
  });
}

test('threshold and margin are settings of the instance', () => {
  const stored = [template('t', 'u', at(0.25, 1)), template('x', 'v', at(0.375, 2))];
  const verdictWith = (threshold: number, margin: number) => {
    const direct = new Direct({ threshold, margin });
    direct.change(1, stored);
    return direct.verify(1, stored, [PROBE], { threshold, margin }).verdict;
  };
  assert.is(verdictWith(0.3, 0.125), 'match');
  assert.is(verdictWith(0.3, 0.126), 'ambiguous');
  assert.is(verdictWith(0.25, 0.01), 'near');
  assert.is(verdictWith(0.2, 0.05), 'none');
});

test.run();
