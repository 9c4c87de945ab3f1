/** Vectors of `--file`: both formats, what becomes gallery and probes, and every fault by file and vector. */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { plainJavaScript } from '../../bench/engines/js.ts';
import { drawn } from '../../bench/files/drawn.ts';
import { readFvecs } from '../../bench/files/fvecs.ts';
import { ownVectors } from '../../bench/files/source.ts';
import { planned } from '../../bench/search/planned.ts';
import { gate } from '../../bench/search/run.ts';
import { between } from '../../src/calibration/people.ts';
import { easyFaces, gathered, textOfLines } from '../support/labelled.ts';
import { ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { cosine, failureOf } from './queries.ts';

const test = suite('bench, files');
const folder = tempFolder();

let files = 0;
function file(content: string | Buffer, ending: string): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(path, content);
  return path;
}
const jsonl = (persons: number, each: number) => file(textOfLines(easyFaces(persons, each)), 'jsonl');

function fvecs(vectors: readonly (readonly number[])[]): Buffer {
  return Buffer.concat(
    vectors.map(vector => {
      const bytes = Buffer.alloc(4 + 4 * vector.length);
      bytes.writeInt32LE(vector.length);
      for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, 4 + 4 * i);
      return bytes;
    }),
  );
}
const faces = (count: number) => easyFaces(count, 1).map(({ descriptor }) => descriptor);

test('.fvecs is read as it is written, in more than one block, and normalised', () => {
  const wanted = faces(5000);
  const { vectors, norms, starts } = readFvecs(file(fvecs(wanted), 'fvecs'));
  assert.is(starts.length, 5001);
  for (let i = 0; i < 5000; i += 123) {
    assert.ok(Math.abs(cosine(wanted[i] ?? [], vectors.subarray(i * 128, (i + 1) * 128)) - 1) < 1e-6);
    assert.ok(Math.abs((norms[i] ?? 0) - Math.hypot(...(wanted[i] ?? []))) < 1e-5);
    assert.ok(Math.abs(between(vectors, i, i)) < 1e-6);
  }
});

test('every fault of an .fvecs file is reported by file and vector', () => {
  const good = faces(3);
  const third = (change: (vector: number[]) => number[]) =>
    fvecs([...good.slice(0, 2), change([...(good[2] ?? [])])]);
  const swapped = fvecs(good);
  swapped.swap32();
  const cases: [Buffer, RegExp][] = [
    [
      third(vector => vector.slice(0, 96)),
      /vector 3 of 3, at byte 1032: its dimension is 96, but must be 128$/,
    ],
    [third(vector => vector.with(4, Number.NaN)), /vector 3 of 3, .*: number 5 is NaN, but must be finite$/],
    [
      third(vector => vector.with(127, Number.NEGATIVE_INFINITY)),
      /number 128 is -Infinity, but must be finite$/,
    ],
    [third(vector => vector.fill(0)), /vector 3 of 3, .*: all its numbers are 0, so it has no direction$/],
    [
      fvecs(good).subarray(0, 1132),
      /vector 3 of 3, .*: the file ends after 100 of its 516 bytes: it is truncated/,
    ],
    [fvecs(good).subarray(0, 1034), /vector 3 of 3, .*: the file ends after 2 of its 516 bytes/],
    [
      swapped,
      /vector 1 of 3, at byte 0: its dimension is -?\d+, .*: the file is big-endian, .fvecs is little-endian$/,
    ],
    [Buffer.alloc(0), /is empty$/],
  ];
  for (const [content, wanted] of cases) {
    const path = file(content, 'fvecs');
    assert.throws(
      () => readFvecs(path),
      (error: Error) => error.message.startsWith(`${path}: `) && wanted.test(error.message),
      String(wanted),
    );
  }
  assert.throws(() => readFvecs(join(folder, 'none.fvecs')), /none\.fvecs: there is no such file$/);
  mkdirSync(join(folder, 'a.fvecs'));
  assert.throws(() => readFvecs(join(folder, 'a.fvecs')), /a\.fvecs: is not a file$/);
});

test('every fault of a .jsonl file is reported by file and line', async () => {
  const good = textOfLines(easyFaces(2, 1));
  const cases: [string, RegExp][] = [
    [`${good}{"person":"x","descriptor":[1]}\n`, /^\S+\.jsonl: line 3: descriptor: /],
    [`${good}nothing\n`, /^\S+\.jsonl: line 3: is not JSON/],
    ['', /^\S+\.jsonl: holds no descriptor$/],
    [textOfLines(easyFaces(1, 3)), /^\S+\.jsonl: must have at least two people/],
  ];
  for (const [text, wanted] of cases) {
    const error = await failureOf(ownVectors(file(text, 'jsonl')));
    assert.match(error.message, wanted);
  }
  const none = await failureOf(ownVectors(join(folder, 'none.jsonl')));
  assert.match(none.message, /^there is no file \S+none\.jsonl$/);
});

test('the first descriptor of a person is enrolled, the others are probes, one person in ten is a stranger', () => {
  const { people } = gathered(easyFaces(40, 4));
  const made = drawn(people);
  assert.equal([made.enrolled, made.strangers, made.others, made.perturbed], [36, 4, 108, false]);
  const row = (i: number) => Array.from(people.vectors.subarray(i * 128, (i + 1) * 128));
  const rowOf = new Map(Array.from({ length: 160 }, (_, i) => [row(i).join(), i]));
  const enrolled = Array.from({ length: 36 }, (_, i) =>
    rowOf.get(Array.from(made.vectors.subarray(i * 128, (i + 1) * 128)).join()),
  ) as number[];
  assert.ok(enrolled.every(i => i % 4 === 0));
  for (const [q, most] of [
    [1, 108],
    [3, 36],
  ] as const) {
    const found = made
      .queries('genuine', q, 1000, 36)
      .map(query => query.map(one => rowOf.get(one.join()) ?? -1));
    assert.is(found.length, most);
    assert.is(new Set(found.flat()).size, most * q, 'no descriptor is used twice');
    for (const rows of found) {
      assert.ok(rows.every(i => i % 4 !== 0 && enrolled.includes(i - (i % 4))));
      assert.is(new Set(rows.map(i => i >> 2)).size, 1, 'probes of a query are of one person');
    }
  }
  const strangers = made
    .queries('stranger', 1, 1000, 36)
    .map(query => rowOf.get((query[0] ?? []).join()) as number);
  assert.is(strangers.length, 16);
  assert.not.ok(strangers.some(i => enrolled.includes(i - (i % 4))));
  const few = made.queries('genuine', 1, 1000, 5).flat();
  assert.is(few.length, 15, 'a smaller gallery has the probes of its own people only');
  assert.is(made.queries('genuine', 1, 7, 36).length, 7);
});

test('where nobody has a second descriptor, templates are perturbed to a cosine of 0.8', () => {
  const made = drawn(gathered(easyFaces(30, 1)).people);
  assert.equal([made.enrolled, made.strangers, made.perturbed], [27, 3, true]);
  for (const [i, [probe]] of made.queries('genuine', 1, 27, 27).entries())
    assert.ok(Math.abs(cosine(probe ?? [], made.vectors.subarray(i * 128, (i + 1) * 128)) - 0.8) < 1e-6);
  assert.equal(made.queries('genuine', 3, 27, 27), []);
  assert.equal(made.queries('genuine', 1, 5, 27), made.queries('genuine', 1, 5, 27), 'seeded');
});

test('both formats become cases whose right answers an exact engine gives; copies are private and removed', async () => {
  const kinds: [string, string[], RegExp][] = [
    [
      jsonl(60, 4),
      ['1 genuine', '1 stranger', '3 genuine', '3 stranger'],
      /^\d+\.jsonl: the gallery is the first descriptor of each of 54 people; genuine probes are taken from their 162 other descriptors; strangers are 6 people that are not in the gallery$/,
    ],
    [
      file(fvecs(faces(60)), 'fvecs'),
      ['1 perturbed', '1 held-out'],
      /^\d+\.fvecs: the gallery is 54 vectors; perturbed probes are .* cosine of 0\.8; held-out probes are 6 vectors that/,
    ],
  ];
  for (const [path, wanted, about] of kinds) {
    const vectors = await ownVectors(path);
    assert.match(vectors.about, about);
    const cases = vectors.cases(54, true);
    assert.equal(
      cases.map(({ q, probes }) => `${q} ${probes}`),
      wanted,
    );
    const { of, queries } = vectors.source(54);
    assert.is(statSync(of.folder).mode & 0o777, 0o700);
    assert.equal(readdirSync(of.folder).sort(), ['54.f32', '54.u32']);
    const engines = await plainJavaScript.make(of, { names: new Set(), settings: [] });
    for (const one of cases) {
      const asked = queries(one);
      assert.is(asked.length, one.queries);
      const [judged] = await gate(engines, of, one, asked);
      assert.is(judged?.recall, 1);
    }
    vectors.close();
    assert.not.ok(existsSync(of.folder));
  }
});

test('sizes take the first so many templates, and no more than there are', async () => {
  const path = jsonl(20, 2);
  const options = { quick: true, check: false, accept: false, publish: false, buildGraphs: false, own: [] };
  const plan = await planned({ ...options, file: path, sizes: [5, 18] });
  assert.equal(
    plan.galleries.map(({ n, memory }) => [n, memory]),
    [
      [5, true],
      [18, true],
    ],
  );
  const [small, all] = plan.galleries.map(one => one.source().of);
  assert.equal(small?.vectors, all?.vectors.slice(0, 5 * 128));
  plan.vectors?.close();
  assert.not.ok(existsSync(dirname(small?.vectorsFile ?? '')));
  const error = await failureOf(planned({ ...options, file: path, sizes: [19] }));
  assert.match(error.message, /^--sizes: 19 is more than \d+\.jsonl has: its gallery has 18 templates$/);
});

test('a folder in the temporary folder gets a name of its own for every run, which nobody can take first', () => {
  const exclude = (name: string) => name === 'node_modules';
  const uses = globSync('bench/**/*.ts', { cwd: ROOT, exclude }).flatMap(file =>
    Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(/.{0,30}tmpdir\(\)/g), ([use]) => use),
  );
  assert.ok(uses.length > 0);
  for (const use of uses) assert.match(use, /mkdtempSync\(join\(tmpdir\(\)$/);
});

test.run();
