/** The rows of the service trial, and its figures compared with the targets. Timings decide nothing. */
import { median } from '../measure.ts';
import type { Row } from '../table.ts';
import type { Delays } from './delay-probe.ts';
import type { Figures, Measured, Side } from './measure.ts';

/** Targets for the largest gallery, and for the event loop with every gallery. */
const TARGETS = { toSmallest: 0.8, toBare: 0.6, loopP99: 25 };
/** A fully loaded server that gets less of its core than this shares it with other programs. */
const MIN_CORE_SHARE = 0.9;

/** One side and its rounds. */
export interface SideRounds {
  readonly side: Side;
  readonly measured: readonly Measured[];
}

/** Results of one kind of load: the services by size, and the bare server. */
export interface Trial {
  readonly load: 'closed' | 'open';
  readonly services: readonly [SideRounds, ...SideRounds[]];
  readonly bare: SideRounds;
}

/** A row for each round and side, then the medians. Ratios are taken within a round; their median is reported. */
export function rowsOf({ load, services, bare }: Trial): Row[] {
  const all = [...services, bare];
  const rounds = bare.measured.map((_, i) => i);
  const row = (
    ran: SideRounds,
    round: string,
    { figures, units, wrong }: Measured,
    of: readonly number[],
  ): Row => ({
    engine: ran.side.engine,
    templates: ran.side.templates,
    load,
    round,
    ...rounded(figures),
    wrong: `${wrong}/${units}`,
    // In the open loop each server has its own rate, so ratios mean nothing.
    to_smallest: load === 'open' || ran === bare ? '' : ratio(ran, services[0], of).toFixed(2),
    to_bare: load === 'open' ? '' : ratio(ran, bare, of).toFixed(2),
  });
  return [
    ...rounds.flatMap(i => all.map(ran => row(ran, String(i + 1), ran.measured[i] as Measured, [i]))),
    ...all.map(ran => row(ran, 'median', medians(ran.measured), rounds)),
  ];
}

/** Only the columns that have a meaning for a server without load. */
export function idleRow({ engine, templates }: Side, { p99, max, utilization }: Delays): Row {
  const figures = { server_busy: utilization, loop_p99_ms: p99, loop_max_ms: max };
  return { engine, templates, load: 'idle', round: '1', ...rounded(figures) };
}

/** The figures next to their targets, as lines. @param idle delays of an event loop without load */
export function targetLines(closed: Trial, open: Trial, idle: Delays): string[] {
  const [smallest, largest] = [closed.services[0], closed.services.at(-1) as SideRounds];
  const name = ({ side }: SideRounds) => `${side.templates} templates`;
  const rounds = largest.measured.map((_, i) => i);
  const share = (to: SideRounds, target: number) =>
    `${ratio(largest, to, rounds).toFixed(2)} (by processor time ` +
    `${cpuRatio(largest, to, rounds).toFixed(2)}; target: ${target} or more)`;
  const coreShare = Math.min(...closed.services.map(ran => medians(ran.measured).figures.server_busy));
  return [
    ...(coreShare < MIN_CORE_SHARE
      ? [
          `other programs used the servers' core, of which the servers got only ${percent(coreShare)}: run again`,
        ]
      : []),
    `sign-ins per second with ${name(largest)}: ${share(smallest, TARGETS.toSmallest)} of those with ${name(smallest)}`,
    `sign-ins per second with ${name(largest)}: ${share(closed.bare, TARGETS.toBare)} of the bare server's units`,
    ...open.services.map(ran => {
      const delays = ran.measured.map(({ figures }) => figures.loop_p99_ms);
      const [middle, worst] = [median(delays), Math.max(...delays)].map(ms => ms.toFixed(1));
      return (
        `open loop, ${name(ran)}: event loop ${middle} ms late (p99), in the worst round ${worst} ms ` +
        `(target: below ${TARGETS.loopP99} ms; idle: ${idle.p99.toFixed(1)} ms)`
      );
    }),
  ];
}

/** Units per second of one side divided by those of another: the median over rounds. */
function ratio(ran: SideRounds, to: SideRounds, rounds: readonly number[]): number {
  const rate = ({ measured }: SideRounds, i: number) => measured[i]?.figures.per_second ?? Number.NaN;
  return median(rounds.map(i => rate(ran, i) / rate(to, i)));
}

/** The same by processor time: the ratio if each had the core to itself. */
function cpuRatio(ran: SideRounds, to: SideRounds, rounds: readonly number[]): number {
  const time = ({ measured }: SideRounds, i: number) => measured[i]?.figures.cpu_us ?? Number.NaN;
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
