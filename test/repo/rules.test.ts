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
import { isNamed } from '../support/test-name.ts';

const test = suite('repo: rules');
const ROOT = join(import.meta.dirname, '../..');

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

/** What is wrong with a row; empty when nothing is. */
function faultsOf({ id, tests }: Rule, known: Names): string[] {
  return tests.flatMap(({ file, name }) => {
    const all = known.get(file);
    if (!all) return [`${id}: there is no file ${file}`];
    const found = [...all].filter(test => isNamed(test, name));
    if (name === '' || found.length === 0) return [`${id}: ${file} has no test "${name}"`];
    const isOne = found.length === 1 || all.has(name) || name.endsWith('…');
    return isOne ? [] : [`${id}: ${file} has ${found.length} tests "${name}": name one, or end it with …`];
  });
}

test('every rule names tests that exist', () => {
  const all = [...names.values()].reduce((sum, { size }) => sum + size, 0);
  console.log(`${RULES.length} rules, ${all} tests`);
  assert.ok(RULES.length > 300 && all > 1_000, 'rules and tests were found');
  assert.equal(
    RULES.flatMap(rule => faultsOf(rule, names)),
    [],
  );
});

test('no id stands twice, and each has its form', () => {
  const ids = RULES.map(({ id }) => id);
  assert.equal(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
  for (const id of ids) assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
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
