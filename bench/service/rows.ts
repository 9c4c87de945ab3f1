/** What was measured, as rows of one shape, and what is said of it against what is wanted. Decides nothing by itself. */
import { median } from '../measure.ts';
import type { Row } from '../table.ts';
import type { Delays } from './delay-probe.ts';
import type { Figures, Measured, Side } from './measure.ts';

/** What is wanted of the largest gallery, and of the event loop with each. */
const WANTED = { toSmallest: 0.8, toBare: 0.6, loopP99: 25 };
/** A server that is asked for all it can do, and gets less of its core than this, is not alone on it. */
const OWN_CORE = 0.9;

/** One side and its rounds. */
export interface Ran {
  readonly side: Side;
  readonly measured: readonly Measured[];
}

/** Of one kind of load: the services by size, and the bare server. */
export interface Trial {
  readonly load: 'closed' | 'open';
  readonly services: readonly [Ran, ...Ran[]];
  readonly bare: Ran;
}

/** A row for each round and side, then the medians. A ratio is taken within a round; the median is the ratios'. */
export function rowsOf({ load, services, bare }: Trial): Row[] {
  const all = [...services, bare];
  const rounds = bare.measured.map((_, i) => i);
  const row = (ran: Ran, round: string, { figures, units, wrong }: Measured, of: readonly number[]): Row => ({
    engine: ran.side.engine,
    templates: ran.side.templates,
    load,
    round,
    ...rounded(figures),
    wrong: `${wrong}/${units}`,
    // At a rate of its own choice a server has no ratio.
    to_smallest: load === 'open' || ran === bare ? '' : ratio(ran, services[0], of).toFixed(2),
    to_bare: load === 'open' ? '' : ratio(ran, bare, of).toFixed(2),
  });
  return [
    ...rounds.flatMap(i => all.map(ran => row(ran, String(i + 1), ran.measured[i] as Measured, [i]))),
    ...all.map(ran => row(ran, 'median', medians(ran.measured), rounds)),
  ];
}

/** Has only the columns that say something of a server that is asked nothing. */
export function idleRow({ engine, templates }: Side, { p99, max, utilization }: Delays): Row {
  const figures = { server_busy: utilization, loop_p99_ms: p99, loop_max_ms: max };
  return { engine, templates, load: 'idle', round: '1', ...rounded(figures) };
}

/** What is wanted, and what it is. @param idle how late an event loop was that had nothing to do */
export function told(closed: Trial, open: Trial, idle: Delays): string[] {
  const [smallest, largest] = [closed.services[0], closed.services.at(-1) as Ran];
  const name = ({ side }: Ran) => `${side.templates} templates`;
  const rounds = largest.measured.map((_, i) => i);
  const share = (to: Ran, wanted: number) =>
    `${ratio(largest, to, rounds).toFixed(2)} (by processor time ${cpuRatio(largest, to, rounds).toFixed(2)}; wanted: ${wanted} or more)`;
  const had = Math.min(...closed.services.map(ran => medians(ran.measured).figures.server_busy));
  return [
    ...(had < OWN_CORE
      ? [`other programs were on the servers' core, which got ${percent(had)} of it: run again`]
      : []),
    `sign-ins per second with ${name(largest)}: ${share(smallest, WANTED.toSmallest)} of those with ${name(smallest)}`,
    `sign-ins per second with ${name(largest)}: ${share(closed.bare, WANTED.toBare)} of the bare server's units`,
    ...open.services.map(ran => {
      const delays = ran.measured.map(({ figures }) => figures.loop_p99_ms);
      const [middle, worst] = [median(delays), Math.max(...delays)].map(ms => ms.toFixed(1));
      return `open loop, ${name(ran)}: event loop ${middle} ms late (p99), in the worst round ${worst} ms (wanted: below ${WANTED.loopP99} ms; idle: ${idle.p99.toFixed(1)} ms)`;
    }),
  ];
}

/** Median, over rounds, of how many units a second one side did for each of another's. */
function ratio(ran: Ran, to: Ran, rounds: readonly number[]): number {
  const rate = ({ measured }: Ran, i: number) => measured[i]?.figures.per_second ?? Number.NaN;
  return median(rounds.map(i => rate(ran, i) / rate(to, i)));
}

/** The same of their processor time: what the rates would be, had each the core to itself. */
function cpuRatio(ran: Ran, to: Ran, rounds: readonly number[]): number {
  const time = ({ measured }: Ran, i: number) => measured[i]?.figures.cpu_us ?? Number.NaN;
  return median(rounds.map(i => time(to, i) / time(ran, i)));
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

function medians(all: readonly Measured[]): Measured {
  const names = Object.keys(all[0]?.figures ?? {}) as (keyof Figures)[];
  const figures = Object.fromEntries(
    names.map(name => [name, median(all.map(one => one.figures[name]))]),
  ) as unknown as Figures;
  const sum = (of: 'units' | 'wrong') => all.reduce((total, one) => total + one[of], 0);
  return { figures, units: sum('units'), wrong: sum('wrong') };
}

function rounded(figures: Partial<Figures>): Row {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      Number.isInteger(value) ? value : Number(value.toPrecision(3)),
    ]),
  );
}
