/** What the search bench says of a run: ratios, what fell since it was accepted, targets, plots, the README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fallen, ratiosOf } from '../../bench/search/accepted.ts';
import { plots } from '../../bench/search/plots.ts';
import { replaced } from '../../bench/search/publish.ts';
import type { Measured } from '../../bench/search/run.ts';
import { standings } from '../../bench/search/targets.ts';
import { FULL, QUICK } from '../../bench/search/trials.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: bench, report');

function row(engine: string, median_ms: number, rest: Partial<Measured> = {}): Measured {
  return {
    engine,
    settings: '',
    data: 'easy',
    n: 1_000_000,
    q: 1,
    threads: 1,
    probes: 'genuine',
    caches: 'warm',
    median_ms,
    p5_ms: median_ms,
    p95_ms: median_ms,
    recall: 1,
    mismatches: 0,
    queries: 20,
    refined: engine === 'wasm' ? 100 : null,
    exact: engine === 'wasm' ? 1 : null,
    ...rest,
  };
}

test('a ratio that fell, and a count of work that grew, are seen; small losses are not', () => {
  const accepted = ratiosOf([row('wasm', 2), row('faiss-flat', 60)]);
  assert.is(accepted['easy/1000000/1/genuine/warm/faiss-flat'], 30);
  assert.equal(fallen(accepted, ratiosOf([row('wasm', 2.5), row('faiss-flat', 60)])), []);
  assert.is(fallen(accepted, ratiosOf([row('wasm', 4), row('faiss-flat', 60)])).length, 1);
  assert.is(fallen(accepted, ratiosOf([row('wasm', 2, { refined: 200 })])).length, 1);
  assert.equal(fallen(accepted, {}), []);
});

test('targets are told from the worse of genuine probes and strangers, and left out when a run cannot tell', () => {
  const rows = [
    row('wasm', 2),
    row('faiss-flat', 60),
    row('wasm', 3, { probes: 'stranger' }),
    row('faiss-flat', 60, { probes: 'stranger' }),
    row('hnswlib', 1, { recall: 0.5 }),
    row('hnswlib', 4, { recall: 0.98 }),
  ];
  const told = standings({ measured: rows, held: [] });
  const of = (text: string) => told.find(({ target }) => target.includes(text));
  assert.is(of('Q = 1: times faster than faiss-flat')?.found, '20');
  assert.is(of('Q = 1: times faster than faiss-flat')?.met, 'no');
  assert.is(of('HNSW setting with recall of 0.97')?.found, '2');
  assert.is(of('usearch-exact'), undefined);
});

test('plots are drawn for what was measured, with a point for every figure', () => {
  const rows = [10_000, 100_000].flatMap(n => [
    row('wasm', n / 1e6, { n }),
    row('js', n / 1e4, { n }),
    row('hnswlib', 0.1, { n, recall: 0.95, settings: 'M 16 ef 64' }),
  ]);
  const drawn = plots(rows);
  assert.equal([...drawn.keys()], ['time.svg', 'recall.svg']);
  assert.match(drawn.get('time.svg') ?? '', /<svg[\s\S]*hnswlib, recall ≥ 0.9[\s\S]*<\/svg>/);
  assert.not.match([...drawn.values()].join(''), /NaN|undefined|Infinity/);
});

test('the README has a place for every table, and a table replaces the one before it', () => {
  const text = readFileSync(join(import.meta.dirname, '../../bench/README.md'), 'utf8');
  for (const mark of ['machine', 'targets', 'one probe', 'more probes', 'other data', 'cold', 'upkeep'])
    assert.match(replaced(text, mark, 'PLANTED'), /-->\n\nPLANTED\n\n<!-- end of/);
  assert.throws(() => replaced(text, 'nothing', 'x'), /no place for nothing/);
});

test('the quick plan stops at 100,000 templates, the full one goes to a million', () => {
  const most = (plan: typeof FULL) => Math.max(...plan.cases.map(({ n }) => n));
  assert.is(most(QUICK), 100_000);
  assert.is(most(FULL), 1_000_000);
});

test.run();
