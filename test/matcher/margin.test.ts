/**
 * Searches that bring a margin of their own, beside ordinary ones of the same pass, answer as the reference does with that
 * margin: with both builds through the core, through a worker's batch and, with helpers, through the port. Fails when a
 * pass has one margin for all its searches, when a helper does not know it, or when a search keeps that of an earlier one.
 */
import * as assert from 'uvu/assert';
import { VERDICTS } from '../../src/adapters/wasm/core.ts';
import { MIN_TEMPLATES_FOR_HELP, perform } from '../../src/adapters/wasm/perform.ts';
import { createMatcher } from '../../src/adapters/wasm/pool.ts';
import { NUMBERS } from '../../src/adapters/wasm/wire.ts';
import { type GalleryKey, MatcherUnavailable, type SearchResult } from '../../src/ports/matcher.ts';
import { closing } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { Both, rows } from './both.ts';
import { atDistance, below, capture, direction, pick, type Random, random, vectors } from './data.ts';
import { FlatReference } from './flat.ts';
import { same, template } from './harness.ts';
import { named, nameOf, pack } from './names.ts';
import { type Expected, MARGIN, normalise, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher margins of single searches');
/** As a template add asks: everybody within the threshold. */
const WIDE = THRESHOLD + 2e-6;
const MARGINS = [undefined, undefined, WIDE, 0, 0.1, 1];
const settingsWith = (margin: number | undefined) => ({ threshold: THRESHOLD, margin: margin ?? MARGIN });

/** People, and for some of them others at all distances around the threshold. */
function people(next: Random, count: number): StoredTemplate[] {
  const faces = vectors(next, count);
  const around = faces.slice(0, count >> 1).map(face => atDistance(next, face, next() * 0.8));
  return [...faces, ...around].map((vector, i) => template(`t${i}`, `u${i}`, vector));
}

function asked(next: Random, stored: FlatReference): { probes: number[][]; margin: number | undefined } {
  const someone = stored.vector(below(next, stored.size));
  const one = () => (next() < 0.7 ? capture(next, someone, 0.6 + next() * 0.4) : direction(next));
  return { probes: Array.from({ length: 1 + below(next, 3) }, one), margin: pick(next, MARGINS) };
}

/** That the data told something: wide searches that found others beyond the configured margin, and some that did not. */
function telling(outcomes: readonly { margin: number | undefined; expected: Expected }[]): void {
  const wide = outcomes.filter(({ margin }) => margin === WIDE);
  const beyond = wide.filter(
    ({ expected: { verdict, best, otherDistance } }) =>
      verdict === 'ambiguous' && (otherDistance ?? 0) - (best?.distance ?? 0) >= MARGIN,
  );
  assert.ok(
    beyond.length > 5 && wide.some(({ expected }) => expected.verdict === 'match'),
    `${beyond.length}`,
  );
}

for (const size of [90, 3500])
  test(`up to 8 searches of ${size} people in one pass, each with a margin of its own or none`, () => {
    const next = random(701 + size);
    const both = new Both();
    both.change(1, people(next, size));
    const reference = both.reference(1);
    const all: { margin: number | undefined; expected: Expected }[] = [];
    for (let round = 0; round < 60; round++) {
      const searches = Array.from({ length: 1 + below(next, 8) }, () => {
        const { probes, margin } = asked(next, reference);
        return { probes, margin, expected: reference.expected(probes.map(normalise), settingsWith(margin)) };
      });
      all.push(...searches);
      for (const side of both.sides) {
        const { core, holdings, build } = side;
        const handle = holdings.handle(1);
        for (const [n, { probes, margin }] of searches.entries())
          core.ask(n, rows(probes), new Float32Array(640), 0, probes.length, margin);
        core.answer(handle, searches.length);
        for (const [n, { expected }] of searches.entries())
          same(side.reported(n), expected, `${build}, round ${round}`);
      }
      const calls = searches.flatMap(({ probes }) => [1, probes.length]);
      const probes = () => rows(searches.flatMap(search => search.probes));
      const margins = searches.map(({ margin }) => margin ?? null);
      for (const { core, holdings, build } of both.sides) {
        const batch = { calls, probes: probes(), changes: [], margins, helped: false };
        const { numbers } = perform(core, holdings, batch);
        for (const [n, { expected }] of searches.entries()) {
          const [, , verdict = 0, distance = 0, other = 0, user = 0] = numbers.subarray(n * NUMBERS);
          const best = user === 0 ? null : { userId: nameOf(user), distance };
          const otherDistance = other === Number.POSITIVE_INFINITY ? null : other;
          same({ verdict: VERDICTS[verdict] ?? 'none', best, otherDistance }, expected, `${build} batch`);
        }
      }
    }
    telling(all);
  });

test('through the port, with helpers: ordinary searches and those with a margin in the same turns', async () => {
  const next = random(731);
  const stored = people(next, Math.ceil((MIN_TEMPLATES_FOR_HELP * 2) / 3) + 100);
  const reference = new FlatReference();
  reference.change(stored);
  const key: GalleryKey = { appId: 'a', mode: 'live' };
  await using matcher = closing(await createMatcher({ threads: 3, threshold: THRESHOLD, margin: MARGIN }));
  await matcher.apply(key, { from: 0, to: 1, removed: [], added: pack(stored) });
  const all: { margin: number | undefined; expected: Expected }[] = [];
  for (let turn = 0; turn < 15; turn++) {
    const searches = Array.from({ length: 1 + below(next, 12) }, () => asked(next, reference));
    const found = await Promise.all(
      searches.map(({ probes, margin }) => matcher.search(key, probes, margin)),
    );
    for (const [n, { probes, margin }] of searches.entries()) {
      const expected = reference.expected(probes.map(normalise), settingsWith(margin));
      all.push({ margin, expected });
      same(named(found[n] as SearchResult), expected, `turn ${turn}`);
    }
  }
  telling(all);
  const probe = [direction(next)];
  for (const margin of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    await matcher.search(key, probe, margin).then(
      () => assert.unreachable(`${margin} was taken`),
      error => assert.ok(error instanceof RangeError && !(error instanceof MatcherUnavailable)),
    );
});

test.run();
