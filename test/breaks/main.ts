/**
 * Breaks rules in a copy of the source, one after the other, and wants the test that the table names to fail: a rule
 * whose test still passes is not held. The draw is by seed, so that nobody picks the easy ones.
 *
 * Use: npm run breaks -- [--seed 1] [--count 40] [--rule ID or its beginning]…
 *
 * Rules of several nodes need Debian's postgresql.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RULES } from '../rules/index.ts';
import type { Rule, TestName } from '../rules/rule.ts';
import { isNamed } from '../support/test-name.ts';
import type { Break } from './break.ts';
import { BREAKS, draw } from './breaks.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE_LIMIT_MS = 300_000;
/** A test that hangs with the rule broken fails by name before its file is ended. */
const TEST_LIMIT_MS = 60_000;
/** Their tests have a database each, so those that are not named need not run. */
const ALONE = /^test\/(?:contract|postgres)\//;
const FAILED = /^ +FAIL .*? "(.*)"$/gm;
/** What a file, or the runner, prints at the end. */
const RAN = /Total: +[1-9]|[1-9]\d* passed/;
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    rule: { type: 'string', multiple: true, default: [] },
  },
});

const copy = copyCheckout();
let held = 0;
const rules = wanted();
try {
  for (const rule of rules) {
    const verdict = await tryBreaks(rule);
    if (verdict.startsWith('held')) held += 1;
    console.log(`${rule.id.padEnd(36)} ${verdict}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${held} of ${rules.length} rules: broken in the source, the named test fails`);
process.exitCode = held === rules.length ? 0 : 1;

function wanted(): readonly Rule[] {
  const named = values.rule;
  if (named.length === 0) return draw(RULES, Number(values.seed), Number(values.count));
  return RULES.filter(({ id }) =>
    named.some(each => id === each || (each.endsWith('.') && id.startsWith(each))),
  );
}

/** Every break of the rule has to be noticed. */
async function tryBreaks(rule: Rule): Promise<string> {
  const breaks = BREAKS.filter(each => each.rule === rule.id);
  if (breaks.length === 0) return 'NO BREAK WRITTEN';
  const { failed, ran } = await tried(rule);
  if (failed.length > 0) return `FAILS UNBROKEN: ${failed[0]}`;
  if (!ran) return 'NOT TRIED: a file of it ran no test here';
  for (const each of breaks) {
    const fault = await tryBreak(rule, each);
    if (fault) return fault;
  }
  return `held (${breaks.map(({ file }) => file).join(', ')})`;
}

/** What is wrong; null when one of the tests fails with the break. */
async function tryBreak(rule: Rule, { file, find, replace }: Break): Promise<string | null> {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  if (before.split(find).length !== 2) return `THE BREAK DOES NOT FIT ${file} any more`;
  writeFileSync(
    path,
    before.replace(find, () => replace),
  );
  try {
    build(file);
    const { failed } = await tried(rule);
    return failed.length > 0
      ? null
      : `NOT HELD: the named test passes with the rule broken in ${file}: ${find}`;
  } finally {
    writeFileSync(path, before);
    build(file);
  }
}

/**
 * Which of the tests fail, and whether each of their files ran one. A file that cannot be loaded proves nothing, so its
 * tests do not count as failing.
 */
async function tried({ tests, nodes }: Rule): Promise<{ failed: string[]; ran: boolean }> {
  const failed: string[] = [];
  let ran = true;
  for (const [file, named] of Map.groupBy(tests, ({ file }) => file)) {
    const output = await run(file, named, nodes);
    ran &&= RAN.test(output);
    const names = [...output.matchAll(FAILED)].map(([, name = '']) => name);
    failed.push(...names.filter(test => named.some(({ name }) => isNamed(test, name))));
  }
  return { failed, ran };
}

function run(file: string, tests: readonly TestName[], nodes: number): Promise<string> {
  return new Promise(resolve => {
    const env = {
      ...process.env,
      ...{ NO_COLOR: '1', FORCE_COLOR: '0' },
      ...{ TEST_LIMIT_MS: String(TEST_LIMIT_MS), TEST_FILE_LIMIT_MS: String(FILE_LIMIT_MS) },
      ...(ALONE.test(file) && { TEST_ONLY: JSON.stringify(tests.map(({ name }) => name)) }),
    };
    const words = nodes > 1 ? ['test/support/run-postgres.ts', '--nodes', String(nodes), file] : [file];
    // What a break leaves running must not stall the others; the tests have been told by then.
    const limits = { timeout: FILE_LIMIT_MS * nodes, killSignal: 'SIGKILL' } as const;
    const child = spawn(process.execPath, words, {
      cwd: copy,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...limits,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (output += part));
    child.on('close', () => resolve(output));
  });
}

function build(file: string): void {
  if (file.startsWith('assembly/')) execFileSync('npm', ['run', '-s', 'build'], { cwd: copy });
}

/** Files of the checkout as they are now, and the packages by a link. */
function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'broken-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean))
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '-s', 'build'], { cwd: folder });
  return folder;
}
