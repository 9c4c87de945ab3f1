/** How many faces a request shows, which is what limits count. */
import * as assert from 'uvu/assert';
import type { Deps } from '../../src/domain/deps.ts';
import { facesIn } from '../../src/domain/requests.ts';
import { faces } from '../support/client.ts';
import { suite } from '../support/suite.ts';

const test = suite('faces');
const deps = { settings: { matchThreshold: 0.35, matchMargin: 0.04 } } as Deps;
const [a, b, c] = [faces.stranger(1), faces.stranger(2), faces.stranger(3)] as [number[], number[], number[]];
/** Halfway between two strangers: 0.3 from each. */
const between = (x: number[], y: number[]) => x.map((value, i) => value + (y[i] as number));
const scaled = (face: number[], by: number) => face.map(value => value * by);

const CASES: [what: string, descriptors: number[][], faces: number][] = [
  ['one picture', [a], 1],
  ['the same picture twice', [a, a], 1],
  ['two pictures of a person', [faces.genuine(0), faces.genuine(0, 1)], 1],
  ['pictures just within threshold and margin', [faces.genuine(0), faces.atDistance(0, 0.389)], 1],
  ['pictures just beyond', [faces.genuine(0), faces.atDistance(0, 0.391)], 2],
  ['five strangers', [a, b, c, faces.stranger(4), faces.stranger(5)], 5],
  ['two people, three pictures each way', [a, b, scaled(a, 2), scaled(b, 3)], 2],
  ['two ends of a chain, the link last', [a, b, between(a, b)], 1],
  ['a chain of five, ends first', [a, c, b, between(a, b), between(b, c)], 1],
  ['a chain, and somebody else', [a, c, b, between(a, b)], 2],
  ['opposites', [a, scaled(a, -1)], 2],
  ['the largest and the smallest scale', [scaled(a, 1e150), scaled(a, 1e-150), scaled(b, 1e150)], 2],
];
for (const [what, descriptors, expected] of CASES)
  test(`${what}: ${expected}`, () => assert.is(facesIn(deps, { descriptors }), expected));

test.run();
