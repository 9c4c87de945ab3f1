/**
 * Measures a gallery, case by case. All its engines pass the gate, then take turns on the same queries, so other work
 * on the machine affects all of them alike. A turn is a short burst after untimed searches: a search after another
 * engine's work would mostly measure what that engine has left in the caches.
 */

import { shuffle } from '../../src/calibration/draw.ts';
import { type CoreSpeed, type Cores, stolenTime } from '../cores.ts';
import { leaveOut, Missing } from '../engines/missing.ts';
import { type Engine, type Maker, type Rule, type Turn, unit } from '../engines.ts';
import { median, quantile } from '../measure.ts';
import { progress } from '../progress.ts';
import { Random } from '../random.ts';
import { type Data, DIMENSIONS, probe } from './data.ts';
import { DECISIONS, wrongDecisions } from './decisions.ts';
import { type Asked, asked, type Query, queries } from './expected.ts';
import { type Gallery, gallery } from './gallery.ts';
import { firstFault, isExact, type Judgement, judge } from './gate.ts';
import { named } from './named.ts';
import type { Case, Tuning } from './trials.ts';

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
  /** Decisions that differ from the exact ones, of so many others; null if not counted. */
  readonly wrong: number | null;
  readonly decisions: number;
  /** Templates per search that a finer code had to decide, and that were compared exactly; null if not counted. */
  readonly refined: number | null;
  readonly exact: number | null;
}

type Gated = Judgement & Pick<Measured, 'refined' | 'exact'>;
type Judged = Gated & Pick<Measured, 'wrong' | 'decisions'>;

export interface Memory {
  readonly engine: string;
  readonly settings: string;
  readonly data: Data;
  readonly n: number;
  /** Null if the engine does not report it. */
  readonly bytes_per_template: number | null;
  readonly load_s: number;
  readonly add_us: number | null;
  readonly remove_us: number | null;
}

/** Speed of the machine's cores before and after a case. */
export interface CaseSpeed extends Pick<Measured, 'data' | 'n' | 'q' | 'probes' | 'caches'> {
  readonly before: CoreSpeed;
  readonly after: CoreSpeed;
  /** Share of all cores' time that the hypervisor gave to other machines; null if the system does not report it. */
  readonly stolen: number | null;
}

export interface Outcome {
  readonly measured: Measured[];
  readonly speeds: CaseSpeed[];
  readonly memory: Memory[];
  /** Versions and builds by engine. */
  readonly about: Record<string, string>;
  readonly rules: Record<string, Rule>;
}

export interface RunOptions {
  readonly makers: readonly Maker[];
  readonly names: ReadonlySet<string>;
  readonly settings: readonly Tuning[];
  readonly upkeep: boolean;
  readonly cores: Cores;
}

const UPKEEP_TEMPLATES = 256;

/** A gallery, and the queries of its cases with their right answers. */
export interface Source {
  readonly of: Gallery;
  queries(one: Case): Query[];
  /** At most `count`, for which no right answers are computed here. */
  asked(one: Case, count: number): Asked[];
}

export function seededSource(data: Data, n: number): Source {
  const of = gallery(data, n);
  return {
    of,
    queries: one => queries(of, one.kind, one.q, one.queries),
    asked: (one, count) => asked(of, one.kind, one.q, count),
  };
}

/** @throws Error when an engine that promises exactness is wrong, so that no figure of a wrong search is shown */
export async function runGallery(
  source: Source,
  cases: readonly Case[],
  options: RunOptions,
): Promise<Outcome> {
  const { of } = source;
  const { data, n } = of;
  const engines = await enginesFor(of, options);
  let finished = false;
  try {
    const queriesByCase = new Map(cases.map(one => [one, source.queries(one)]));
    const judged = new Map<Case, Judged[]>();
    console.error(`${n} templates (${data}): checking ${amount(engines.length, 'engine')}`);
    for (const [one, queries] of queriesByCase) {
      const gated = await gate(engines, of, one, queries);
      const asked = one.cold || one.q > 1 ? [] : source.asked(one, DECISIONS);
      const wrong = asked.length > 0 ? await wrongDecisions(engines, of.users, asked) : [];
      judged.set(
        one,
        gated.map((row, i) => ({ ...row, wrong: wrong[i] ?? null, decisions: asked.length })),
      );
    }
    const measured: Measured[] = [];
    const speeds: CaseSpeed[] = [];
    for (const [one, queries] of queriesByCase) {
      console.error(
        `${n} templates (${data}): measuring ${one.q} ${probesOf(one)}${one.cold ? ', cold' : ''}`,
      );
      const before = await options.cores.speed();
      const stolen = stolenTime();
      measured.push(...(await measure(engines, one, queries, judged.get(one) as Judged[])));
      const taken = { stolen: stolen(), before, after: await options.cores.speed() };
      speeds.push({ data, n, q: one.q, probes: probesOf(one), caches: cachesOf(one), ...taken });
    }
    const memory: Memory[] = [];
    for (const engine of engines) memory.push(await memoryOf(engine, of, options.upkeep));
    const about = Object.fromEntries(engines.map(({ name, about }) => [name, about]));
    const rules = Object.fromEntries(engines.map(({ name, rule }) => [name, rule]));
    finished = true;
    return { measured, speeds, memory, about, rules };
  } finally {
    for (const engine of engines)
      await named(engine.name, 'being closed', () => engine.close()).catch(error => {
        // Otherwise the first failure is the one to report.
        if (finished) throw error;
      });
  }
}

async function enginesFor(of: Gallery, { makers, names, settings }: RunOptions): Promise<Engine[]> {
  const engines: Engine[] = [];
  for (const maker of makers) {
    if (!maker.names.some(name => names.has(name))) continue;
    if (of.n > (maker.most ?? of.n)) {
      leaveOut(new Missing(`${maker.names} of ${of.n} templates`, 'it takes too long'));
      continue;
    }
    try {
      engines.push(
        ...(await named(maker.names.join(', '), `loading ${of.n} templates`, () =>
          maker.make(of, { names, settings }),
        )),
      );
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      leaveOut(error);
    }
  }
  return engines;
}

const searchTurn = (engine: Engine, request: Turn) =>
  named(engine.name, `searching ${request.queries[0]?.units.length} probes`, () => engine.turn(request));

export async function gate(
  engines: readonly Engine[],
  of: Gallery,
  { q, kind }: Pick<Case, 'q' | 'kind'>,
  queries: readonly Query[],
): Promise<Gated[]> {
  const order = queries.map((_, i) => i);
  const judged: Gated[] = [];
  for (const engine of engines) {
    engine.work?.();
    const timed = await searchTurn(engine, { queries, warmUp: [], order, cold: false });
    const answers = timed.map(({ answer }) => answer);
    const found = judge(engine.rule, of, queries, answers);
    if (isExact(engine.rule) && found.mismatches > 0)
      throw new Error(
        `${engine.name} is wrong in ${found.mismatches} of ${queries.length} queries ` +
          `(${of.data}, n ${of.n}, q ${q}, ${kind}): no figure is shown; ` +
          firstFault(engine.rule, of, queries, answers),
      );
    const { refined, exact } = engine.work?.() ?? { refined: null, exact: null };
    const each = (count: number | null) => (count === null ? null : count / queries.length);
    judged.push({ ...found, refined: each(refined), exact: each(exact) });
  }
  return judged;
}

async function measure(
  engines: readonly Engine[],
  one: Case,
  queries: readonly Query[],
  judged: readonly Judged[],
): Promise<Measured[]> {
  const { data, n, q, turns, burst, warmUp, warmMs, cold } = one;
  const random = new Random(n, q);
  const turnOf = Uint32Array.from(engines.keys());
  const times = engines.map(() => [] as number[]);
  const shown = progress('measuring', turns);
  for (let turn = 0; turn < turns; turn++) {
    const first = turn * (burst + warmUp);
    const numbers = Array.from({ length: warmUp + burst }, (_, i) => (first + i) % queries.length);
    const [warming, order] = [numbers.slice(0, warmUp), numbers.slice(warmUp)];
    // In another order each time, so that none always runs after the same one.
    shuffle(turnOf, below => random.index(below));
    for (const k of turnOf) {
      const engine = engines[k] as Engine;
      const warm = performance.now() + warmMs;
      while (performance.now() < warm)
        await searchTurn(engine, { queries, warmUp: [], order: warming, cold: false });
      const done = await searchTurn(engine, { queries, warmUp: warming, order, cold });
      times[k]?.push(...done.map(({ ms }) => ms));
    }
    shown.at(turn + 1);
  }
  shown.end();
  return engines.map((engine, i) => ({
    engine: engine.name,
    settings: engine.settings,
    data,
    n,
    q,
    threads: engine.threads,
    probes: probesOf(one),
    caches: cachesOf({ cold }),
    median_ms: median(times[i] ?? []),
    p5_ms: quantile(times[i] ?? [], 0.05),
    p95_ms: quantile(times[i] ?? [], 0.95),
    ...(judged[i] as Judged),
    queries: queries.length,
  }));
}

const probesOf = ({ probes, kind }: Case) => probes ?? kind;
const amount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
const cachesOf = ({ cold }: Pick<Case, 'cold'>) => (cold ? 'cold' : 'warm');

async function memoryOf(engine: Engine, { data, n }: Gallery, upkeep: boolean): Promise<Memory> {
  const extra = upkeep && engine.upkeep ? await engine.upkeep(extraTemplates(data)) : {};
  return {
    engine: engine.name,
    settings: engine.settings,
    data,
    n,
    bytes_per_template: engine.bytes === null ? null : engine.bytes / n,
    load_s: engine.load_s,
    add_us: extra.add_us ?? null,
    remove_us: extra.remove_us ?? null,
  };
}

/** People who are in no gallery, to add and remove. */
function extraTemplates(data: Data): Float32Array {
  const none = new Float32Array();
  const all = new Float32Array(UPKEEP_TEMPLATES * DIMENSIONS);
  for (let i = 0; i < UPKEEP_TEMPLATES; i++)
    all.set(unit(probe(data, none, 'stranger', DECISIONS + i, 0)), i * DIMENSIONS);
  return all;
}
