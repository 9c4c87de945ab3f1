/**
 * Measures sign-ins per second of the real service, with galleries of several sizes, beside a bare Koa server; and
 * latency and event-loop delay at 60 % of that rate. Each gallery and the bare server have a process, all on one core
 * and measured in turn; the load generator is on the other core. A unit is a challenge and a match (for the bare
 * server: a POST without a body, and a POST that parses the same body and signs one token). Every answer is checked,
 * and one wrong answer voids the trial.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { Row } from '../table.ts';
import type { Delays } from './delay-probe.ts';
import { copyOf, type Gallery, galleryOf } from './galleries.ts';
import { type Measured, measure, type Side } from './measure.ts';
import { idleRow, rowsOf, type SideRounds, type Trial, targetLines } from './rows.ts';
import { beginProbe, endProbe, listening, SERVER_CORES, startLoad, startServer, stop } from './servers.ts';
import { sideOf, startService } from './side.ts';

const SIZES = [1_000, 10_000, 100_000];
const CLOSED_CONNECTIONS = 64;
const WARM_UPS = 2;
/** Load of the open loop, as a share of the server's own median rate. */
const OPEN_SHARE = 0.6;
const OPEN_ROUNDS = 3;
/** More than are ever in use at that load, so that the generator does not hold requests back. */
const OPEN_CONNECTIONS = 512;

/** @param cores of the servers; the load generator stays on the second core */
export async function service(
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  sizes: readonly number[] = SIZES,
  cores = SERVER_CORES,
): Promise<Row[]> {
  const galleries: Gallery[] = [];
  for (const size of sizes.toSorted((a, b) => a - b)) galleries.push(await galleryOf(size));
  const processes: ChildProcess[] = [];
  try {
    const services: Side[] = [];
    for (const gallery of galleries) {
      const server = startService(copyOf(gallery), cores);
      processes.push(server);
      services.push(await sideOf(gallery, server));
    }
    const bare = startServer(['bench/service/bare-server.ts'], process.env, cores);
    const generator = startLoad();
    processes.push(bare, generator);
    const [smallest, ...larger] = services as [Side, ...Side[]];
    const baseline = bareSide(smallest, bare, await listening(bare, /(http:\S+)/));
    return await runTrial(generator, [smallest, ...larger], baseline, rounds, seconds);
  } finally {
    for (const child of processes.toReversed()) await stop(child);
  }
}

/** The bare server gets the same headers and bodies as the service. */
function bareSide({ job }: Side, server: ChildProcess, address: string): Side {
  const expected = job.bodies.map(() => '"token"');
  return {
    engine: 'bare-koa',
    templates: 0,
    server,
    job: { ...job, address, paths: ['/empty', '/signed'], expected },
  };
}

async function runTrial(
  generator: ChildProcess,
  services: readonly [Side, ...Side[]],
  bare: Side,
  rounds: number,
  seconds: number,
): Promise<Row[]> {
  const sides = [...services, bare];
  const full = { connections: CLOSED_CONNECTIONS, seconds };
  for (let i = 0; i < WARM_UPS; i++)
    for (const side of sides) await measure(generator, side, { ...full, seconds: Math.min(3, seconds) });
  const closed = await inTurns('closed', sides, rounds, side => measure(generator, side, full));
  const rates = new Map(
    [...closed.services, closed.bare].map(({ side, measured }) => [
      side,
      OPEN_SHARE * median(measured.map(({ figures }) => figures.per_second)),
    ]),
  );
  const open = await inTurns('open', sides, OPEN_ROUNDS, (side, seed) => {
    const rate = rates.get(side) as number;
    return measure(generator, side, { connections: OPEN_CONNECTIONS, seconds, open: { rate, seed } });
  });
  const idle = await idleLoop(bare, seconds);
  for (const line of targetLines(closed, open, idle)) console.error(line);
  return [...rowsOf(closed), ...rowsOf(open), idleRow(bare, idle)];
}

/** How late an event loop is on this machine without any load. */
async function idleLoop({ server }: Side, seconds: number): Promise<Delays> {
  beginProbe(server);
  await delay(seconds * 1_000);
  return endProbe(server);
}

/** Every other round runs in reverse order, so that slow changes of the machine affect all sides alike. */
async function inTurns(
  load: Trial['load'],
  sides: readonly Side[],
  rounds: number,
  turn: (side: Side, round: number) => Promise<Measured>,
): Promise<Trial> {
  const all = sides.map(side => ({ side, measured: [] as Measured[] }));
  for (let round = 1; round <= rounds; round++) {
    console.error(`${load} loop: round ${round} of ${rounds}`);
    for (const { side, measured } of round % 2 ? all : all.toReversed())
      measured.push(await turn(side, round));
  }
  const bare = all.pop() as SideRounds;
  return { load, services: all as unknown as Trial['services'], bare };
}
