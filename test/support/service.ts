/**
 * The service as tests meet it: real HTTP on port 0, a data folder of its own, and a clock that only tests move.
 * Request limits are off unless a test sets them, and one trusted proxy lets a test choose its address.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config.ts';
import { requestFields } from '../../src/http/every-answer.ts';
import { openAdmin } from '../../src/service/data.ts';
import { createService, type Service } from '../../src/service.ts';
import { fileOf } from '../../src/settings/database.ts';
import { makeTestApp } from './apps.ts';
import { closing, later } from './closing.ts';
import { masterSecretOf, openedRows } from './data-keys.ts';
import { sinkLog } from './log-sink.ts';
import { NO_LIMITS } from './no-limits.ts';
import { alternating, changeAt, nodesWanted, ownDatabase, rowsAt } from './on-postgres.ts';
import type { Suite } from './suite.ts';

const START = Date.parse('2026-03-15T12:00:00.000Z');
const QUIET = {
  HOST: '127.0.0.1',
  PORT: '0',
  PORTAL_HOST: '127.0.0.1',
  PORTAL_PORT: '0',
  TRUST_PROXY: '1',
  MATCH_THREADS: '1',
  // Tests move the clock by years.
  CLOCK_LEAP_DAYS: '0',
  ...NO_LIMITS,
  // Long enough for a message to be in its folder when the answer comes, on a busy machine as well.
  MAIL_ANSWER_MS: '120',
  MAIL_FROM: 'Sign-in <no-reply@face.example>',
};

export interface TestApp {
  readonly id: string;
  readonly name: string;
  /** The first allowed origin. */
  readonly origin: string;
  readonly live: { readonly pk: string; readonly sk: string };
  readonly test: { readonly pk: string; readonly sk: string };
}

export interface AppOptions {
  readonly name?: string;
  readonly origins?: string[];
  readonly plan?: string;
  readonly firstParty?: boolean;
}

export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

/** A message as the development transport writes it. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Running {
  readonly base: string;
  readonly portal: string;
  readonly dataDir: string;
  readonly clock: TestClock;
  /** Every line that the service has logged. */
  readonly logs: readonly string[];
  /** Messages in the mail folder, oldest first; only those to one address, when it is given. */
  mails(to?: string): Mail[];
  createApp(options?: AppOptions): Promise<TestApp>;
  /** Runs the command line against the same data, with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON as callers do
  cli(args: readonly string[]): Promise<{ code: number; json: any; stderr: string }>;
  /** Reads the database directly. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  rows(sql: string, ...values: unknown[]): any[];
  /** Rows of a table, with what is sealed in them. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  opened(table: Parameters<typeof openedRows>[2]): any[];
  /** Changes the database directly. */
  change(sql: string, ...values: unknown[]): void;
  /** Stops the service and starts it again on the same data and time. The addresses change. */
  restart(): Promise<Running & AsyncDisposable>;
  close(): Promise<void>;
}

interface StartOptions {
  readonly env?: Record<string, string>;
  /** One process is tested, or its sockets: no second node beside it, and nothing before it. */
  readonly isAlone?: boolean;
}

export async function startService(options: StartOptions = {}): Promise<Running & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'face-sign-in-test-'));
  let now = START;
  const clock: TestClock = {
    now: () => now,
    advance: ms => {
      now += ms;
    },
  };
  const env = {
    ...QUIET,
    MAIL_URL: `file:${join(dataDir, 'mail')}`,
    ...(await ownDatabase()),
    ...options.env,
    DATA_DIR: dataDir,
  };
  return start(dataDir, clock, env, options);
}

/**
 * A service that starts before the tests of a suite and closes after them. Its members exist from the first test on, and
 * after a restart they are those of the new one.
 */
export function serviceFor(test: Suite, options?: StartOptions): Running {
  let run: Running & AsyncDisposable;
  test.before(async () => {
    run = await startService(options);
  });
  test.after(() => run?.close());
  const restart = async () => {
    run = await run.restart();
    return run;
  };
  return later(() => ({ ...run, restart }));
}

/** An app that is created before the tests of a suite. */
export function appFor(test: Suite, run: Running, options?: AppOptions): TestApp {
  let app: TestApp;
  test.before(async () => {
    app = await run.createApp(options);
  });
  return later(() => app);
}

async function start(
  dataDir: string,
  clock: TestClock,
  env: Record<string, string>,
  options: StartOptions,
): Promise<Running & AsyncDisposable> {
  const { isAlone = false } = options;
  // Two nodes have one address, behind which requests alternate.
  const bases: string[] = [];
  const isAlternating = nodesWanted > 1 && !isAlone && env.DATABASE_URL?.startsWith('postgres:') === true;
  const balancer = isAlternating ? await alternating(() => bases) : null;
  const config = loadConfig(balancer ? { ...env, BASE_URL: env.BASE_URL || balancer.base } : env);
  const logs: string[] = [];
  const write = (line: string) => {
    logs.push(line);
    sinkLog(line);
  };
  const log = pino({ level: 'debug', mixin: requestFields }, { write });
  const service = await createService(config, { clock, log });
  const admin = await openAdmin(config, { clock });
  const { api, portal } = await service.listen();
  bases.push(api);
  const others: Service[] = [];
  for (let node = 1; balancer && node < nodesWanted; node++) {
    const other = await createService(
      {
        ...config,
        dataDir: join(dataDir, `node-${node}`),
        erasuresFile: join(dataDir, `erasures-${node}.jsonl`),
      },
      { clock, log },
    );
    bases.push((await other.listen()).api);
    others.push(other);
  }
  const file = fileOf(config.database);
  const reader = file === null ? null : new Database(file, { readonly: true });

  function rows(sql: string, ...values: unknown[]) {
    if (reader) return reader.prepare(sql).all(...values);
    const url = env.DATABASE_URL;
    return url?.startsWith('postgres:') ? rowsAt(url, sql, values) : [];
  }

  async function stop(): Promise<void> {
    reader?.close();
    await balancer?.close();
    await Promise.all([service, ...others].map(each => each.close()));
    await admin.close();
  }

  return closing<Running>({
    base: balancer?.base ?? api,
    portal,
    dataDir,
    clock,
    logs,
    mails: to => mailsIn(join(dataDir, 'mail')).filter(mail => to === undefined || mail.to === to),

    createApp: options => makeTestApp(admin, options),

    async cli(args) {
      const out: string[] = [];
      const errors: string[] = [];
      const print = (line: string) => void out.push(line);
      const code = await run([...args, '--json'], {
        env,
        parts: { clock },
        print,
        printError: line => void errors.push(line),
      });
      return {
        code,
        json: out.length > 0 ? JSON.parse(out.join('\n')) : null,
        stderr: errors.map(words).join('\n'),
      };
    },

    opened(table) {
      const secret = config.masterSecret ?? masterSecretOf(dataDir);
      return openedRows(sql => rows(sql), secret, table);
    },

    rows,

    change(sql, ...values) {
      if (file === null) return changeAt(env.DATABASE_URL ?? '', sql, values);
      const writer = new Database(file);
      writer.prepare(sql).run(...values);
      writer.close();
    },

    async restart() {
      await stop();
      return start(dataDir, clock, env, options);
    },

    async close() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
}

function mailsIn(folder: string): Mail[] {
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : [];
  return names.sort().map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** What went wrong, out of its document. */
function words(line: string): string {
  return line.startsWith('{"error":') ? JSON.parse(line).error.message : line;
}
