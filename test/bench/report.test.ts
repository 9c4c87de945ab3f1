/** The report of a search run: ratios, regressions, targets, sentences, plots, and the documents made from it. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Rule } from '../../bench/engines.ts';
import { fingerprint } from '../../bench/fingerprint.ts';
import { plots } from '../../bench/plots.ts';
import { pageWith, replaced } from '../../bench/publish.ts';
import { ratiosOf, regressions } from '../../bench/search/accepted.ts';
import { findings } from '../../bench/search/findings.ts';
import { documents } from '../../bench/search/publish.ts';
import type { Measured } from '../../bench/search/run.ts';
import { outcomes } from '../../bench/search/targets.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, report');

function row(engine: string, median_ms: number, rest: Partial<Measured> = {}): Measured {
  return {
    engine,
    settings: '',
    data: 'faces',
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

const STRANGER = { probes: 'stranger' };

test('a ratio that fell, and a count of work that grew, are seen; small losses are not', () => {
  const accepted = ratiosOf([row('wasm', 2), row('faiss-flat', 60)]);
  assert.is(accepted['faces/1000000/1/genuine/warm/faiss-flat'], 30);
  assert.equal(regressions(accepted, ratiosOf([row('wasm', 2.5), row('faiss-flat', 60)])), []);
  assert.is(regressions(accepted, ratiosOf([row('wasm', 4), row('faiss-flat', 60)])).length, 1);
  assert.is(regressions(accepted, ratiosOf([row('wasm', 2, { refined: 200 })])).length, 1);
  assert.equal(regressions(accepted, {}), []);
});

test('targets count the worse of genuine probes and strangers, and are left out when a run did not measure them', () => {
  const rows = [
    row('wasm', 2),
    row('faiss-flat', 60),
    row('wasm', 3, { probes: 'stranger' }),
    row('faiss-flat', 60, { probes: 'stranger' }),
    row('faiss-hnsw', 1, { wrong: 1, decisions: 2000 }),
    row('faiss-hnsw', 4, { wrong: 0, decisions: 2000 }),
    row('wasm', 2, { n: 10_000, ...STRANGER, refined: 151 }),
  ];
  const found = outcomes({ measured: rows, memory: [] });
  const of = (text: string) => found.find(({ measure }) => measure.includes(text));
  assert.is(of('one probe: times faster than faiss-flat')?.result, '20');
  assert.is(of('one probe: times faster than faiss-flat')?.met, 'yes');
  assert.is(of('faces: times the speed of the fastest approximate index without a wrong')?.result, '2');
  assert.is(of('second looks')?.met, 'no');
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

/** The first two sentences at the end of a run: what was wrong, and how much faster the core is. */
function found(rows: readonly Measured[], more: Readonly<Record<string, Rule>> = {}): string[] {
  const sentences = findings({
    ...{ rows, memory: [], speeds: [], leftOut: [], wanted: ['wasm'], known: ['wasm'], file: null },
    machine: { cpu: 'Abacus', cores: 2, node: '26.0.0' },
    rules: { wasm: 'core', js: 'exact', 'faiss-hnsw': 'approximate', 'c-2bit': 'limit', ...more },
  });
  assert.not.match(sentences.join(), /NaN|Infinity|undefined|null/);
  return sentences;
}

test('correctness comes first: queries and mismatches of the core, of exact and of approximate engines', () => {
  const [core, wrong] = [row('wasm', 1), row('faiss-hnsw', 1, { mismatches: 3 })];
  assert.is(
    found([core, row('wasm', 1, { ...STRANGER, queries: 1200 }), row('js', 1), wrong, row('c-2bit', 1)])[0],
    'The core answered 1,220 queries with 0 mismatches against the float64 reference; plain JavaScript, which ' +
      "promises to be exact, answered 20 queries with 0 mismatches; FAISS's HNSW, which is approximate, missed the nearest in 3 of 20.",
  );
  assert.is(found([])[0], 'No engine was measured.');
});

test('ratios are of the largest gallery, one probe, warm, the worse of both kinds of probes', () => {
  const rows = [
    ...[row('wasm', 1), row('wasm', 2, STRANGER)],
    ...[row('wasm', 9, { caches: 'cold' }), row('wasm', 9, { threads: 2 })],
    ...[row('js', 300), row('js', 321, STRANGER), row('js', 1, { n: 10_000 }), row('js', 1, { q: 3 })],
    ...[row('js', 1, { data: 'hard' }), row('c-2bit', 0.1), row('mine', 0.5), row('mine', 1, STRANGER)],
  ];
  assert.is(
    found(rows, { mine: 'exact' })[1],
    'With 1,000,000 templates (faces) and one probe, the core was 160 times faster than plain JavaScript and 2 times slower than mine.',
  );
});

test('an approximate index is compared at its fastest setting that does the task, and says so', () => {
  const graph = (settings: string, median_ms: number, wrong: number) =>
    row('faiss-hnsw', median_ms, { settings, wrong, decisions: 2000 });
  const rows = [row('wasm', 1), row('wasm', 1, STRANGER), graph('M 16 ef 32', 0.2, 1)];
  assert.match(
    found([...rows, graph('M 16 ef 64', 4, 0), graph('M 16 ef 128', 5, 0)])[1] ?? '',
    /4 times faster than FAISS's HNSW \(M 16 ef 64, 0 of 2,000 decisions wrong\)\.$/,
  );
  assert.match(
    found(rows)[1] ?? '',
    /no engine to compare .*HNSW made too many mistakes, so no ratio is given/,
  );
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
  assert.match(text, /\n {4}wasm +faces +1000000 +2\.00 \(1\.00\) +4\.00 \(1\.00\) +1 +100\n/);
  assert.match(text, /faiss-hnsw +SHOWN +faces +1000000 +1\.23 \(0\.615\) +0\.98/);
  assert.not.match(text, /SMALL|INEXACT|SLOW|WRONG/);
});

test('every trial publishes its rows on a page of its own, and keeps what is written around them', () => {
  const rows = [{ n: 10, what: 'PLANTED' }];
  for (const trial of ['calls', 'loading', 'enumeration', 'service', 'encoder']) {
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

test.run();
