/** Every rule has a test, and it is there. What the test is worth only breaking the rule can show. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { RULES } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { anchorsIn, readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: rules');
const ROOT = join(import.meta.dirname, '../..');
const MARK = ' › ';

type Names = ReadonlyMap<string, ReadonlySet<string>>;
let names: Names;

test.before(async () => {
  // What a file makes while it is loaded goes into a folder that goes: its hooks, which clean up, do not run.
  const folder = mkdtempSync(join(tmpdir(), 'test-names-'));
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'test/repo/test-names.ts')],
      { env: { ...process.env, TMPDIR: folder }, maxBuffer: 64 * 1024 * 1024 },
    );
    if (stderr !== '') console.error(stderr);
    const found = Object.entries(JSON.parse(stdout) as Record<string, string[]>);
    names = new Map(found.map(([file, all]) => [file, new Set(all)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const testsOf = ({ test: named }: Rule): readonly string[] => (typeof named === 'string' ? [named] : named);

/** What is wrong with a row; empty when nothing is. */
function faultsOf(rule: Rule, known: Names): string[] {
  const tests = testsOf(rule);
  if (tests.length === 0 || tests.includes('')) return [`${rule.id}: no test holds "${rule.rule}"`];
  return tests.flatMap(named => {
    const [file = '', ...rest] = named.split(MARK);
    const all = known.get(file);
    if (!all) return [`${rule.id}: there is no file ${file}`];
    return all.has(rest.join(MARK)) ? [] : [`${rule.id}: ${file} has no test "${rest.join(MARK)}"`];
  });
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

test('every rule names tests that exist', () => {
  const all = [...names.values()].reduce((sum, { size }) => sum + size, 0);
  const named = new Set(RULES.flatMap(testsOf));
  console.log(`${RULES.length} rules, held by ${named.size} of ${all} tests`);
  assert.ok(RULES.length > 300 && all > 1_000, 'rules and tests were found');
  assert.equal(
    RULES.flatMap(rule => faultsOf(rule, names)),
    [],
  );
});

test('no id and no rule stands twice, and each says what it is in one line', () => {
  assert.equal(repeated(RULES.map(({ id }) => id)), []);
  assert.equal(repeated(RULES.map(({ rule }) => rule.toLowerCase())), []);
  for (const { id, rule } of RULES) {
    assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.match(rule, /^\S.{10,140}\.$/, id);
  }
});

test('every rule stands in a document of the repository, below a heading that exists', () => {
  const cited = [...new Set(RULES.map(({ from }) => from))];
  const missing = cited.filter(from => {
    const [file = '', anchor = ''] = from.split('#');
    return !existsSync(join(ROOT, file)) || !anchorsIn(readDocument(file)).includes(anchor);
  });
  assert.equal(missing, []);
});

test.run();
