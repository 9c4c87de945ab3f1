/** One fault below the load: what happens to the primary, until everything is whole again; and what it looked like. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, killPostgres, stopReplication } from './cluster.ts';
import type { Acknowledged, Load } from './load.ts';
import { until } from './machines.ts';
import type { Watch } from './watch.ts';

const BEFORE_MS = 3_000;
const AFTER_MS = 2_000;
/** How long the primary acknowledges what no standby gets, if it may. */
const ALONE_MS = 400;
const AGAIN_MS = 90_000;

export type Fault = 'kill' | 'machine' | 'silence' | Planned;
export type Planned = (typeof PLANNED)[number];
const PLANNED = ['stop', 'switchover'] as const;
export const isPlanned = (fault: Fault): fault is Planned => PLANNED.some(one => one === fault);

export interface Round {
  readonly fault: Fault;
  /** When it happened. */
  readonly at: number;
  /** The longest time in which a node acknowledged nothing, of the slower node. */
  readonly pauseMs: number;
  /** From the first write that a server accepted to the first that each node acknowledged. */
  readonly followedMs: number;
  /** Nodes whose health was 503, and nodes that are healthy again. */
  readonly down: number;
  readonly up: number;
}

/** How long there is load before the fault, and after it. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** @param alone the standbys get nothing during the last moments of the primary */
export async function round(
  fault: Fault,
  alone: boolean,
  cluster: Cluster,
  load: Load,
  seen: Watch,
  aroundMs: Around = { before: BEFORE_MS, after: AFTER_MS },
): Promise<Round> {
  const { stop } = load.start();
  const { context } = load;
  Object.assign(context, { mayFail: true, mayBeCut: false });
  try {
    await delay(aroundMs.before);
    const primary = await cluster.primary();
    if (alone) {
      stopReplication(primary);
      await delay(ALONE_MS);
    }
    const at = performance.now();
    if (fault === 'kill') killPostgres(primary);
    else if (fault === 'machine') primary.kill();
    else if (fault === 'silence') primary.freeze();
    else if (fault === 'stop') await primary.stopPatroni();
    else await cluster.switchOver();
    // A request that was sent before a planned change may be acknowledged by the old primary.
    const since = isPlanned(fault) ? performance.now() : at;
    const again = () => seen.health.map((_, node) => first(load.acknowledged, node, since));
    await until(
      async () => again().every(time => time !== null),
      () => 'a write through each node',
      AGAIN_MS,
    );
    await delay(aroundMs.after);
    const healthy = () => seen.health.filter(all => all.at(-1)?.status === 200).length;
    await until(
      async () => healthy() === seen.health.length,
      () => 'healthy nodes',
      10_000,
    ).catch(() => undefined);
    const up = healthy();
    await stop();
    if (fault === 'silence') primary.kill();
    if (fault !== 'kill' && fault !== 'switchover') primary.boot();
    await cluster.whole();
    const accepted = steady(seen.accepted.filter(time => time > since)) ?? since;
    return {
      fault,
      at,
      pauseMs: Math.max(...seen.health.map((_, node) => longestPause(load.acknowledged, node, at))),
      followedMs: Math.max(0, ...again().map(time => (time ?? 0) - accepted)),
      down: seen.health.filter(all => all.some(one => one.at > at && one.status === 503)).length,
      up,
    };
  } finally {
    await stop();
  }
}

function first(all: readonly Acknowledged[], node: number, since: number): number | null {
  return all.find(one => one.node === node && one.sentAt > since)?.at ?? null;
}

/** The first of those that go on. A standby that is about to be rewound can let single writes pass before. */
function steady(times: readonly number[]): number | undefined {
  return times.find(time => times.some(later => later > time + 300 && later < time + 1_500));
}

function longestPause(all: readonly Acknowledged[], node: number, since: number): number {
  const times = all.filter(one => one.node === node && one.at > since - 1_000).map(({ at }) => at);
  return times.slice(1).reduce((most, at, n) => Math.max(most, at - (times[n] as number)), 0);
}
