/**
 * Runs the test files, a process group each, and believes none of them: a file passes when it ends in time, with exit
 * code 0, having run at least one test, with every test that was not skipped on purpose passed. What a file started
 * and left behind is ended with it. test/repo/runner.long.test.ts proves that a throwing hook, a missing `run()` and a
 * hanging test make the run fail.
 *
 * Use: node test/support/run.ts [FOLDER or FILE]…   all of test/ when none is given, but not what needs more than Node.js,
 *                                                   nor the long tests (`*.long.test.ts`)
 *      node test/support/run.ts SUITE               one of those below
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const FILE_LIMIT_MS = Number(process.env.TEST_FILE_LIMIT_MS ?? 900_000);
/** How long what a file left behind may hold on to its output. */
const OUTPUT_LIMIT_MS = 2_000;
/** Types are stripped and code is compiled once for all files. */
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compile');
/** A folder in memory where Linux has one: databases of tests need not wait for a disk. */
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2 ** 30;
const LONGEST = ['sqlite', 'contract', 'matcher', 'cli', 'transfer', 'repo'];
const TOTALS = /Total:\s+(\d+)\s+Passed:\s+(\d+)\s+Skipped:\s+(\d+)/g;

interface Outcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ms: number;
  /** What the file printed, and why it does not count as passed. */
  readonly output: string;
  readonly fault: string | null;
}

/** What `npm test` leaves out: `npm test -- NAME`. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  long: [],
  postgres: ['test/http', 'test/domain'],
  clients: ['test/clients'],
  packaging: ['test/packaging'],
  browser: ['test/browser'],
  examples: ['test/examples'],
  bare: ['test/bare', 'test/dist'],
  booted: ['test/booted'],
};
const WITH_EXECUTABLE = ['long', 'bare'];

const [suite = ''] = process.argv.slice(2);
const places = SUITES[suite];
const isLong = suite === 'long';
if (suite === 'examples') process.env.TEST_LIMIT_MS ??= '600000';
if (WITH_EXECUTABLE.includes(suite)) runFirst('src/build/main.ts', 'executable');
if (suite === 'postgres' && places) {
  runFirst('test/support/run-postgres.ts', ...places);
  process.exit();
}
/** Databases are on a server: run-postgres.ts. */
const isOnServer = process.env.TEST_DATABASE_SERVER !== undefined;
const wanted = places ?? process.argv.slice(2);
const files = (wanted.length > 0 ? wanted : ['test']).flatMap(filesIn).sort();
/** Most files spend more than half their time waiting: for a response that is due later, for a disk, for a page. Long tests do not. */
const filesPerCore = isOnServer || (wanted.length === 0 && !isLong) ? 4 : suite === 'browser' ? 2 : 1;
const outcomes: Outcome[] = [];
const waiting = [...files].sort((a, b) => lengthOf(a) - lengthOf(b));
const groups = new Set<number>();
const memory = memoryFolder();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    for (const group of groups) endGroup(group);
    process.exit(1);
  });
await Promise.all(Array.from({ length: filesPerCore * Math.max(2, availableParallelism()) }, work));
report();

function runFirst(script: string, ...words: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...words], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function work(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const outcome = await runFile(file);
    outcomes.push(outcome);
    const state = outcome.fault ? 'FAIL' : 'ok  ';
    console.log(
      `${state} ${file}  ${outcome.passed} passed${outcome.skipped ? `, ${outcome.skipped} skipped` : ''}  ${Math.round(outcome.ms)} ms`,
    );
    if (outcome.fault) console.log(`     ${outcome.fault}\n${outcome.output}`);
    // What a test could not try on this machine, and what it measured, is said, although it passed.
    else
      for (const [line] of outcome.output.matchAll(/\b(?:left out|took): .*/g)) console.log(`     ${line}`);
  }
}

/**
 * A folder of the short tests' own in memory, open to other users as the system's own is, and gone with this run.
 * None where `TMPDIR` is set or there is no such memory. Long tests and trials are given a disk.
 */
function memoryFolder(): string | null {
  if (wanted.length > 0 || isLong || process.env.TMPDIR) return null;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < MEMORY_NEEDED_BYTES) return null;
    const folder = mkdtempSync(join(MEMORY, 'face-sign-in-tests-'));
    chmodSync(folder, 0o1777);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return null;
  }
}

/** Rooms with long files start first, so that no core is idle at the end. */
function lengthOf(file: string): number {
  const place = LONGEST.findIndex(room => file.startsWith(`test/${room}/`));
  return place < 0 ? LONGEST.length : place;
}

function filesIn(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  const found = globSync(`${place}/**/*.test.ts`);
  // The access matrix looks at every row around each of its steps, which takes minutes over a connection.
  if (isOnServer)
    return found.filter(file => !/\.long\.test\.ts$|\/matrix\.test\.ts$/.test(file) && hasService(file));
  if (wanted.length > 0) return found;
  return found.filter(
    file =>
      !/^test\/(bare|booted|browser|clients|examples|packaging)\//.test(file) &&
      file.endsWith('.long.test.ts') === isLong,
  );
}

/** What starts no service does the same on every database. */
function hasService(file: string): boolean {
  return readFileSync(file, 'utf8').includes("/support/service.ts'");
}

async function runFile(file: string): Promise<Outcome> {
  const began = performance.now();
  const child = spawn(process.execPath, [file], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      ...(memory ? { TMPDIR: memory } : {}),
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  const group = child.pid ?? 0;
  groups.add(group);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(group);
  }, FILE_LIMIT_MS);
  const closed = new Promise(done => child.on('close', done));
  const code = await new Promise<number | null>(done => child.on('exit', done));
  clearTimeout(timer);
  endGroup(group);
  groups.delete(group);
  await Promise.race([closed, delay(OUTPUT_LIMIT_MS, null, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  const [total, passed, skipped] = ([...stripColours(output).matchAll(TOTALS)].at(-1)?.slice(1) ?? []).map(
    Number,
  );
  const fault = faultOf(late, code, total, passed);
  const failed = total === undefined || passed === undefined ? 1 : Math.max(total - passed, fault ? 1 : 0);
  return {
    file,
    passed: passed ?? 0,
    failed: fault ? failed : 0,
    skipped: skipped ?? 0,
    ms: performance.now() - began,
    output,
    fault,
  };
}

function endGroup(id: number): void {
  try {
    if (id > 0) process.kill(-id, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

function faultOf(
  late: boolean,
  code: number | null,
  total: number | undefined,
  passed: number | undefined,
): string | null {
  if (late) return `no end after ${FILE_LIMIT_MS} ms`;
  if (total === undefined || passed === undefined)
    return `ended with code ${code} before reporting its tests`;
  if (total === 0) return 'ran no test: is `run()` missing?';
  if (passed !== total) return `${total - passed} of ${total} tests did not pass`;
  return code === 0 ? null : `exit code ${code}`;
}

function stripColours(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
}

function report(): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  if (outcomes.length === 0) console.log('no test files');
  const failed = sum('failed') + (outcomes.length === 0 ? 1 : 0);
  console.log(`\n${outcomes.length} files, ${sum('skipped')} skipped`);
  console.log(`${sum('passed')} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
