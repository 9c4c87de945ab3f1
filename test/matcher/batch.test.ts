/**
 * Several searches in one pass answer exactly as each alone, with both builds: through the core (ask, answer, read) and
 * through a worker's batch. Fails when searches of a pass share a floor, a list of candidates or an outcome, when a
 * refused probe leaves something of an earlier search to read, when a pass sees a change that was made after its
 * searches, or when searches beyond the most of one pass are forgotten.
 */
import * as assert from 'uvu/assert';
import { MAX_PROBES, VERDICTS } from '../../src/adapters/wasm/core.ts';
import { perform } from '../../src/adapters/wasm/perform.ts';
import { type Change, NUMBERS } from '../../src/adapters/wasm/wire.ts';
import { suite } from '../support/suite.ts';
import { Both, BUILDS, rows, Side } from './both.ts';
import { below, capture, direction, pick, type Random, random, vectors } from './data.ts';
import { FlatReference } from './flat.ts';
import { same, template } from './harness.ts';
import { nameOf, numberOf, pack } from './names.ts';
import { type Expected, MARGIN, normalise, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher passes of several searches');
const SETTINGS = { threshold: THRESHOLD, margin: MARGIN };
const NO_MATCH: Expected = { verdict: 'none', best: null, otherDistance: null };

function people(next: Random, count: number, prefix: string, mean = 0): StoredTemplate[] {
  return vectors(next, count, mean).map((vector, i) =>
    template(`${prefix}${i}`, `${prefix}u${i >> 1}`, vector),
  );
}

/** 1 to 5 probes: captures of somebody stored, a stranger's, or a mixture. */
function asked(next: Random, stored: FlatReference): number[][] {
  const someone = stored.size > 0 ? stored.vector(below(next, stored.size)) : undefined;
  return Array.from({ length: 1 + below(next, MAX_PROBES) }, () =>
    someone !== undefined && next() < 0.6 ? capture(next, someone, 0.55 + next() * 0.45) : direction(next),
  );
}

/** A probe that is refused. */
function faulty(next: Random): number[] {
  const probe = direction(next);
  if (next() < 0.5) probe[below(next, 128)] = pick(next, [Number.NaN, Infinity, -Infinity]);
  else probe.fill(0);
  return probe;
}

for (const [name, size, mean] of [
  ['a small gallery', 90, 0],
  ['a gallery of many blocks', 5200, 0],
  ['a gallery with a strong common mean', 1500, 1.2],
] as const) {
  test(`1 to 8 searches of ${name} in one pass, refused ones among them`, () => {
    const next = random(401 + size);
    const both = new Both();
    both.change(1, people(next, size, 't', mean));
    const reference = both.reference(1);
    for (let round = 0; round < 40; round++) {
      const searches = Array.from({ length: 1 + below(next, 8) }, () => {
        const probes = asked(next, reference);
        const bad = next() < 0.2 ? below(next, probes.length) : -1;
        if (bad >= 0) probes[bad] = faulty(next);
        const expected = bad >= 0 ? NO_MATCH : reference.expected(probes.map(normalise), SETTINGS);
        return { probes, bad, expected };
      });
      for (const side of both.sides) {
        const { core, holdings, build } = side;
        const handle = holdings.handle(1);
        for (const [n, { probes, bad }] of searches.entries()) {
          // Behind a row of others: only rows of this search may be touched.
          const units = new Float32Array((probes.length + 2) * 128).fill(9);
          const flat = rows([direction(next), ...probes, direction(next)]);
          assert.is(core.ask(n, flat, units, 1, probes.length), bad + 1);
          const own = units.subarray(128, 128 * (1 + probes.length));
          assert.ok(units.every((x, i) => (i >= 128 && i < 128 * (1 + probes.length) ? true : x === 9)));
          if (bad < 0)
            for (const [i, probe] of probes.entries())
              assert.equal(own.slice(i * 128, (i + 1) * 128), normalise(probe));
        }
        core.answer(handle, searches.length);
        for (const [n, { expected }] of searches.entries()) same(side.reported(n), expected, build);
      }
    }
  });
}

test('searches of a pass neither need all places nor see what an earlier pass found', () => {
  const next = random(411);
  const both = new Both();
  both.change(1, people(next, 300, 't'));
  const reference = both.reference(1);
  for (const own of both.sides) {
    const { core, holdings, build } = own;
    const handle = holdings.handle(1);
    const known = reference.vector(17);
    for (let n = 0; n < core.maxSearches; n++) core.ask(n, rows([known]), new Float32Array(128), 0, 1);
    core.answer(handle, core.maxSearches);
    for (let n = 0; n < core.maxSearches; n++) assert.is(own.reported(n).best?.templateId, 't17');
    // An empty gallery, one that is not loaded, and refused probes.
    const empty = core.create();
    for (const [n, gallery] of [0, empty].entries()) {
      core.ask(n, rows([known]), new Float32Array(128), 0, 1);
      core.answer(gallery, n + 1);
      same(own.reported(n), NO_MATCH, build);
    }
    assert.is(core.ask(0, rows([faulty(next)]), new Float32Array(128), 0, 1), 1);
    core.answer(handle, 1);
    same(own.reported(0), NO_MATCH, build);
    core.ask(0, rows([known]), new Float32Array(128), 0, 1);
    core.wipe();
    core.ask(0, rows([known]), new Float32Array(128), 0, 1);
    core.answer(handle, 1);
    assert.is(own.reported(0).verdict, 'match');
  }
});

test('batches of up to 60 calls on four galleries, changes between them, answer as their order says', () => {
  const next = random(421);
  for (const build of BUILDS) {
    const { core, holdings } = new Side(build, SETTINGS);
    const model = [1, 2, 3, 4].map(() => ({ stored: new FlatReference(), sequence: 0 }));
    let count = 0;
    const changed = (gallery: (typeof model)[number]): Change | 'drop' => {
      if (next() < 0.1) {
        gallery.stored.clear();
        gallery.sequence = 0;
        return 'drop';
      }
      const added = people(next, below(next, 60), `${count++}.`, pick(next, [0, 0.6]));
      const removed = gallery.stored.ids.filter(() => next() < 0.15);
      gallery.stored.change(added, removed);
      const from = gallery.sequence++;
      return { from, to: gallery.sequence, removed: removed.map(numberOf), added: pack(added) };
    };
    for (let batch = 0; batch < 25; batch++) {
      const calls: number[] = [];
      const probes: number[][] = [];
      const changes: (Change | 'drop')[] = [];
      const expected: { refused: number; sequence: number; outcome: Expected }[] = [];
      for (let n = 1 + below(next, 60); n > 0; n--) {
        const which = below(next, 5);
        const gallery = model[which];
        if (gallery !== undefined && next() < 0.12) {
          calls.push(which + 1, 0);
          changes.push(changed(gallery));
          continue;
        }
        const stored = gallery?.stored ?? new FlatReference();
        const own = asked(next, stored);
        const bad = next() < 0.1 ? below(next, own.length) : -1;
        if (bad >= 0) own[bad] = faulty(next);
        const outcome = bad >= 0 ? NO_MATCH : stored.expected(own.map(normalise), SETTINGS);
        calls.push(which + 1, own.length);
        probes.push(...own);
        expected.push({ refused: bad + 1, sequence: gallery?.sequence ?? 0, outcome });
      }
      const answer = perform(core, holdings, {
        calls,
        probes: rows(probes),
        changes,
        helped: batch % 2 === 0,
      });
      for (const { error } of answer.outcomes) assert.is(error, undefined);
      assert.is(answer.outcomes.length, changes.length);
      for (const [n, { refused, sequence, outcome }] of expected.entries()) {
        const [wrong, at, verdict, distance = 0, other, user] = answer.numbers.subarray(
          n * NUMBERS,
          (n + 1) * NUMBERS,
        );
        assert.is(wrong, refused);
        assert.is(at, sequence);
        const found: Expected = {
          verdict: VERDICTS[verdict ?? 0] ?? 'none',
          best: user ? { userId: nameOf(user), distance } : null,
          otherDistance: other === Number.POSITIVE_INFINITY ? null : (other ?? null),
        };
        same(found, outcome, `${build}, batch ${batch}, search ${n}`);
      }
    }
  }
});

test.run();
