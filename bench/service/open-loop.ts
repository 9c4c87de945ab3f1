/**
 * Load that does not wait for answers: units begin at times that are drawn beforehand (a Poisson process, seeded), as
 * people come, and a unit's latency counts from that time, whatever kept the generator or the server. A unit that finds
 * no free connection waits for one, and its time runs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'undici';
import { Random } from '../random.ts';
import type { Units } from './closed-loop.ts';
import type { Job } from './load.ts';
import { connect, unit } from './unit.ts';

/** Before the first unit, so that it is not late already. */
const LEAD_MS = 20;

export async function openLoop(job: Job, rate: number, seed: number): Promise<Units> {
  const clients = connect(job);
  /** Last given back, first taken: no more connections are opened than are needed. */
  const free = [...clients];
  const waiting: ((client: Client) => void)[] = [];
  const take = () => free.pop() ?? new Promise<Client>(done => waiting.push(done));
  const give = (client: Client) => {
    const next = waiting.shift();
    if (next) next(client);
    else free.push(client);
  };

  const latencies: number[] = [];
  const late: number[] = [];
  let wrong = 0;
  const began = performance.now() + LEAD_MS;
  const one = async (due: number, turn: number) => {
    late.push(performance.now() - began - due);
    const client = await take();
    if (!(await unit(client, job, turn))) wrong += 1;
    latencies.push(performance.now() - began - due);
    give(client);
  };

  const times = arrivals(rate, job.seconds, seed);
  const units: Promise<void>[] = [];
  for (const [i, due] of times.entries()) {
    await untilThen(began + due);
    units.push(one(due, i % job.bodies.length));
  }
  await Promise.all(units);
  await Promise.all(clients.map(client => client.close()));
  return { latencies, wrong, late };
}

/** A timer of Node.js may end a little before its time. */
async function untilThen(due: number): Promise<void> {
  for (let ahead = due - performance.now(); ahead > 0; ahead = due - performance.now())
    await delay(Math.max(1, ahead));
}

/** Milliseconds from the beginning at which units are due. */
function arrivals(rate: number, seconds: number, seed: number): number[] {
  const random = new Random(seed);
  const times: number[] = [];
  for (let at = 0; ; ) {
    at -= (Math.log(1 - random.uniform()) / rate) * 1_000;
    if (at >= seconds * 1_000) return times;
    times.push(at);
  }
}
