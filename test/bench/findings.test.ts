/** The five sentences at the end of a search run: computed from its rows, and true when engines are missing. */
import * as assert from 'uvu/assert';
import { Missing } from '../../bench/engines/missing.ts';
import type { Rule } from '../../bench/engines.ts';
import { type Found, findings } from '../../bench/search/findings.ts';
import type { CaseSpeed, Measured, Memory } from '../../bench/search/run.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, findings');
const RULES: Readonly<Record<string, Rule>> = {
  wasm: 'core',
  js: 'exact',
  'faiss-flat': 'exact',
  'faiss-hnsw': 'approximate',
  'c-2bit': 'limit',
};

const row = (engine: string, median_ms: number, rest: Partial<Measured> = {}): Measured => ({
  engine,
  settings: '',
  data: 'easy',
  n: 100_000,
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
  refined: null,
  exact: null,
  ...rest,
});
const stranger = { probes: 'stranger' };
const bytes = (engine: string, each: number | null, n = 100_000): Memory => ({
  engine,
  settings: '',
  data: 'easy',
  n,
  bytes_per_template: each,
  load_s: 0,
  add_us: null,
  remove_us: null,
});
const speed = (alone: number): CaseSpeed => ({
  data: 'easy',
  n: 1,
  q: 1,
  probes: 'genuine',
  caches: 'warm',
  before: { alone, together: 1 },
  after: { alone: 2, together: 1 },
  stolen: null,
});

function found(rest: Partial<Found> = {}): string[] {
  const sentences = findings({
    rows: [row('wasm', 1), row('wasm', 2, stranger)],
    memory: [bytes('wasm', 589.4)],
    speeds: [speed(2), speed(4)],
    machine: { cpu: 'Abacus', cores: 2, node: '26.0.0' },
    rules: RULES,
    leftOut: [],
    wanted: ['wasm'],
    known: ['wasm'],
    file: null,
    ...rest,
  });
  assert.is(sentences.length, 5);
  for (const one of sentences) assert.match(one, /^[A-Z][^\n]*[^.]\.$/);
  assert.not.match(sentences.join(), /NaN|Infinity|undefined|null/);
  return sentences;
}

test('correctness comes first: queries and mismatches of the core, of exact and of approximate engines', () => {
  const rows = [
    row('wasm', 1),
    row('wasm', 1, { ...stranger, queries: 1200 }),
    row('js', 1),
    row('faiss-flat', 1),
    row('faiss-hnsw', 1, { mismatches: 3 }),
    row('c-2bit', 1, { mismatches: 7 }),
  ];
  assert.is(
    found({ rows })[0],
    'The core answered 1,220 queries with 0 mismatches against the float64 reference; plain JavaScript and ' +
      "FAISS's exact search, which promise to be exact, answered 40 queries with 0 mismatches; FAISS's HNSW, which is approximate, missed " +
      'the nearest in 3 of 20.',
  );
  assert.is(found()[0], 'The core answered 40 queries with 0 mismatches against the float64 reference.');
  assert.is(
    found({ rows: [row('js', 1)] })[0],
    'Plain JavaScript, which promises to be exact, answered 20 queries with 0 mismatches.',
  );
  assert.is(found({ rows: [] })[0], 'No engine was measured.');
});

test('ratios are of the largest gallery, one probe, warm, the worse of both kinds of probes', () => {
  const rows = [
    row('wasm', 1),
    row('wasm', 2, stranger),
    row('wasm', 9, { caches: 'cold' }),
    row('wasm', 9, { threads: 2 }),
    row('js', 300),
    row('js', 321, stranger),
    row('js', 1, { n: 10_000 }),
    row('js', 1, { q: 3 }),
    row('js', 1, { data: 'hard' }),
    row('faiss-flat', 16),
    row('faiss-flat', 32, stranger),
    row('c-2bit', 0.1),
    row('mine', 0.5),
    row('mine', 1, stranger),
    row('even', 1.02),
  ];
  const rules = { ...RULES, mine: 'exact', even: 'exact' } as const;
  assert.is(
    found({ rows, rules })[1],
    'With 100,000 templates (easy) and one probe, the core was 160 times faster than plain JavaScript, 16 times ' +
      "faster than FAISS's exact search, as fast as even and 2 times slower than mine.",
  );
});

test('an approximate index is compared at its fastest setting that does the task, by genuine probes, and says so', () => {
  const graph = (settings: string, median_ms: number, recall: number) =>
    row('faiss-hnsw', median_ms, { settings, recall });
  const rows = [row('wasm', 1), row('wasm', 1, stranger), graph('M 16 ef 32', 0.1, 0.899)];
  const good = [
    graph('M 16 ef 64', 0.5, 0.97),
    graph('M 16 ef 128', 0.8, 1),
    { ...graph('M 16 ef 64', 0.1, 0.95), ...stranger },
  ];
  assert.match(
    found({ rows: [...rows, ...good] })[1] ?? '',
    /the core was 2 times slower than FAISS's HNSW \(M 16 ef 64, 97 % found\)\.$/,
  );
  const decided = (settings: string, median_ms: number, wrong: number) => ({
    ...graph(settings, median_ms, 1),
    wrong,
    decisions: 2000,
  });
  assert.match(
    found({ rows: [...rows, decided('M 16 ef 32', 0.2, 3), decided('M 16 ef 64', 4, 2)] })[1] ?? '',
    /4 times faster than FAISS's HNSW \(M 16 ef 64, 2 of 2,000 decisions wrong\)\.$/,
  );
  assert.is(
    found({ rows })[1],
    'With 100,000 templates (easy) and one probe, there is no engine to compare the core with; ' +
      "FAISS's HNSW made too many mistakes, so no ratio is given.",
  );
});

test('where other work disturbed the run, the ratio of the fastest searches stands beside that of the medians', () => {
  const rows = (p5_ms: number) => [
    row('wasm', 1),
    row('js', 77, { p5_ms }),
    row('js', 99, { ...stranger, p5_ms }),
  ];
  const ratio = (p5_ms: number) => found({ rows: [...rows(p5_ms), row('wasm', 1, stranger)] })[1] ?? '';
  assert.match(ratio(16), /77 times faster than plain JavaScript \(16 by the fastest 5 % of searches\)\.$/);
  assert.match(ratio(70), /77 times faster than plain JavaScript\.$/);
});

test('without another engine, or without the core, no ratio is stated', () => {
  const none =
    'The core was not compared with another engine, so this run says nothing about how much faster it is.';
  assert.is(found()[1], none);
  assert.is(found({ rows: [row('js', 1)] })[1], none);
  assert.is(found({ rows: [] })[1], none);
  const smaller = [row('wasm', 1), row('wasm', 1, { n: 10_000 }), row('js', 5, { n: 10_000 })];
  assert.match(
    found({ rows: smaller })[1] ?? '',
    /^With 10,000 templates .* 5 times faster than plain JavaScript\.$/,
  );
});

test('memory is that of the largest gallery, of engines that report it', () => {
  const memory = [bytes('wasm', 754, 10_000), bytes('wasm', 589.4), bytes('js', 516), bytes('mine', null)];
  assert.is(
    found({ memory })[2],
    'The core takes 589 bytes per template, 59 MB for 100,000; plain JavaScript 516.',
  );
  assert.is(found({ memory: [bytes('js', 516)] })[2], 'Bytes per template; plain JavaScript 516.');
  assert.is(found({ memory: [bytes('mine', null)] })[2], 'No engine reported how much memory it takes.');
  assert.is(found({ memory: [] })[2], 'Memory was not measured: that needs the data set easy.');
});

test('the limits name the data, the machine and how unsteady it was', () => {
  assert.is(
    found()[3],
    'This holds for synthetic faces (easy), warm caches and one thread of this machine (Abacus, 2 cores, Node.js ' +
      '26.0.0); one of its cores was up to 2 times faster at one moment of the run than at another, and 20 queries a ' +
      'case do not find rare mistakes.',
  );
  assert.match(found({ file: 'faces.jsonl' })[3] ?? '', /^This holds for the vectors of faces\.jsonl, warm/);
});

test('what was left out is listed by what to do about it; what was not asked for, apart', () => {
  const fix = 'install it with "npm ci --prefix bench"';
  const leftOut = [new Missing('usearch', fix), new Missing('sqlite-vec', fix), new Missing('FAISS', 'pip')];
  assert.is(found({ leftOut })[4], `Left out: usearch and sqlite-vec (${fix}); FAISS (pip).`);
  assert.is(
    found({ leftOut, known: ['wasm', 'js', 'c-f32'] })[4],
    `Left out: usearch and sqlite-vec (${fix}); FAISS (pip); not asked for: js, c-f32.`,
  );
  assert.is(found({ known: ['wasm', 'js'] })[4], 'Not asked for: js.');
  assert.is(found()[4], 'Nothing was left out: every engine took part.');
});

test.run();
