/**
 * What a run of the search bench found, in five sentences: correctness, ratios, memory, the limits of these statements,
 * and what was left out. Made from this run's rows alone. Held by test/bench/report.test.ts.
 */
import type { Missing } from '../engines/missing.ts';
import type { Rule } from '../engines.ts';
import type { Fingerprint } from '../fingerprint.ts';
import type { CaseSpeed, Measured, Memory } from './run.ts';
import { isFit } from './tables.ts';

export interface Found {
  readonly rows: readonly Measured[];
  readonly memory: readonly Memory[];
  readonly speeds: readonly CaseSpeed[];
  readonly machine: Pick<Fingerprint, 'cpu' | 'cores' | 'node'>;
  /** By engine. */
  readonly rules: Readonly<Record<string, Rule>>;
  readonly leftOut: readonly Missing[];
  /** Engines that this run was asked for. */
  readonly wanted: readonly string[];
  /** Engines that exist. */
  readonly known: readonly string[];
  /** Name of the file of `--file`, if the vectors are from there. */
  readonly file: string | null;
}

const CORE = 'wasm';
/** If the ratio of the fastest searches differs by more than this factor, other work disturbed the run. */
const MOST_NOISE = 1.3;
const NAMES: Readonly<Record<string, string>> = {
  js: 'plain JavaScript',
  'usearch-exact': "usearch's exact search",
  'faiss-flat': "FAISS's exact search",
  'faiss-pqfs': "FAISS's PQ index",
  'faiss-hnsw': "FAISS's HNSW",
  scann: 'ScaNN',
  'c-f32': 'the float32 scan in C',
  'c-2bit': 'the 2-bit scan in C',
};
const nameOf = (engine: string) => NAMES[engine] ?? engine;
const count = (n: number) => n.toLocaleString('en');
const enough = (value: number) => count(Number(value.toPrecision(2)));

export function findings(found: Found): string[] {
  return [correctness(found), ratios(found), memory(found), limits(found), leftOut(found)];
}

function correctness({ rows, rules }: Found): string {
  const ofRule = (rule: Rule) => [...new Set(rows.map(row => row.engine))].filter(of => rules[of] === rule);
  const sum = (engines: readonly string[], column: 'queries' | 'mismatches') =>
    rows.filter(row => engines.includes(row.engine)).reduce((total, row) => total + row[column], 0);
  const answers = (engines: readonly string[]) =>
    `${count(sum(engines, 'queries'))} queries with ${count(sum(engines, 'mismatches'))} mismatches`;
  const parts: string[] = [];
  const exact = ofRule('exact');
  if (ofRule('core').length > 0)
    parts.push(`the core answered ${answers([CORE])} against the float64 reference`);
  if (exact.length > 0) {
    const promise = `which promise${exact.length === 1 ? 's' : ''} to be exact`;
    parts.push(`${listed(exact.map(nameOf))}, ${promise}, answered ${answers(exact)}`);
  }
  for (const engine of ofRule('approximate')) {
    const [missed, of] = [sum([engine], 'mismatches'), sum([engine], 'queries')];
    parts.push(
      `${nameOf(engine)}, which is approximate, missed the nearest in ${count(missed)} of ${count(of)}`,
    );
  }
  return sentence(parts.length > 0 ? parts.join('; ') : 'no engine was measured');
}

/** One probe, warm caches, the largest gallery in which the core was compared with anything. */
function ratios({ rows, rules }: Found): string {
  const single = rows.filter(row => row.q === 1 && row.caches === 'warm' && row.threads === 1);
  const peersIn = (n: number) => single.filter(row => row.n === n && row.engine !== CORE);
  const sizes = [...new Set(single.filter(row => row.engine === CORE).map(row => row.n))];
  const n = Math.max(...sizes.filter(size => peersIn(size).length > 0));
  if (!Number.isFinite(n))
    return 'The core was not compared with another engine, so this run says nothing about how much faster it is.';
  const data = single.find(row => row.n === n && row.data === 'faces')?.data ?? peersIn(n)[0]?.data;
  const here = single.filter(row => row.n === n && row.data === data);
  const compared: { name: string; ratio: number }[] = [];
  const unfit: string[] = [];
  for (const engine of new Set(here.map(row => row.engine))) {
    if (engine === CORE || rules[engine] === 'limit') continue;
    const approximate = rules[engine] === 'approximate';
    // An approximate engine is compared by the first kind of probes: it rarely finds the nearest of a stranger.
    const of = here.filter(row => row.engine === engine && (!approximate || row.probes === here[0]?.probes));
    const fit = approximate ? of.filter(isFit) : of;
    if (fit.length === 0) {
      unfit.push(nameOf(engine));
      continue;
    }
    const each = fit.map(row => ({ row, ratio: ratioIn(here, row, 'median_ms') }));
    const { row, ratio } = each.reduce((a, b) => (b.ratio < a.ratio ? b : a));
    const fastest = ratioIn(here, row, 'p5_ms');
    const noisy = Math.max(fastest / ratio, ratio / fastest) > MOST_NOISE;
    const about = [
      ...(approximate ? [row.settings, mistakes(row)] : []),
      noisy ? `${enough(fastest)} by the fastest 5 % of searches` : '',
    ].filter(Boolean);
    const name = about.length > 0 ? `${nameOf(engine)} (${about.join(', ')})` : nameOf(engine);
    compared.push({ name, ratio });
  }
  const said = compared.toSorted((a, b) => b.ratio - a.ratio).map(({ name, ratio }) => speed(ratio, name));
  const where = `with ${count(n)} templates (${data}) and one probe`;
  const rest = unfit.length > 0 ? `; ${listed(unfit)} made too many mistakes, so no ratio is given` : '';
  return sentence(
    said.length > 0
      ? `${where}, the core was ${listed(said)}${rest}`
      : `${where}, there is no engine to compare the core with${rest}`,
  );
}

const mistakes = ({ wrong, decisions, recall }: Measured) =>
  wrong === null ? `${percent(recall)} found` : `${wrong} of ${count(decisions)} decisions wrong`;

/** Time of an engine divided by that of the core on the same probes. */
function ratioIn(rows: readonly Measured[], of: Measured, column: 'median_ms' | 'p5_ms'): number {
  const core = rows.find(row => row.engine === CORE && row.probes === of.probes);
  return of[column] / (core?.[column] ?? Number.NaN);
}

function speed(ratio: number, than: string): string {
  if (ratio >= 1.05) return `${enough(ratio)} times faster than ${than}`;
  if (ratio <= 0.95) return `${enough(1 / ratio)} times slower than ${than}`;
  return `as fast as ${than}`;
}

function memory({ memory }: Found): string {
  if (memory.length === 0) return 'Memory was not measured: that needs the data set faces.';
  const n = Math.max(...memory.map(row => row.n));
  const here = memory.filter(row => row.n === n && row.bytes_per_template !== null);
  const bytes = new Map<string, number>();
  for (const { engine, bytes_per_template: each } of here)
    bytes.set(engine, Math.max(bytes.get(engine) ?? 0, each as number));
  const core = bytes.get(CORE);
  bytes.delete(CORE);
  const others = [...bytes].map(([engine, each]) => `${nameOf(engine)} ${count(Math.round(each))}`);
  if (core === undefined && others.length === 0) return 'No engine reported how much memory it takes.';
  const ours =
    core === undefined
      ? 'bytes per template'
      : `the core takes ${count(Math.round(core))} bytes per template, ${enough((core * n) / 1e6)} MB for ${count(n)}`;
  return sentence(others.length > 0 ? `${ours}; ${listed(others)}` : ours);
}

function limits({ rows, speeds, machine, file }: Found): string {
  const data = [...new Set(rows.map(row => row.data))];
  const vectors = file === null ? `synthetic faces (${listed(data)})` : `the vectors of ${file}`;
  const fewest = Math.min(...rows.map(row => row.queries));
  const alone = speeds.flatMap(({ before, after }) => [before.alone, after.alone]);
  const factor = enough(Math.max(...alone) / Math.min(...alone));
  const varied =
    alone.length > 0
      ? `; one of its cores was up to ${factor} times faster at one moment of the run than at another`
      : '';
  const few = rows.length > 0 ? `, and ${count(fewest)} queries a case do not find rare mistakes` : '';
  const where = `${machine.cpu}, ${machine.cores} cores, Node.js ${machine.node}`;
  return sentence(
    `this holds for ${vectors}, warm caches and one thread of this machine (${where})${varied}${few}`,
  );
}

function leftOut({ leftOut, wanted, known }: Found): string {
  const byFix = Map.groupBy(leftOut, ({ fix }) => fix);
  const parts = [...byFix].map(([fix, of]) => `${listed(of.map(({ what }) => what))} (${fix})`);
  const unasked = known.filter(engine => !wanted.includes(engine));
  const notAsked = unasked.length > 0 ? `not asked for: ${unasked.join(', ')}` : '';
  if (parts.length === 0) return sentence(notAsked || 'nothing was left out: every engine took part');
  return sentence([`left out: ${parts.join('; ')}`, notAsked].filter(Boolean).join('; '));
}

const percent = (share: number) => `${Math.floor(share * 100)} %`;
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const listed = (words: readonly string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
