/** The galleries of the benches are what bench/README.md says of them: same numbers every time, and these cosines. */
import * as assert from 'uvu/assert';
import { DATA, type Data, DIMENSIONS, probe, templates } from '../../bench/search/data.ts';
import { suite } from '../support/suite.ts';
import { cosine } from './queries.ts';

const test = suite('bench, data');
const N = 3000;
const galleries = new Map(DATA.map(data => [data, templates(data, N)]));
const of = (data: Data) => galleries.get(data) as ReturnType<typeof templates>;
const row = (vectors: Float32Array, i: number) => vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);

function spread(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(square) };
}

/** Cosines of pairs far apart in the gallery, who are different people. */
const impostors = (data: Data) =>
  Array.from({ length: 6000 }, (_, i) => {
    const a = (i * 7) % N;
    return cosine(row(of(data).vectors, a), row(of(data).vectors, (a + 1200 + (i % 500)) % N));
  });

test('the same seed gives the same gallery, and a smaller one is the beginning of a larger one', () => {
  for (const data of DATA) {
    const { vectors, users } = templates(data, 1100);
    assert.equal(vectors, of(data).vectors.slice(0, vectors.length), data);
    assert.equal(users, of(data).users.slice(0, users.length), data);
  }
});

test('every template has norm 1', () => {
  for (const data of DATA)
    for (let i = 0; i < N; i += 37) {
      const norm = Math.hypot(...row(of(data).vectors, i));
      assert.ok(Math.abs(norm - 1) < 1e-6, `${data} ${i}: ${norm}`);
    }
});

test('cosines of different people are those that are promised', () => {
  const promised: readonly [Data, number, number][] = [
    ['faces', 0.149, 0.126],
    ['easy', 0, 0.09],
    ['hard', 0.5, 0.09],
    ['shifted', 0.5, 0.045],
    ['families', 0, 0.09],
  ];
  for (const [data, mean, deviation] of promised) {
    const found = spread(impostors(data));
    assert.ok(Math.abs(found.mean - mean) < 0.012, `${data}: mean ${found.mean}`);
    assert.ok(Math.abs(found.deviation - deviation) < 0.008, `${data}: deviation ${found.deviation}`);
  }
});

test('genuine probes lie where they should, and have any norm from 0.5 to 2', () => {
  const promised = {
    easy: 0.8,
    hard: 0.89,
    shifted: 0.89,
    families: 0.8,
    'near-duplicates': 0.8,
  };
  for (const [data, cosineOfAll] of Object.entries(promised))
    for (let query = 0; query < 20; query++) {
      const made = probe(data, of(data).vectors, 'genuine', query, query % 5);
      const found = cosine(made, row(of(data).vectors, (query * 7919 + 13) % N));
      assert.ok(Math.abs(found - cosineOfAll) < 1e-6, `${data}: ${found}`);
      const norm = Math.hypot(...made);
      assert.ok(norm >= 0.5 && norm <= 2, `${data}: norm ${norm}`);
    }
});

test('faces: template and probes are captures of a person, whose distances vary as those of real photos', () => {
  const { vectors } = of('faces');
  const probes = Array.from({ length: 2000 }, (_, query) => ({
    first: probe('faces', vectors, 'genuine', query, 0),
    second: probe('faces', vectors, 'genuine', query, 1),
    template: row(vectors, (query * 7919 + 13) % N),
  }));
  for (const distances of [
    probes.map(({ first, template }) => 1 - cosine(first, template)),
    probes.map(({ first, second }) => 1 - cosine(first, second)),
  ]) {
    const { mean, deviation } = spread(distances);
    assert.ok(
      Math.abs(mean - 0.233) < 0.005 && Math.abs(deviation - 0.053) < 0.004,
      `${mean} ± ${deviation}`,
    );
  }
});

test('strangers are near nobody where people are told apart well', () => {
  for (const data of ['easy', 'families'] as const)
    for (let query = 0; query < 10; query++) {
      const made = probe(data, of(data).vectors, 'stranger', query, 0);
      let nearest = -1;
      for (let i = 0; i < N; i++) nearest = Math.max(nearest, cosine(made, row(of(data).vectors, i)));
      assert.ok(nearest < 0.5, `${data}: ${nearest}`);
    }
});

test('families: 1 to 3 templates a user, whose cosine is 0.8, and siblings between 0.3 and 0.5', () => {
  const { vectors, users } = of('families');
  const counts = new Map<number, number>();
  for (const user of users) counts.set(user, (counts.get(user) ?? 0) + 1);
  assert.equal([...new Set(counts.values())].sort(), [1, 2, 3]);
  const same: number[] = [];
  const siblings: number[] = [];
  for (let i = 1; i < N; i++) {
    const found = cosine(row(vectors, i), row(vectors, i - 1));
    if (users[i] === users[i - 1]) same.push(found);
    else if (found > 0.25) siblings.push(found);
  }
  assert.ok(Math.abs(spread(same).mean - 0.8) < 0.01, `own templates: ${spread(same).mean}`);
  const { mean } = spread(siblings);
  assert.ok(siblings.length > 500 && Math.abs(mean - 0.4) < 0.03, `siblings: ${siblings.length}, ${mean}`);
});

test('near-duplicates: a thousand to a group, nearly the same, and every hundredth a copy', () => {
  const { vectors } = of('near-duplicates');
  for (let i = 1; i < 1000; i += 13)
    assert.ok(cosine(row(vectors, i), row(vectors, 0)) > 0.995, `template ${i}`);
  assert.equal(row(vectors, 99), row(vectors, 98));
  assert.ok(cosine(row(vectors, 1000), row(vectors, 999)) < 0.6, 'the next group is another one');
});

test.run();
