/** The report of a search run: ratios, regressions, targets, plots, and the documents made from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { fingerprint } from '../../bench/fingerprint.ts';
import { plots } from '../../bench/plots.ts';
import { pageWith, replaced } from '../../bench/publish.ts';
import { ratiosOf, regressions } from '../../bench/search/accepted.ts';
import { documents, writePlots } from '../../bench/search/publish.ts';
import type { Measured } from '../../bench/search/run.ts';
import { markedRows } from '../../bench/search/tables.ts';
import { outcomes } from '../../bench/search/targets.ts';
import { FULL, QUICK } from '../../bench/search/trials.ts';
import { tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, report');

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
    wrong: null,
    decisions: 0,
    refined: engine === 'wasm' ? 100 : null,
    exact: engine === 'wasm' ? 1 : null,
    ...rest,
  };
}

test('a ratio that fell, and a count of work that grew, are seen; small losses are not', () => {
  const accepted = ratiosOf([row('wasm', 2), row('faiss-flat', 60)]);
  assert.is(accepted['easy/1000000/1/genuine/warm/faiss-flat'], 30);
  assert.equal(regressions(accepted, ratiosOf([row('wasm', 2.5), row('faiss-flat', 60)])), []);
  assert.is(regressions(accepted, ratiosOf([row('wasm', 4), row('faiss-flat', 60)])).length, 1);
  assert.is(regressions(accepted, ratiosOf([row('wasm', 2, { refined: 200 })])).length, 1);
  assert.equal(regressions(accepted, {}), []);
});

test('a printed row marks an engine that may miss; --plots writes the plots that the run has figures for', () => {
  const rows = [row('wasm', 2), row('faiss-hnsw', 1), row('c-2bit', 1), row('js', 20, { n: 1000 })];
  const rules = { wasm: 'core', 'faiss-hnsw': 'approximate', 'c-2bit': 'limit', js: 'exact' } as const;
  assert.equal(
    markedRows(rows, rules).map(({ engine, ratio }) => `${engine} ${ratio}`),
    ['wasm 1.00', 'faiss-hnsw (inexact) 0.500', 'c-2bit (inexact) 0.500', 'js '],
  );
  const folder = join(tempFolder(), 'plots');
  writePlots(rows, folder);
  assert.equal(readdirSync(folder).sort(), [...plots(rows).keys()].sort());
});

test('targets count the worse of genuine probes and strangers, and are left out when a run did not measure them', () => {
  const rows = [
    row('wasm', 2),
    row('faiss-flat', 60),
    row('wasm', 3, { probes: 'stranger' }),
    row('faiss-flat', 60, { probes: 'stranger' }),
    row('faiss-hnsw', 1, { recall: 0.5 }),
    row('faiss-hnsw', 4, { recall: 0.98 }),
  ];
  const found = outcomes({ measured: rows, memory: [] });
  const of = (text: string) => found.find(({ measure }) => measure.includes(text));
  assert.is(of('one probe: times faster than faiss-flat')?.result, '20');
  assert.is(of('one probe: times faster than faiss-flat')?.met, 'yes');
  assert.is(of('easy data: times faster than the fastest approximate index')?.result, '2');
  assert.is(of('usearch-exact'), undefined);
});

test('plots are drawn for what was measured, with a point for every figure', () => {
  const rows = [10_000, 100_000].flatMap(n => [
    row('wasm', n / 1e6, { n }),
    row('js', n / 1e4, { n }),
    row('faiss-hnsw', 0.1, { n, recall: 0.95, settings: 'M 16, ef 64' }),
  ]);
  const drawn = plots(rows);
  assert.equal([...drawn.keys()], ['time.svg', 'recall.svg']);
  assert.match(drawn.get('time.svg') ?? '', /<svg[\s\S]*faiss-hnsw, tuned[\s\S]*<\/svg>/);
  assert.not.match([...drawn.values()].join(''), /NaN|undefined|Infinity/);
});

const RESULTS = join(import.meta.dirname, '../../bench/results');

test('a run fills every block of its pages with the largest size and the best settings, and nothing else', () => {
  const shown = row('faiss-hnsw', 1.23, { settings: 'SHOWN', recall: 0.98 });
  const rows = [
    row('wasm', 2),
    row('wasm', 4, { caches: 'cold' }),
    row('wasm', 9, { n: 1000, settings: 'SMALL' }),
    row('faiss-hnsw', 1, { settings: 'INEXACT', recall: 0.5 }),
    row('faiss-hnsw', 2, { settings: 'SLOW', recall: 1 }),
    row('faiss-hnsw', 0.1, { settings: 'WRONG', wrong: 3, decisions: 2000 }),
    shown,
  ];
  const report = { rows, memory: [], targets: [], speeds: [], plan: '', peers: { planted: 'PLANTED' } };
  const made = documents({ ...report, machine: fingerprint() });
  assert.equal(
    [...made.keys()].map(file => basename(file)),
    ['README.md', 'search.md'],
  );
  for (const [file, text] of made) {
    const frame = (of: string) =>
      of.replace(/(<!-- (.+): made by .* -->)[\s\S]*?(<!-- end of \2 -->)/g, '$1$3');
    assert.is(frame(text), frame(readFileSync(file, 'utf8')));
  }
  const text = [...made.values()].join('');
  assert.match(text, /- `planted`: PLANTED[\s\S]* genuine +cold +recall /);
  assert.match(text, /\n {4}wasm +easy +1000000 +2\.00 \(1\.00\) +4\.00 \(1\.00\) +1 +100\n/);
  assert.match(text, /faiss-hnsw +SHOWN +easy +1000000 +1\.23 \(0\.615\) +0\.98/);
  assert.not.match(text, /SMALL|INEXACT|SLOW|WRONG/);
});

test('every trial publishes its rows on a page of its own, and keeps what is written around them', () => {
  const rows = [{ n: 10, what: 'PLANTED' }];
  for (const trial of ['calls', 'loading', 'enumeration', 'service', 'parts', 'encoder']) {
    const before = readFileSync(join(RESULTS, `${trial}.md`), 'utf8');
    const [open, close] = [
      `<!-- rows: made by npm run bench -- ${trial} --publish -->`,
      '<!-- end of rows -->',
    ];
    const page = pageWith(trial, rows);
    assert.is(page.split(open)[0], before.split(open)[0]);
    assert.is(page.split(close)[1], before.split(close)[1]);
    assert.match(
      page.slice(page.indexOf(open) + open.length, page.indexOf(close)),
      /^\n\nProcessor: .*; Node\.js \d.*\n\n {5}n {2}what\n {4}10 {2}PLANTED\n\n$/,
    );
  }
  assert.match(
    pageWith('unheard-of', rows),
    /^# unheard-of\n\n<!-- rows: .*PLANTED\n\n<!-- end of rows -->\n$/s,
  );
  assert.throws(
    () => replaced('# x', 'rows', '', 'npm run x'),
    /no block "rows": add <!-- rows: made by npm run x/,
  );
});

test('the quick plan stops at 100,000 templates, the full one goes to a million', () => {
  const most = (plan: typeof FULL) => Math.max(...plan.cases.map(({ n }) => n));
  assert.is(most(QUICK), 100_000);
  assert.is(most(FULL), 1_000_000);
});

test.run();
