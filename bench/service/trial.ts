/**
 * Sign-ins per second of the real service beside a bare Koa server: server on one core, load generator on the other,
 * the two servers in turn, several times; the median of the ratios counts.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { createApp } from '../../src/domain/apps.ts';
import { createKey } from '../../src/domain/keys.ts';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import { openAdmin } from '../../src/service.ts';
import type { Job, Report } from './load.ts';

export interface ServiceTrial {
  readonly users: number;
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
}

const ORIGIN = 'https://bench.example';
const SERVER_CORE = '0';
const LOAD_CORE = '1';
const NO_LIMITS = {
  LIMIT_IP_PER_MINUTE: '0',
  LIMIT_APP_PER_MINUTE: '0',
  LIMIT_SECRET_KEY_PER_MINUTE: '0',
  LIMIT_FAILED_MATCHES: '0',
};

export async function serviceTrial(trial: ServiceTrial): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'face-sign-in-bench-'));
  const env = { DATA_DIR: folder, PORT: '0', PORTAL_PORT: '0', DEMO: 'off', ...NO_LIMITS };
  const service = pinned(['src/main.ts', 'serve'], { ...process.env, ...env });
  const bare = pinned(['bench/service/bare-server.ts'], process.env);
  const load = fork(new URL('./load.ts', import.meta.url), {
    execPath: 'taskset',
    execArgv: ['-c', LOAD_CORE, process.execPath],
  });
  try {
    const [address, bareAddress] = await Promise.all([
      listening(service, /"api":"([^"]+)"/),
      listening(bare, /(http:\S+)/),
    ]);
    const key = await liveKey(env);
    const signIns = await enrollAll(address, key, trial.users);
    const common = { bodies: signIns.bodies, connections: trial.connections, seconds: trial.seconds };
    const headers = { origin: ORIGIN, 'x-svc-key': key };
    const real: Job = {
      ...common,
      address,
      paths: ['/v1/challenges', '/v1/match'],
      headers,
      expected: signIns.expected,
    };
    const base: Job = {
      ...common,
      address: bareAddress,
      paths: ['/empty', '/signed'],
      headers,
      expected: signIns.bodies.map(() => '"token"'),
    };
    await play(trial, { load, job: real, server: service }, { load, job: base, server: bare });
  } finally {
    for (const child of [service, bare, load]) await ended(child);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Side {
  readonly load: ChildProcess;
  readonly server: ChildProcess;
  readonly job: Job;
}

async function play(trial: ServiceTrial, real: Side, base: Side): Promise<void> {
  for (const side of [real, base]) await measure(side); // warm-up
  const ratios: number[] = [];
  console.log(
    `\nsign-ins per second, ${trial.users} users, ${trial.connections} connections, ${trial.seconds} s each`,
  );
  console.log(
    'round   service      p50 / p95 / p99 ms     bare Koa     ratio   cpu µs a unit   generator busy   wrong',
  );
  for (let round = 1; round <= trial.rounds; round++) {
    const ours = await measure(real);
    const theirs = await measure(base);
    const ratio = rate(ours) / rate(theirs);
    ratios.push(ratio);
    const latency = ours.latency.map(ms => ms.toFixed(1)).join(' / ');
    console.log(
      `${String(round).padStart(5)}   ${rate(ours).toFixed(0).padStart(7)}   ${latency.padStart(22)}   ${rate(theirs).toFixed(0).padStart(10)}   ${ratio.toFixed(2).padStart(7)}   ${`${ours.cpuMicros.toFixed(0)} / ${theirs.cpuMicros.toFixed(0)}`.padStart(13)}   ${`${ours.busy.toFixed(2)} / ${theirs.busy.toFixed(2)}`.padStart(14)}   ${String(ours.wrong + theirs.wrong).padStart(5)}`,
    );
    if (ours.wrong + theirs.wrong > 0) throw new Error('some answers were wrong: the trial does not count');
  }
  ratios.sort((a, b) => a - b);
  console.log(`median ratio ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)}`);
}

function rate({ units, seconds }: Report): number {
  return units / seconds;
}

interface Measured extends Report {
  /** Processor time of the server per unit, in microseconds: says less of the machine's noise than the wall clock. */
  readonly cpuMicros: number;
}

async function measure({ load, server, job }: Side): Promise<Measured> {
  const before = cpuMicros(server);
  const report = await new Promise<Report>((resolve, reject) => {
    const gone = () => reject(new Error('the load generator ended'));
    load.once('exit', gone);
    load.once('message', message => {
      load.off('exit', gone);
      resolve(message as Report);
    });
    load.send(job);
  });
  return { ...report, cpuMicros: (cpuMicros(server) - before) / report.units };
}

/** User and system time that the process has used, in microseconds (Linux counts hundredths of a second). */
function cpuMicros({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function pinned(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('taskset', ['-c', SERVER_CORE, process.execPath, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
}

function listening(child: ChildProcess, form: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', chunk => {
      if (text.length < 10_000) text += chunk;
      const address = form.exec(text)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`a server ended before it listened: ${text}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await new Promise(done => child.once('exit', done));
}

async function liveKey(env: Record<string, string>): Promise<string> {
  const admin = await openAdmin(loadConfig(env));
  const app = await createApp(admin.deps, { name: 'Bench', allowedOrigins: [ORIGIN], plan: 'unlimited' });
  const made = await createKey(admin.deps, app.id, 'publishable', 'live');
  await admin.close();
  if (!made || made === 'too_many') throw new Error('no key could be made');
  return made.key;
}

/** Enrolls the users over HTTP; answers what each sends to sign in, and the id that must come back. */
async function enrollAll(
  address: string,
  key: string,
  users: number,
): Promise<{ bodies: string[]; expected: string[] }> {
  const faces = syntheticFaces(11);
  const headers = { origin: ORIGIN, 'x-svc-key': key, 'content-type': 'application/json' };
  const bodies: string[] = [];
  const expected: string[] = [];
  for (let person = 0; person < users; person++) {
    const { challenge_id } = (await (
      await fetch(`${address}/v1/challenges`, { method: 'POST', headers })
    ).json()) as { challenge_id: string };
    const body = {
      challenge_id,
      email: `user${person}@example.com`,
      descriptors: [faces.genuine(person)],
      consent: { policy_version: 'bench', accepted: true },
    };
    const answer = await fetch(`${address}/v1/enroll`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 201)
      throw new Error(`enrolling user ${person} answered ${answer.status}: ${await answer.text()}`);
    const { user } = (await answer.json()) as { user: { id: string } };
    bodies.push(`,"descriptors":[${JSON.stringify(faces.genuine(person, 1))}]}`);
    expected.push(user.id);
  }
  return { bodies, expected };
}
