/**
 * Sign-ins per second of the real service beside a bare Koa server: server on one core, load generator on the other,
 * the two servers in turn. A unit is a challenge and a match (for the bare server: a bodyless POST, and a POST that
 * parses the same body and signs one token). Every answer is checked, and one wrong answer voids the trial.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../table.ts';
import { enrollAll, liveKey, ORIGIN } from './enrolled.ts';
import type { Job, Report } from './load.ts';
import { cpuMicros, ended, listening, startLoad, startServer } from './servers.ts';

const USERS = 1_000;
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 5;
const WARM_UPS = 2;
const UNLIMITED = {
  LIMIT_IP_PER_MINUTE: '0',
  LIMIT_APP_PER_MINUTE: '0',
  LIMIT_SECRET_KEY_PER_MINUTE: '0',
  LIMIT_FAILED_MATCHES: '0',
};

interface Side {
  readonly engine: 'service' | 'bare-koa';
  readonly load: ChildProcess;
  readonly server: ChildProcess;
  readonly job: Job;
}

export async function service(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'face-sign-in-bench-'));
  const env = { DATA_DIR: folder, PORT: '0', PORTAL_PORT: '0', DEMO: 'off', ...UNLIMITED };
  const server = startServer(['src/main.ts', 'serve'], { ...process.env, ...env });
  const bare = startServer(['bench/service/bare-server.ts']);
  const load = startLoad();
  try {
    const address = await listening(server, /"api":"([^"]+)"/);
    const key = await liveKey(env);
    const { bodies, expected } = await enrollAll(address, key, USERS);
    const headers = { origin: ORIGIN, 'x-svc-key': key };
    const common = { headers, bodies, connections: CONNECTIONS, seconds: SECONDS };
    const real: Job = { ...common, address, paths: ['/v1/challenges', '/v1/match'], expected };
    const base: Job = {
      ...common,
      address: await listening(bare, /(http:\S+)/),
      paths: ['/empty', '/signed'],
      expected: bodies.map(() => '"token"'),
    };
    return await play([
      { engine: 'service', load, server, job: real },
      { engine: 'bare-koa', load, server: bare, job: base },
    ]);
  } finally {
    for (const child of [server, bare, load]) await ended(child);
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(sides: readonly [Side, Side]): Promise<Row[]> {
  for (let i = 0; i < WARM_UPS; i++) for (const side of sides) await measure(side, i);
  const rows: Row[] = [];
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const ours = await measure(sides[0], round);
    const theirs = await measure(sides[1], round);
    const ratio = Number(ours.per_second) / Number(theirs.per_second);
    ratios.push(ratio);
    rows.push({ ...ours, ratio: ratio.toFixed(2) }, { ...theirs, ratio: '1' });
  }
  ratios.sort((a, b) => a - b);
  console.error(
    `median ratio ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)}, ${USERS} users, ${CONNECTIONS} connections`,
  );
  return rows;
}

async function measure({ engine, load, server, job }: Side, round: number): Promise<Row> {
  const before = cpuMicros(server);
  const report = await run(load, job);
  if (report.wrong > 0) throw new Error(`${engine} gave ${report.wrong} wrong answers: no figure is shown`);
  const [p50, p95, p99] = report.latency.map(ms => Number(ms.toFixed(1))) as [number, number, number];
  return {
    engine,
    round,
    per_second: Math.round(report.units / report.seconds),
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    cpu_us: Math.round((cpuMicros(server) - before) / report.units),
    load_busy: report.busy.toFixed(2),
    wrong: `${report.wrong}/${report.units}`,
  };
}

function run(load: ChildProcess, job: Job): Promise<Report> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the load generator ended'));
    load.once('exit', gone);
    load.once('message', message => {
      load.off('exit', gone);
      resolve(message as Report);
    });
    load.send(job);
  });
}
