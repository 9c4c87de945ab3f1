/**
 * The search trial: the core against a plain JavaScript loop on the same galleries and probes. Every query is checked
 * against the float64 reference of the tests before anything is timed; README.md defines the columns.
 */
import { syntheticFaces } from '../src/sdk/browser/testing.ts';
import { reference } from '../test/matcher/reference.ts';
import { type Answer, type Engine, jsEngine, unit, wasmEngine } from './engines.ts';
import { interleaved } from './measure.ts';
import type { Row } from './table.ts';

/** What is run: every size with every number of probes and both kinds of them. */
const SIZES = [
  { n: 10_000, queries: 40, warmUp: 10, turns: 40 },
  { n: 100_000, queries: 10, warmUp: 1, turns: 7 },
];
const PROBES = [1, 3, 5];
const KINDS = ['genuine', 'stranger'] as const;

const DIMENSIONS = 128;
const faces = syntheticFaces(2024);

export async function search(): Promise<Row[]> {
  const largest = Math.max(...SIZES.map(({ n }) => n));
  console.error(`making ${largest} templates`);
  const all = new Float32Array(largest * DIMENSIONS);
  for (let i = 0; i < largest; i++) all.set(unit(faces.genuine(i)), i * DIMENSIONS);
  const rows: Row[] = [];
  for (const size of SIZES) {
    const gallery = all.subarray(0, size.n * DIMENSIONS);
    const engines = [await wasmEngine(gallery), jsEngine(gallery)];
    for (const kind of KINDS) for (const q of PROBES) rows.push(...trial(engines, gallery, kind, q, size));
  }
  return rows;
}

function trial(
  engines: readonly Engine[],
  gallery: Float32Array,
  kind: (typeof KINDS)[number],
  q: number,
  { n, queries, warmUp, turns }: (typeof SIZES)[number],
): Row[] {
  console.error(`${n} templates, ${q} ${kind} probes: checking, then measuring`);
  const asked = Array.from({ length: queries }, (_, i) => ask(kind, n, q, i));
  const checks = check(engines, gallery, asked);
  const runs = engines.map(engine => (call: number) => {
    engine.search(asked[call % queries] as number[][]);
  });
  const medians = interleaved(runs, warmUp, turns);
  const slowest = Math.max(...medians);
  return engines.map(({ name }, i) => ({
    engine: name,
    data: 'easy',
    n,
    q,
    threads: 1,
    probes: kind,
    median_ms: medians[i] as number,
    ratio: slowest / (medians[i] as number),
    recall: checks[i]?.recall as number,
    mismatches: checks[i]?.mismatches as number,
    queries,
  }));
}

/** The probes of one query: new captures of one person of the gallery, or of people who are not in it. */
function ask(kind: (typeof KINDS)[number], n: number, q: number, query: number): number[][] {
  const person = (query * 7919 + 13) % n;
  return Array.from({ length: q }, (_, i) =>
    kind === 'genuine' ? faces.genuine(person, i + 1) : faces.stranger(query * q + i),
  );
}

/** @throws Error when an engine is wrong about anything: a figure of a wrong search is not shown */
function check(engines: readonly Engine[], gallery: Float32Array, asked: readonly number[][][]) {
  const stored = Array.from({ length: gallery.length / DIMENSIONS }, (_, i) => ({
    id: String(i),
    userId: String(i),
    vector: gallery.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS),
  }));
  const expected = asked.map(probes => reference(stored, probes.map(unit)));
  return engines.map(engine => {
    const answers = asked.map(probes => engine.search(probes));
    const found = answers.filter((answer, i) => String(answer.template) === expected[i]?.best?.templateId);
    const wrong = answers.filter((answer, i) => !agrees(answer, expected[i]));
    if (wrong.length > 0)
      throw new Error(`${engine.name} is wrong in ${wrong.length} of ${asked.length} queries`);
    return { recall: found.length / asked.length, mismatches: wrong.length };
  });
}

function agrees(answer: Answer, expected: ReturnType<typeof reference> | undefined): boolean {
  if (!expected?.best || expected.otherDistance === null) return false;
  return (
    String(answer.template) === expected.best.templateId &&
    Math.abs(answer.distance - expected.best.distance) <= 1e-6 &&
    Math.abs(answer.otherDistance - expected.otherDistance) <= 1e-6
  );
}
