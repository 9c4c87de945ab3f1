/**
 * Where bytes are and where they are not: removed and dropped templates leave none in the whole memory, growth keeps
 * templates and views, blocks serve again, galleries do not see each other, and the end of memory is an answer.
 * Fails when a slot or block is not zeroed, a view outlives growth, or a gallery scans a block that is not its own.
 */
import * as assert from 'uvu/assert';
import type { Core } from '../../src/adapters/wasm/core.ts';
import { suite } from '../support/suite.ts';
import { capture, facesLike, random, vectors } from './data.ts';
import { codedAs } from './frame.ts';
import { Direct, template } from './harness.ts';
import type { StoredTemplate } from './reference.ts';

const test = suite('matcher memory');
const next = random(51);
/** After the compiler's page and the scratch. */
const FIRST_PAGE = 4;

function people(count: number, prefix = 't'): StoredTemplate[] {
  return vectors(next, count).map((vector, i) => template(`${prefix}${i}`, `u${prefix}${i}`, vector));
}

/**
 * How many of a template's 128 numbers lie anywhere in memory, whatever the layout is, for each of the templates.
 * One or two may be shared with another template by chance.
 */
function traces(direct: Direct, ...templates: Float32Array[]): number[] {
  const present = new Set(new Uint32Array(direct.core.snapshot().buffer));
  return templates.map(t => new Uint32Array(t.slice().buffer).filter(word => present.has(word)).length);
}

/** The same for the probe as given, in double. */
function doubles(direct: Direct, probe: readonly number[]): number {
  const present = new Set(new Float64Array(direct.core.snapshot().buffer));
  return probe.filter(x => present.has(x)).length;
}

test('a removed template is gone from the whole memory, also after searches with it', () => {
  const direct = new Direct();
  const stored = people(200);
  const [gone = stored[0], kept = stored[1]] = [stored[77], stored[78]];
  if (!gone || !kept) throw new Error('no templates');
  direct.change(1, stored);
  assert.equal(traces(direct, gone.vector), [128], 'found before');
  const probe = Array.from(gone.vector, x => x * 1.7);
  direct.search(1, [probe, probe, probe]);
  direct.change(1, [], [gone.id]);
  direct.core.wipe();
  const [of = 0, neighbour] = traces(direct, gone.vector, kept.vector);
  assert.ok(of <= 2, 'gone after');
  assert.is(doubles(direct, probe), 0);
  assert.is(neighbour, 128, 'its neighbour stays');
});

test('an emptied gallery keeps nothing of the template that was in it, no code either', () => {
  const { core } = new Direct();
  const gallery = core.create();
  core.wipe();
  const before = core.snapshot();
  const [vector = new Float32Array(128)] = vectors(next, 1);
  const slot = core.add(gallery, 1, vector, 0);
  core.wipe();
  const differing = () => core.snapshot().reduce((sum, byte, i) => sum + (byte === before[i] ? 0 : 1), 0);
  assert.ok(differing() > 500, 'found before');
  core.remove(gallery, slot);
  core.wipe();
  assert.ok(differing() <= 8, 'counts only');
});

test('a template that is removed at any step of learning leaves nothing that tells what it was', () => {
  // Axes are learned from all but the last one.
  const [one, another, ...others] = facesLike(next, 302, { length: 12 }) as [Float32Array, Float32Array];
  let isMore = true;
  for (let at = 0; isMore; at += 1 + (at % 3)) {
    const [left, same] = [one, another].map(last => {
      const { core } = new Direct();
      const gallery = core.create();
      const slots = [...others, last].map((vector, i) => core.add(gallery, i + 1, vector, 0));
      for (let step = 0; step < at; step++) isMore = core.tend(gallery);
      core.remove(gallery, slots.at(-1) as number);
      while (core.tend(gallery));
      core.wipe();
      return core.snapshot();
    }) as [Uint8Array, Uint8Array];
    assert.is(Buffer.compare(left, same), 0, `removed after ${at} steps`);
  }
});

const ENDS: readonly (readonly [string, (core: Core, gallery: number, slots: readonly number[]) => void])[] =
  [
    ['has learned', () => undefined],
    ['falls below the least size', (core, gallery, slots) => removeAll(core, gallery, slots.slice(60))],
    ['is emptied', removeAll],
    ['is dropped', (core, gallery) => core.drop(gallery)],
  ];

function removeAll(core: Core, gallery: number, slots: readonly number[]): void {
  for (const slot of slots) core.remove(gallery, slot);
}

for (const [name, end] of ENDS) {
  test(`sums and axes are erased when a gallery ${name}, also while it learns`, () => {
    for (const at of [0, 30, 70, 1000]) {
      const { core } = new Direct();
      const gallery = core.create();
      const slots = facesLike(next, 300).map((vector, i) => core.add(gallery, i + 1, vector, 0));
      /** Bytes in pages that are no block's and no coding's, but for the links of free ones. */
      const outside = (isThere = true) => {
        const { buffer } = core.snapshot();
        const { pages, axes } = isThere ? codedAs(buffer, gallery) : { pages: [], axes: [] };
        let count = 0;
        for (let page = FIRST_PAGE; page < buffer.byteLength / 65536; page++)
          if (![...pages, ...axes].includes(page))
            count += new Uint8Array(buffer, page * 65536 + 4, 65532).reduce(
              (sum, x) => sum + (x === 0 ? 0 : 1),
              0,
            );
        return count;
      };
      for (let step = 0; step < at && core.tend(gallery); step++);
      if (at === 1000) assert.is(codedAs(core.snapshot().buffer, gallery).axes.length, 1);
      else if (at > 0) assert.ok(outside() > 10_000, 'found before');
      end(core, gallery, slots);
      if (name !== 'is dropped') while (core.tend(gallery));
      assert.is(outside(name !== 'is dropped'), 0, `after ${at} steps`);
      if (name === 'is dropped') continue;
      const { buffer } = core.snapshot();
      const { coding, other } = codedAs(buffer, gallery);
      const unused = new Uint8Array(buffer, other.at, Math.abs(other.at - coding.at));
      assert.is(unused.findIndex(Boolean), -1, 'a coding that is not in use is erased');
    }
  });
}

test('what a search leaves in the scratch is found before and gone after wiping', () => {
  const direct = new Direct();
  const probe = Array.from(people(1)[0]?.vector ?? []);
  direct.search(0, [probe]);
  assert.is(doubles(direct, probe), 0, 'the probe as given goes at once');
  const left = () => traces(direct, Float32Array.from(probe))[0] ?? 128;
  assert.ok(left() > 100, 'the normalised one is there for the host');
  direct.core.wipe();
  assert.ok(left() <= 2);
});

test('a dropped gallery is gone from the whole memory, and only that one', () => {
  const direct = new Direct();
  const [a, b] = [people(400, 'a'), people(400, 'b')];
  direct.change(1, a);
  direct.change(2, b);
  const ofA = () => traces(direct, ...a.map(({ vector }) => vector));
  assert.ok(
    ofA().every(count => count === 128),
    'found before',
  );
  direct.holdings.drop(1);
  direct.core.wipe();
  assert.ok(Math.max(...ofA()) <= 2, 'gone after');
  direct.verify(2, b, [capture(next, b[399]?.vector ?? new Float32Array(128))]);
  direct.verify(1, [], [Array.from({ length: 128 }, () => 1)]);
});

test('growth over many blocks between searches keeps every template and every view', () => {
  const direct = new Direct();
  const stored: StoredTemplate[] = [];
  const before = direct.core.snapshot().length;
  for (let step = 0; step < 40; step++) {
    const added = people(97, `s${step}.`);
    assert.is(direct.change(1, added).error, undefined);
    stored.push(...added);
    const someone = stored[(step * 131) % stored.length] as StoredTemplate;
    const found = direct.verify(1, stored, [capture(next, someone.vector), capture(next, someone.vector)]);
    assert.is(found.best?.userId, someone.userId);
  }
  assert.ok(direct.core.snapshot().length > before + 2e6, 'the memory has grown');
});

test('blocks of dropped galleries serve again: memory stays flat', () => {
  const direct = new Direct();
  const stored = people(1000);
  direct.change(1, stored);
  direct.holdings.drop(1);
  const size = direct.core.snapshot().length;
  for (let i = 2; i < 30; i++) {
    assert.is(direct.change(i, stored.slice(0, 300)).error, undefined);
    direct.verify(i, stored.slice(0, 300), [capture(next, stored[i]?.vector ?? new Float32Array(128))]);
    if (i > 3) direct.holdings.drop(i - 2);
  }
  assert.is(direct.core.snapshot().length, size);
});

test('blocks of a dropped large gallery serve small ones in parts, and nothing is added', () => {
  const direct = new Direct();
  // More than the small and large blocks that a gallery begins with: it has one of the largest size.
  const stored = people(17_600);
  assert.is(direct.change(1, stored).error, undefined);
  direct.holdings.drop(1);
  const size = direct.core.snapshot().length;
  for (let i = 2; i < 5; i++) assert.is(direct.change(i, stored.slice(0, 2_300)).error, undefined);
  for (let i = 5; i < 25; i++) assert.is(direct.change(i, stored.slice(i, i + 97)).error, undefined);
  assert.is(direct.core.snapshot().length, size, 'nothing was added');
  for (const i of [2, 4, 5, 24]) {
    const own = i < 5 ? stored.slice(0, 2_300) : stored.slice(i, i + 97);
    direct.verify(i, own, [capture(next, own[96]?.vector ?? new Float32Array(128))]);
  }
});

test('room is made for all or for none, whatever sizes of blocks it takes', () => {
  // 23 small, 6 large and 1 huge block make 253 pages; small ones come by the dozen.
  const direct = new Direct({ maxBlocks: 270 });
  const { core } = direct;
  const gallery = core.create();
  assert.not(core.reserve(gallery, 23 * 96 + 6 * 2560 + 10_240 + 1));
  assert.ok(core.reserve(gallery, 23 * 96 + 6 * 2560 + 10_240));
  const [vector = new Float32Array(128)] = vectors(next, 1);
  const size = direct.core.snapshot().length;
  for (let i = 0; i < 23 * 96 + 6 * 2560 + 10_240; i++) assert.ok(core.add(gallery, i + 1, vector, 0));
  assert.is(direct.core.snapshot().length, size, 'it was reserved');
  assert.is(core.add(gallery, 1, vector, 0), 0);
  assert.is(core.bytes(gallery), 253 * 65536);
});

test('slots of removed templates serve again: a gallery that is turned over stays as small as it was', () => {
  const direct = new Direct();
  let stored = people(240);
  const { bytes } = direct.change(1, stored);
  assert.ok(bytes >= 3 * 65536 && bytes < 4 * 65536, '96 templates a block, and their names');
  for (let step = 0; step < 30; step++) {
    const leaving = stored.slice(0, 80).map(({ id }) => id);
    const added = people(80, `s${step}.`);
    const outcome = direct.change(1, added, leaving);
    assert.is(outcome.bytes, bytes);
    assert.is(outcome.templates, 240);
    stored = [...stored.slice(80), ...added];
    direct.verify(1, stored, [capture(next, stored[step]?.vector ?? new Float32Array(128))]);
  }
});

test('galleries that are filled in turns do not see each other', () => {
  const direct = new Direct();
  const all = [1, 2, 3].map(() => [] as StoredTemplate[]);
  for (let step = 0; step < 12; step++) {
    for (const [i, stored] of all.entries()) {
      const added = people(50, `g${i}.${step}.`);
      direct.change(i + 1, added);
      stored.push(...added);
    }
  }
  for (const stored of all) {
    const someone = stored[300] as StoredTemplate;
    all.forEach((other, i) => {
      direct.verify(i + 1, other, [Array.from(someone.vector)]);
    });
  }
});

test('a slot of another gallery, a free slot and a free block are refused', () => {
  const { core } = new Direct();
  const [one, two] = [core.create(), core.create()];
  const [vector = new Float32Array(128)] = vectors(next, 1);
  const slot = core.add(one, 1, vector, 0);
  assert.not(core.remove(two, slot));
  assert.not(core.remove(one, slot + 1));
  assert.is(core.remove(one, slot), 1);
  assert.not(core.remove(one, slot));
  core.drop(two);
  assert.not(core.remove(two, two * 16384));
});

test('at the end of memory a change is refused and the gallery stays as it was', () => {
  const direct = new Direct({ maxBlocks: 5 });
  const stored = people(280);
  assert.is(direct.change(1, stored).error, undefined);
  const before = direct.holdings.sequence(1);
  const outcome = direct.change(1, people(400, 'more'), ['t0', 't1']);
  assert.match(outcome.error ?? '', /no memory/);
  assert.is(outcome.templates, 280);
  assert.is(direct.holdings.sequence(1), before);
  direct.verify(1, stored, [Array.from(stored[0]?.vector ?? [])]);
  assert.match(direct.change(2, people(400, 'new')).error ?? '', /no memory/);
  assert.is(direct.holdings.handle(2), 0);
  // Two blocks are left: enough for this.
  assert.is(direct.change(2, people(190, 'new')).error, undefined);
  assert.match(direct.change(3, people(1, 'last')).error ?? '', /no memory/);
  direct.holdings.drop(2);
  assert.is(direct.change(3, people(1, 'last')).error, undefined);
});

test('a full gallery at the end of memory may still put one template in the place of another', () => {
  const direct = new Direct({ maxBlocks: 2 });
  const stored = people(192);
  assert.is(direct.change(1, stored).error, undefined);
  assert.match(direct.change(1, people(1, 'new')).error ?? '', /no memory/);
  assert.match(direct.change(1, people(1, 'new'), ['unknown']).error ?? '', /no memory/);
  const [fresh] = people(1, 'new') as [StoredTemplate];
  assert.is(direct.change(1, [fresh], ['t9']).error, undefined);
  direct.verify(1, [...stored.filter(({ id }) => id !== 't9'), fresh], [Array.from(fresh.vector)]);
});

test.run();
