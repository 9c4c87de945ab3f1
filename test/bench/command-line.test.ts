/** The command line of the bench: help at once, every option known, and wrong ones refused before anything is built. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { commandLine, help } from '../../bench/command-line.ts';
import { planned } from '../../bench/search/planned.ts';
import { COMMON, NAMES, TRIALS } from '../../bench/trials.ts';
import { WrongUsage } from '../../bench/wrong-usage.ts';
import { suite } from '../support/suite.ts';
import { failureOf } from './queries.ts';

const test = suite('bench, command line');
const ROOT = join(import.meta.dirname, '../..');
/** Prints every module that is loaded. */
const SPY = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });",
)}`;

function bench(...args: string[]) {
  const main = join(ROOT, 'bench/main.ts');
  return spawnSync(process.execPath, ['--import', SPY, main, ...args], { encoding: 'utf8', cwd: ROOT });
}

test('help has a line for every trial and option', () => {
  const lines = help().split('\n');
  for (const name of NAMES)
    for (const word of [name, ...Object.keys({ ...COMMON, ...TRIALS[name].options }).map(one => `--${one}`)])
      assert.ok(
        lines.some(line => line.startsWith(`  ${word} `)),
        word,
      );
  assert.is(Math.max(...lines.map(line => line.length)) <= 120, true);
});

test('help and refusals load neither the build nor an engine, and npm builds nothing before them', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.is(scripts.prebench, undefined);
  for (const [args, status] of [
    [['--help'], 0],
    [['encoder', '-h'], 0],
    [['--quik'], 2],
  ] as const) {
    const ran = bench(...args);
    assert.is(ran.status, status, args.join(' '));
    const loaded = ran.stderr.split('\n').filter(line => line.startsWith('file:'));
    assert.ok(loaded.length > 3 && loaded.length < 12, `${loaded.length} modules`);
    assert.not.match(loaded.join('\n'), /src\/build|bench\/search|adapters/);
    if (status === 0) assert.is(ran.stdout, `${help()}\n`);
    else assert.match(ran.stderr, /Unknown option '--quik'\nnpm run bench -- --help lists/);
  }
});

test('a wrong trial, option or value is refused with what is meant', () => {
  const cases: [string[], RegExp][] = [
    [['serch'], /^there is no trial "serch": did you mean search\?$/],
    [['everything'], /^there is no trial "everything"; there are search, calls, /],
    [['calls', 'exact'], /^Unexpected argument 'exact'/],
    [['calls', '--quick'], /^Unknown option '--quick'/],
    [['--file='], /^--file needs a value$/],
    [['--engine', 'a.ts', '--engine='], /^--engine needs a value$/],
  ];
  for (const [args, wanted] of cases) {
    try {
      commandLine(args);
      assert.unreachable(args.join(' '));
    } catch (error) {
      assert.instance(error, WrongUsage);
      assert.match((error as Error).message, wanted);
    }
  }
  assert.is(commandLine([])?.trial, 'search');
  assert.equal(commandLine(['--engine', 'a.ts', '--engine', 'b.ts'])?.values.engine, ['a.ts', 'b.ts']);
  assert.is(commandLine(['calls', '--json', 'x', '--help']), null);
});

test('wrong names and sizes of a search are refused', async () => {
  const none = { quick: true, check: false, accept: false, publish: false, own: [] };
  const cases: [Partial<Parameters<typeof planned>[0]>, RegExp][] = [
    [{ engines: ['wasn'] }, /^there is no engine "wasn": did you mean wasm\?$/],
    [{ engines: ['pinecone'] }, /^there is no engine "pinecone"; there are wasm, js, /],
    [{ data: ['eassy'] }, /^there is no data set "eassy": did you mean easy\?$/],
    [{ data: ['families'] }, /^--quick has only the data sets faces, easy and hard: leave it out$/],
    [{ sizes: [5000] }, /^--sizes: 5000 is not measured here; there are 10000, 100000$/],
    [{ sizes: [Number.NaN] }, /^--sizes: must be whole numbers, like 10000,100000$/],
    [{ file: 'x.fvecs', data: ['easy'] }, /^--file replaces the data sets: leave out --data$/],
    [{ file: 'x.fvecs', publish: true }, /^--publish is for the engines and data sets in bench\/: leave out/],
    [{ own: ['x.ts'], accept: true }, /^--accept is for the engines/],
    [{ own: ['x.ts'], check: true }, /^--check is for the engines/],
    [{ file: 'x.npy' }, /^--file: x\.npy must end in \.jsonl or \.fvecs$/],
  ];
  for (const [given, wanted] of cases) {
    const error = await failureOf(planned({ ...none, ...given }));
    assert.instance(error, WrongUsage, String(wanted));
    assert.match(error.message, wanted);
  }
  const plan = await planned({ ...none, engines: ['js'], sizes: [10_000] });
  assert.equal([[...plan.names], plan.galleries.map(({ n }) => n)], [['js'], [10_000, 10_000, 10_000]]);
});

test.run();
