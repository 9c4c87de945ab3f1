/** The test of the test command: whatever hides a failure from uvu must fail the run, and the run must say which file. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('repo: runner');
const ROOT = join(import.meta.dirname, '../..');
const folder = tempFolder();

const HEAD = `
  import * as assert from ${JSON.stringify(pathToFileURL(join(ROOT, 'node_modules/uvu/assert/index.mjs')))};
  import { suite } from ${JSON.stringify(pathToFileURL(join(ROOT, 'test/support/suite.ts')))};
  const test = suite('planted');
`;
const GOOD = "test('good', () => {});";
const HOLDER = "spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })";

/** What is planted, and what the run must say of it. */
const PLANTED: Record<string, [string, RegExp]> = {
  'throwing before hook': [
    `test.before(() => { throw new Error('no setup'); }); ${GOOD} test.run();`,
    /no setup/,
  ],
  'throwing after hook': [
    `test.after(() => { throw new Error('not cleaned'); }); ${GOOD} test.run();`,
    /not cleaned/,
  ],
  'thrown text': [`test('bad', () => { throw 'just text'; }); ${GOOD} test.run();`, /just text/],
  'thrown nothing': [`test('bad', async () => { throw undefined; }); ${GOOD} test.run();`, /not an Error/],
  'missing run': [GOOD, /1 of 1 tests never ran/],
  'missing run of one of two suites': [
    `${GOOD} test.run(); const other = suite('other'); other('lost', () => {});`,
    /1 of 2 tests never ran/,
  ],
  'test written after run': [`${GOOD} test.run(); test('lost', () => {});`, /1 of 2 tests never ran/],
  'no tests': ['test.run();', /ran no test/],
  'empty file': ['', /before reporting/],
  'hanging test': [
    `test('stuck', () => new Promise(() => {})); ${GOOD} test.run();`,
    /stuck: no end after 250 ms/,
  ],
  'hanging hook': [
    `test.before(() => new Promise(() => {})); ${GOOD} test.run();`,
    /before: no end after 250 ms/,
  ],
  'hanging process': [`setInterval(() => {}, 1000); ${GOOD} test.run();`, /no end after 2500 ms/],
  'endless loop': [`test('loop', () => { for (;;); }); test.run();`, /no end after 2500 ms/],
  'early exit': [`test('leaves', () => process.exit(0)); ${GOOD} test.run();`, /before reporting/],
  'exit before the tests': [`${GOOD} test.run(); process.exit(0);`, /never ran/],
  'unhandled rejection': [`${GOOD} test.run(); Promise.reject(new Error('forgotten'));`, /forgotten/],
  'error after the tests': [
    `${GOOD} test.run(); setTimeout(() => { throw new Error('afterwards'); }, 100);`,
    /afterwards/,
  ],
  'counts of another run in the output': [
    `console.log('Total: 5\\nPassed: 5\\nSkipped: 0'); test('bad', () => assert.ok(false)); test.run();`,
    /1 of 1 tests did not pass/,
  ],
  'hanging process that holds others': [
    `import { spawn } from 'node:child_process'; ${HOLDER};
     ${GOOD} test.run();`,
    /no end after 2500 ms/,
  ],
};

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Puts the files into a folder of their own and runs it. */
function runOf(name: string, files: Record<string, string>): Promise<Run> {
  const place = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(place);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
  const child = spawn(process.execPath, [join(ROOT, 'test/support/run.ts'), place], {
    env: { ...process.env, TEST_LIMIT_MS: '250', TEST_FILE_LIMIT_MS: '2500' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  return new Promise(done => child.on('close', code => done({ code, output })));
}

const closing = (output: string) => output.trimEnd().split('\n').at(-1) ?? '';

test('every planted fault, beside a good file, fails the run, which names the file and the fault', async () => {
  const names = Object.keys(PLANTED);
  const files = Object.fromEntries(
    Object.entries(PLANTED).map(([name, [text]]) => [`${name.replaceAll(' ', '-')}.test.ts`, HEAD + text]),
  );
  const { code, output } = await runOf('all', { ...files, 'fine.test.ts': `${HEAD}${GOOD} test.run();` });
  assert.is(code, 1, output);
  assert.match(output, /^ok {3}\S+fine\.test\.ts {2}1 passed/m);
  const [, failed] = /^\d+ passed, (\d+) failed$/.exec(closing(output)) ?? [];
  assert.ok(Number(failed) >= names.length, output);
  const parts = output.split(/^(?=ok {3}|FAIL )/m);
  for (const [name, [, reason]] of Object.entries(PLANTED)) {
    const part = parts.find(
      text => text.startsWith('FAIL') && text.includes(`/${name.replaceAll(' ', '-')}.test.ts`),
    );
    assert.ok(part, `passed: ${name}`);
    assert.match(part, reason, name);
  }
});

test('good files pass, and the closing line adds them up', async () => {
  const two = `${HEAD}${GOOD} test('better', async () => {}); test.run();`;
  const { code, output } = await runOf('good', {
    'a.test.ts': two,
    'b.test.ts': `${HEAD}${GOOD} test.run();`,
  });
  assert.is(code, 0, output);
  assert.is(closing(output), '3 passed, 0 failed');
});

test('what a good file leaves running ends with it, and does not hold the run up', async () => {
  const leave = `import { spawn } from 'node:child_process';
    const left = ${HOLDER}; left.unref(); console.log('left ' + left.pid + '.');
    test('bad on purpose, to see the output', () => assert.ok(false)); test.run();`;
  const { output } = await runOf('leaving', { 'leaving.test.ts': HEAD + leave });
  const pid = Number(/left (\d+)\./.exec(output)?.[1]);
  assert.ok(pid > 0, output);
  const alive = () => {
    try {
      return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 100 && alive(); i++) await new Promise(resume => setTimeout(resume, 20));
  assert.not.ok(alive());
});

test('a folder without tests is a failure', async () => {
  const { code, output } = await runOf('empty', { 'helper.ts': '' });
  assert.is(code, 1);
  assert.is(closing(output), '0 passed, 1 failed');
});

test('a run that is ended by a signal ends its files, and leaves no folder in memory', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const place = join(folder, signal);
    mkdirSync(join(place, 'test'), { recursive: true });
    const hold = `import { writeFileSync } from 'node:fs';
      test('held', () => { writeFileSync('held', 'in ' + (process.env.TMPDIR ?? '')); return new Promise(() => setInterval(() => {}, 1000)); });
      test.run();`;
    writeFileSync(join(place, 'test/held.test.ts'), HEAD + hold);
    const { TMPDIR, ...env } = process.env;
    const child = spawn(process.execPath, [join(ROOT, 'test/support/run.ts')], { cwd: place, env });
    const ended = new Promise(done => child.on('exit', (code, by) => done([code, by])));
    const held = join(place, 'held');
    while (!existsSync(held) || readFileSync(held, 'utf8') === '')
      await new Promise(resume => setTimeout(resume, 20));
    // Nothing after the word: this machine has too little memory for such a folder.
    const memory = readFileSync(held, 'utf8').slice('in '.length);
    child.kill(signal);
    assert.equal(await ended, [1, null], signal);
    assert.not.ok(existsSync(memory), `${signal} left ${memory}`);
  }
});

test('every test file of the project is found by the test command and uses its suite', () => {
  const files = globSync('test/**/*.{ts,js,mjs}', { cwd: ROOT });
  assert.ok(files.length > 10);
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const runs = /^\w+\.run\(\);$/m.test(text);
    assert.is(
      runs,
      file.endsWith('.test.ts'),
      `${file}: a file that runs tests is named *.test.ts, and no other is`,
    );
    if (!runs) continue;
    assert.match(text, /from '[./]+support\/suite\.ts'/, file);
    assert.not.match(text, /^import .* from 'uvu';$/m, `${file} uses uvu itself, which believes too much`);
  }
});

test.run();
