/**
 * Where the time of a sign-in goes. The service runs under V8's profiler while the load generator signs users in, and
 * every sample of the main thread counts for the part of the program that was working. Native code counts for the part
 * that called it. So does work on another thread (signing, waiting for the disk, searching): all threads share one
 * core, so the part that wakes a thread is held up by it. The shares are therefore applied to the CPU time of all
 * threads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { Row } from '../table.ts';
import { copyOf, galleryOf } from './galleries.ts';
import { type Measured, measure } from './measure.ts';
import { startLoad, stop } from './servers.ts';
import { sideOf, startService } from './side.ts';

const USERS = 1_000;
const CONNECTIONS = 64;
const SECONDS = 15;
const WARM_UP_SECONDS = 5;
/** Time between samples. */
const INTERVAL_US = 200;

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The first pattern that matches the URL of a frame, or of one of its callers, names the part. */
const PARTS: readonly [RegExp, string][] = [
  [/src\/adapters\/secrets|internal\/crypto\/cipher/, 'sealing and opening'],
  [/better-sqlite3|src\/adapters\/sql/, 'storage (SQLite)'],
  [/node_modules\/jose|domain\/tokens|internal\/crypto/, 'signing the token'],
  [/src\/adapters\/wasm|internal\/worker/, 'messages to the matcher'],
  [/node_modules\/pino|sonic-boom|logRequests/, 'log'],
  [/koa-body|co-body|raw-body|src\/http\/body|valibot|src\/protocol/, 'reading and validating bodies'],
  [/src\/domain|src\/http\/(?:guards|limits|pipeline|routes|reply)/, 'rules of the service'],
  [
    /node_modules\/(?:koa|@koa)|src\/http|node:_?http|node:net|node:_?stream|internal\/streams/,
    'Koa and HTTP',
  ],
];

export async function parts(): Promise<Row[]> {
  const gallery = await galleryOf(USERS);
  const folder = copyOf(gallery);
  const profiles = tempFolder();
  const flags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${INTERVAL_US}`];
  const server = startService(folder, flags);
  const load = startLoad();
  try {
    const side = await sideOf(gallery, server);
    await measure(load, side, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    const began = performance.now();
    const measured = await measure(load, side, { connections: CONNECTIONS, seconds: SECONDS });
    const lasted = performance.now() - began;
    await stop(server);
    return shares(mainProfile(profiles), lasted, measured);
  } finally {
    for (const child of [server, load]) await stop(child);
  }
}

/** The profile of the main thread: the longest one. */
function mainProfile(folder: string): Profile {
  const profiles = readdirSync(folder)
    .filter(name => name.endsWith('.cpuprofile'))
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .sort((a, b) => b.length - a.length);
  if (!profiles[0]) throw new Error('the service wrote no profile');
  return JSON.parse(profiles[0]);
}

/** @param lasted length of the measured part, at the end of the profile, in milliseconds */
function shares({ nodes, samples, timeDeltas }: Profile, lasted: number, measured: Measured): Row[] {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(node => (node.children ?? []).map(child => [child, node.id] as const)),
  );
  const known = new Map<number, string>();
  const partOf = (id: number): string => {
    const found = known.get(id);
    if (found) return found;
    const node = byId.get(id) as Node;
    const { functionName, url } = node.callFrame;
    const parent = parents.get(id);
    const part =
      idle(functionName) ??
      PARTS.find(([pattern]) => pattern.test(`${url} ${functionName}`))?.[1] ??
      (parent === undefined ? 'rest of Node.js' : partOf(parent));
    known.set(id, part);
    return part;
  };
  const micros = new Map<string, number>();
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  let at = 0;
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i] as number;
    if (at < total - lasted * 1_000) continue;
    const part = partOf(id);
    micros.set(part, (micros.get(part) ?? 0) + (timeDeltas[i] as number));
  }
  micros.delete('idle');
  const busy = [...micros.values()].reduce((sum, time) => sum + time, 0);
  return [...micros]
    .sort(([, a], [, b]) => b - a)
    .map(([part, time]) => ({
      part,
      share: `${((100 * time) / busy).toFixed(1)} %`,
      us_per_sign_in: ((measured.figures.cpu_us * time) / busy).toFixed(1),
      sign_ins: measured.units,
    }));
}

function idle(functionName: string): string | undefined {
  if (functionName === '(idle)') return 'idle';
  return functionName === '(garbage collector)' ? 'garbage collection' : undefined;
}
