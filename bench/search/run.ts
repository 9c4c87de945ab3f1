/**
 * One case after another: all engines of a gallery pass the gate, then they take turns on the same queries, so that
 * whatever else the machine does falls on all of them alike. A turn is a short burst after a few untimed searches: a
 * single call after milliseconds of somebody else's work would measure cold caches more than the search.
 */

import { type CoreSpeed, type Cores, stealing } from '../cores.ts';
import { Missing } from '../engines/missing.ts';
import type { Engine, Maker } from '../engines.ts';
import { median, quantile } from '../measure.ts';
import { Random } from '../random.ts';
import { type Data, templates } from './data.ts';
import { type Query, queries } from './expected.ts';
import { type Gallery, gallery } from './gallery.ts';
import { isExact, type Judgement, judge } from './gate.ts';
import type { GraphSettings } from './graphs.ts';
import type { Case } from './trials.ts';

export interface Measured {
  readonly engine: string;
  readonly settings: string;
  readonly data: Data;
  readonly n: number;
  readonly q: number;
  readonly threads: number;
  readonly probes: string;
  readonly caches: 'warm' | 'cold';
  readonly median_ms: number;
  readonly p5_ms: number;
  readonly p95_ms: number;
  readonly recall: number;
  readonly mismatches: number;
  readonly queries: number;
  /** Templates a search that a finer code had to decide, and that were compared exactly; null where nobody counts. */
  readonly refined: number | null;
  readonly exact: number | null;
}

type Gated = Judgement & Pick<Measured, 'refined' | 'exact'>;

export interface Held {
  readonly engine: string;
  readonly settings: string;
  readonly data: Data;
  readonly n: number;
  readonly bytes_per_template: number;
  readonly load_s: number;
  readonly add_us: number | null;
  readonly remove_us: number | null;
}

/** What the machine's cores gave while a case was measured. */
export interface CaseSpeed extends Pick<Measured, 'data' | 'n' | 'q' | 'probes' | 'caches'> {
  readonly before: CoreSpeed;
  readonly after: CoreSpeed;
  /** Share of all cores' time that other machines got though this one had work; null where the system does not tell. */
  readonly stolen: number | null;
}

export interface Outcome {
  readonly measured: Measured[];
  readonly speeds: CaseSpeed[];
  readonly held: Held[];
  /** Versions and builds by engine. */
  readonly about: Record<string, string>;
}

export interface Wishes {
  readonly makers: readonly Maker[];
  readonly names: ReadonlySet<string>;
  readonly graphs: GraphSettings;
  readonly upkeep: boolean;
  readonly cores: Cores;
}

const UPKEEP_TEMPLATES = 256;
/** Of another seed than any gallery. */
const EXTRA = 100;

/** @throws Error when an engine that promises to be right is wrong: a figure of a wrong search is not shown */
export async function runGallery(
  data: Data,
  n: number,
  cases: readonly Case[],
  wishes: Wishes,
): Promise<Outcome> {
  const of = gallery(data, n);
  const engines = await made(of, wishes);
  try {
    const asked = new Map(cases.map(one => [one, queries(of, one.kind, one.q, one.queries)]));
    const judged = new Map<Case, Gated[]>();
    console.error(`${n} templates (${data}): checking ${engines.length} engines`);
    for (const [one, queries] of asked) judged.set(one, await gate(engines, of, one, queries));
    const measured: Measured[] = [];
    const speeds: CaseSpeed[] = [];
    for (const [one, queries] of asked) {
      console.error(`${n} templates (${data}): measuring ${one.q} ${one.kind}${one.cold ? ', cold' : ''}`);
      const before = await wishes.cores.speed();
      const stolen = stealing();
      measured.push(...(await measure(engines, one, queries, judged.get(one) as Gated[])));
      const taken = { stolen: stolen(), before, after: await wishes.cores.speed() };
      speeds.push({ data, n, q: one.q, probes: one.kind, caches: cachesOf(one), ...taken });
    }
    const held: Held[] = [];
    for (const engine of engines) held.push(await hold(engine, of, wishes.upkeep));
    const about = Object.fromEntries(engines.map(({ name, about }) => [name, about]));
    return { measured, speeds, held, about };
  } finally {
    for (const engine of engines) await engine.close();
  }
}

const told = new Set<string>();

async function made(of: Gallery, { makers, names, graphs }: Wishes): Promise<Engine[]> {
  const engines: Engine[] = [];
  for (const maker of makers) {
    if (!maker.names.some(name => names.has(name))) continue;
    try {
      engines.push(...(await maker.make(of, { names, graphs })));
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      if (!told.has(error.message)) console.error(error.message);
      told.add(error.message);
    }
  }
  return engines;
}

export async function gate(
  engines: readonly Engine[],
  of: Gallery,
  { q, kind }: Pick<Case, 'q' | 'kind'>,
  asked: readonly Query[],
): Promise<Gated[]> {
  const order = asked.map((_, i) => i);
  const judged: Gated[] = [];
  for (const engine of engines) {
    engine.work?.();
    const answers = await engine.turn({ queries: asked, before: [], order, cold: false });
    const found = judge(
      engine.rule,
      of,
      asked,
      answers.map(({ answer }) => answer),
    );
    if (isExact(engine.rule) && found.mismatches > 0)
      throw new Error(
        `${engine.name} is wrong in ${found.mismatches} of ${asked.length} queries (${of.data}, n ${of.n}, q ${q}, ${kind}): no figure is shown`,
      );
    const { refined, exact } = engine.work?.() ?? { refined: null, exact: null };
    const each = (count: number | null) => (count === null ? null : count / asked.length);
    judged.push({ ...found, refined: each(refined), exact: each(exact) });
  }
  return judged;
}

async function measure(
  engines: readonly Engine[],
  { data, n, q, kind, turns, burst, warmUp, cold }: Case,
  asked: readonly Query[],
  judged: readonly Gated[],
): Promise<Measured[]> {
  const times = engines.map(() => [] as number[]);
  for (let turn = 0; turn < turns; turn++) {
    const first = turn * (burst + warmUp);
    const numbers = Array.from({ length: warmUp + burst }, (_, i) => (first + i) % asked.length);
    const [before, order] = [numbers.slice(0, warmUp), numbers.slice(warmUp)];
    // Another one begins each time, so that nobody always follows the same neighbour's traffic.
    for (let i = 0; i < engines.length; i++) {
      const k = (i + turn) % engines.length;
      const done = await (engines[k] as Engine).turn({
        queries: asked,
        before,
        order,
        cold,
      });
      times[k]?.push(...done.map(({ ms }) => ms));
    }
  }
  return engines.map((engine, i) => ({
    engine: engine.name,
    settings: engine.settings,
    data,
    n,
    q,
    threads: engine.threads,
    probes: kind,
    caches: cachesOf({ cold }),
    median_ms: median(times[i] ?? []),
    p5_ms: quantile(times[i] ?? [], 0.05),
    p95_ms: quantile(times[i] ?? [], 0.95),
    ...(judged[i] as Gated),
    queries: asked.length,
  }));
}

const cachesOf = ({ cold }: Pick<Case, 'cold'>) => (cold ? 'cold' : 'warm');

async function hold(engine: Engine, { data, n }: Gallery, upkeep: boolean): Promise<Held> {
  const extra = upkeep && engine.upkeep ? await engine.upkeep(extraTemplates()) : {};
  return {
    engine: engine.name,
    settings: engine.settings,
    data,
    n,
    bytes_per_template: engine.bytes / n,
    load_s: engine.load_s,
    add_us: extra.add_us ?? null,
    remove_us: extra.remove_us ?? null,
  };
}

/** People who are in no gallery, to be added and removed. */
function extraTemplates(): Float32Array {
  const random = new Random(EXTRA);
  const { vectors } = templates('easy', UPKEEP_TEMPLATES);
  const turned = new Float32Array(vectors.length);
  const signs = Array.from({ length: 128 }, () => (random.uniform() < 0.5 ? 1 : -1));
  for (let i = 0; i < vectors.length; i++) turned[i] = (vectors[i] as number) * (signs[i % 128] as number);
  return turned;
}
