/**
 * The program as an operator meets it: processes of their own, with an environment of their own, on a data folder that
 * goes when the test file ends. Whatever is still running then is ended by its process id.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config.ts';
import { openAdmin } from '../../src/service/data.ts';
import type { Json } from './client.ts';
import { sinkLog } from './log-sink.ts';
import { tempFolder } from './temp-folder.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** Compiled code kept between runs: a command then starts in half the time. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compile');
const AT_ONCE = 3;
const READY_MS = 20_000;
/** Levels at which the log does not tell that the server listens. */
const QUIET = ['warn', 'error', 'fatal', 'silent'];

export type Env = Record<string, string>;

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Server {
  readonly base: string;
  readonly pid: number;
  readonly portal: string;
  readonly issuer: string;
  /** What it has printed up to now. */
  readonly printed: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ran>;
  kill(signal: NodeJS.Signals): void;
  /** Sends the signal and wants a clean end. */
  stop(signal?: NodeJS.Signals): Promise<Ran>;
}

const living = new Set<ChildProcess>();

export { tempFolder };

// Before their folders are removed.
process.prependListener('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** A data folder that does not exist yet. */
export const newDataDir = () => join(tempFolder(), 'data');

/** A data folder with an empty database and its secret, as the first start of a server leaves it. */
export async function madeDataDir(settings: Env = {}): Promise<string> {
  const DATA_DIR = newDataDir();
  const admin = await openAdmin(loadConfig({ ...settings, DATA_DIR }));
  await admin.close();
  return DATA_DIR;
}

export function environment(settings: Env): Env {
  const inherited = Object.fromEntries(
    ['PATH', 'TMPDIR', 'HOME'].flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const own = { NODE_COMPILE_CACHE: COMPILE_CACHE, MATCH_THREADS: '1', PORT: '0', PORTAL_PORT: '0' };
  return { ...inherited, ...own, ...settings };
}

export interface Start {
  readonly root?: string;
  /** Arguments of Node.js itself, in place of the program's entry. */
  readonly entry?: readonly string[];
  /** A program in place of Node.js and all of that, with nothing in its environment but the settings. */
  readonly program?: readonly string[];
  /** The user that it runs as. */
  readonly uid?: number;
  /** How long a start may take, where it is slower than elsewhere. */
  readonly readyMs?: number;
}

function start(args: readonly string[], settings: Env, how: Start = {}) {
  const { root = ROOT, entry, program, uid } = how;
  const line = program ?? [process.execPath, ...(entry ?? [join(root, 'src/main.ts')])];
  const child = spawn(line[0] as string, [...line.slice(1), ...args], {
    cwd: root,
    env: program ? settings : environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  living.add(child);
  // A failed test must not wait for what it has started.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as Socket).unref();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      printed[name] += text;
      if (name === 'stdout' && args[0] === 'serve') sinkLog(text, `-${child.pid}`);
    });
  const ended = new Promise<Ran>(done =>
    child.on('close', (code, signal) => {
      living.delete(child);
      done({ code, signal, ...printed });
    }),
  );
  return { child, printed, ended };
}

let free = AT_ONCE;
const queue: (() => void)[] = [];

/** Runs a command to its end. Few run at once, however many are asked for. */
export async function cli(args: readonly string[], settings: Env, options?: Start): Promise<Ran> {
  if (free === 0) await new Promise<void>(turn => queue.push(turn));
  else free--;
  try {
    return await start(args, settings, options).ended;
  } finally {
    const next = queue.shift();
    if (next) next();
    else free++;
  }
}

/**
 * The same without a process, for long tables: what the entry hands over and prints is all that is left out. A table
 * that uses it runs some of its rows as processes too.
 */
export async function within(args: readonly string[], settings: Env): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const to = (name: 'stdout' | 'stderr') => (line: string) => {
    printed[name] += `${line}\n`;
  };
  const env = environment(settings);
  const code = await run(args, { env, print: to('stdout'), printError: to('stderr') });
  return { code, signal: null, ...printed };
}

/** Runs a command with --json, wants success, one JSON document on stdout and nothing on stderr. */
export async function json(args: readonly string[], settings: Env, how: typeof within = cli): Promise<Json> {
  const ran = await how([...args, '--json'], settings);
  assert.is(ran.stderr, '', args.join(' '));
  assert.is(ran.code, 0, args.join(' '));
  return JSON.parse(ran.stdout);
}

/** Runs a command as a person does and wants success. */
export async function text(args: readonly string[], settings: Env): Promise<string> {
  const ran = await cli(args, settings);
  assert.is(ran.stderr, '', args.join(' '));
  assert.is(ran.code, 0, args.join(' '));
  assert.throws(() => JSON.parse(ran.stdout), undefined, `JSON for a person: ${args.join(' ')}`);
  return ran.stdout;
}

/** Wants the exit code, exactly one line on stderr (with --json a document) that matches, and nothing on stdout. */
export function assertRefused(ran: Ran, code: number, line: RegExp, what = ''): void {
  assert.match(ran.stderr, /^(?:face-sign-in: |\{"error":)[^\n\r]+\n$/, `one line on stderr: ${what}`);
  const isDocument = ran.stderr.startsWith('{');
  assert.match(isDocument ? `${JSON.parse(ran.stderr).error.message}\n` : ran.stderr, line, what);
  assert.is(ran.code, code, `exit code: ${what} ${ran.stderr}`);
  assert.is(ran.stdout, '', `stdout: ${what}`);
}

/** Starts `serve` and waits until it says where it listens, in the log and in its summary. */
export async function serve(settings: Env, how?: Start): Promise<Server> {
  const { child, printed, ended } = start(['serve'], settings, how);
  let over: Ran | null = null;
  void ended.then(ran => {
    over = ran;
  });
  // Where the log does not tell, the summary does.
  const isQuiet = QUIET.includes(settings.LOG_LEVEL ?? 'info');
  const listening = () =>
    isQuiet ? fromSummary(printed.stderr) : logLines(printed.stdout).find(line => line.msg === 'listening');
  const end = Date.now() + (how?.readyMs ?? READY_MS);
  while (!listening() || !/ is ready\n/.test(printed.stderr)) {
    if (over || Date.now() > end) throw new Error(`the server does not listen: ${JSON.stringify(printed)}`);
    await new Promise(resume => setTimeout(resume, 20));
  }
  const { api: base, portal, issuer } = listening() as Json;
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    kill(signal);
    const ran = await ended;
    assert.equal([ran.code, ran.signal], [0, null], `end after ${signal}: ${ran.stderr}`);
    return ran;
  };
  return { base, pid: child.pid as number, portal, issuer, printed, ended, kill, stop };
}

function fromSummary(stderr: string): Json {
  const place = (label: string) => new RegExp(`^ *${label} +(\\S+)`, 'm').exec(stderr)?.[1];
  return { api: place('API'), portal: place('Portal'), issuer: place('Public address') ?? place('API') };
}

/** The log: every finished line must be a JSON object. */
export function logLines(stdout: string): Json[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map(line => {
      assert.match(line, /^\{.*\}$/, 'stdout holds JSON lines only');
      return JSON.parse(line);
    });
}

/** Wants the same keys in the same order; a RegExp stands for text that matches it. */
export function assertLike(actual: Json, wanted: Json, at = 'answer'): void {
  if (wanted instanceof RegExp) {
    assert.type(actual, 'string', at);
    assert.match(actual, wanted, at);
  } else if (wanted !== null && typeof wanted === 'object') {
    assert.equal(Object.keys(actual ?? {}), Object.keys(wanted), `fields of ${at}`);
    assert.is(Array.isArray(actual), Array.isArray(wanted), at);
    for (const [key, value] of Object.entries(wanted)) assertLike(actual[key], value, `${at}.${key}`);
  } else assert.is(actual, wanted, at);
}

export const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
