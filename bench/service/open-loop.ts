/**
 * Load that does not wait for answers: units begin at times that are drawn in advance (a seeded Poisson process), as
 * people arrive. A unit's latency counts from its scheduled time, no matter what delayed the generator or the server. A
 * unit that finds no free connection waits for one, and that counts too.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'undici';
import { Random } from '../random.ts';
import { connect, type Job, type Units, unit } from './unit.ts';

/** Time before the first unit, so that it is not late from the start. */
const LEAD_MS = 20;

export async function openLoop(job: Job, rate: number, seed: number): Promise<Units> {
  const clients = connect(job);
  /** Last in, first out, so that no more connections are opened than needed. */
  const free = [...clients];
  const waiting: ((client: Client) => void)[] = [];
  const acquire = () => free.pop() ?? new Promise<Client>(done => waiting.push(done));
  const release = (client: Client) => {
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
    const client = await acquire();
    if (!(await unit(client, job, turn))) wrong += 1;
    latencies.push(performance.now() - began - due);
    release(client);
  };

  const times = arrivals(rate, job.seconds, seed);
  const units: Promise<void>[] = [];
  for (const [i, due] of times.entries()) {
    await sleepUntil(began + due);
    units.push(one(due, i % job.bodies.length));
  }
  await Promise.all(units);
  await Promise.all(clients.map(client => client.close()));
  return { latencies, wrong, late };
}

/** Loops because timers of Node.js may fire slightly early. */
async function sleepUntil(due: number): Promise<void> {
  for (let ahead = due - performance.now(); ahead > 0; ahead = due - performance.now())
    await delay(Math.max(1, ahead));
}

/** When units are due, in milliseconds from the start. */
function arrivals(rate: number, seconds: number, seed: number): number[] {
  const random = new Random(seed);
  const times: number[] = [];
  for (let at = 0; ; ) {
    at -= (Math.log(1 - random.uniform()) / rate) * 1_000;
    if (at >= seconds * 1_000) return times;
    times.push(at);
  }
}
