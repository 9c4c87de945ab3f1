/** A build is left out only where it would make the same again. */
import { globSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import * as assert from 'uvu/assert';
import { bringUpToDate, type Step } from '../../src/build/stamp.ts';
import { STEPS } from '../../src/build/steps.ts';
import { importsOf } from '../repo/imports.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('build: steps');

/** A project in small: two files go in, two come out. */
function project() {
  const root = tempFolder();
  const at = (file: string) => join(root, file);
  for (const folder of ['in/deep', 'dist/out']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('in/a'), 'one');
  writeFileSync(at('in/deep/b'), 'two');
  let made = 0;
  let during = () => {};
  const step: Step = {
    name: 'step',
    inputs: ['in/**'],
    output: 'dist/out',
    make() {
      made++;
      writeFileSync(at('dist/out/first'), readFileSync(at('in/a')));
      during();
      writeFileSync(at('dist/out/second'), 'made');
    },
  };
  return {
    at,
    run: () => bringUpToDate(root, step),
    made: () => made,
    interrupt(by: () => void) {
      during = by;
    },
  };
}

test('what is up to date is left alone', async () => {
  const { run, made } = project();
  assert.equal([await run(), await run(), await run()], [true, false, false]);
  assert.is(made(), 1);
});

const changes: readonly [string, (at: (file: string) => string) => void][] = [
  [
    'a file that went in has other contents, with the size and times of before',
    at => {
      const { atime, mtime } = statSync(at('in/a'));
      writeFileSync(at('in/a'), 'eno');
      utimesSync(at('in/a'), atime, mtime);
    },
  ],
  ['a file that went in is missing', at => rmSync(at('in/deep/b'))],
  ['a file is new', at => writeFileSync(at('in/deep/c'), '')],
  [
    'a file is called otherwise',
    at => {
      writeFileSync(at('in/c'), readFileSync(at('in/deep/b')));
      rmSync(at('in/deep/b'));
    },
  ],
  ['a file that was made is missing', at => rmSync(at('dist/out/second'))],
  ['a file that was made is damaged', at => writeFileSync(at('dist/out/second'), 'madf')],
  ['another file lies among those that were made', at => writeFileSync(at('dist/out/third'), '')],
  ['all that was made is missing', at => rmSync(at('dist/out'), { recursive: true })],
  ['the stamp is damaged', at => writeFileSync(at('dist/stamps/step'), 'half')],
];
for (const [what, change] of changes)
  test(`it is made again, once, when ${what}`, async () => {
    const { at, run, made } = project();
    await run();
    change(at);
    mkdirSync(at('dist/out'), { recursive: true });
    assert.equal([await run(), await run()], [true, false]);
    assert.is(made(), 2);
  });

test('one that was interrupted is made again, even if its files look as before', async () => {
  const { at, run, interrupt } = project();
  await run();
  writeFileSync(at('in/a'), 'another');
  interrupt(() => {
    throw new Error('killed');
  });
  await run().then(
    () => assert.unreachable(),
    error => assert.is(error.message, 'killed'),
  );
  writeFileSync(at('in/a'), 'one');
  writeFileSync(at('dist/out/first'), 'one');
  interrupt(() => {});
  assert.equal([await run(), await run()], [true, false]);
});

test('what changes during a build is not taken for built', async () => {
  const { at, run, interrupt } = project();
  interrupt(() => writeFileSync(at('in/a'), 'late'));
  await run();
  interrupt(() => {});
  assert.equal([await run(), await run()], [true, false]);
  assert.is(readFileSync(at('dist/out/first'), 'utf8'), 'late');
});

test('the inputs name all that the core, the SDK and the portal are made of', () => {
  const [core, sdk, portal] = STEPS as [Step, Step, Step];
  const covers = (step: Step, file: string) => step.inputs.some(pattern => matchesGlob(file, pattern));
  for (const step of STEPS)
    for (const file of ['package.json', 'package-lock.json', 'src/build/steps.ts', 'src/build/stamp.ts'])
      assert.ok(covers(step, file), `${step.name}: ${file}`);
  for (const file of ['asconfig.json', ...globSync('assembly/**/*.ts', { cwd: ROOT })])
    assert.ok(covers(core, file), file);
  for (const file of globSync('src/portal/app/**/*.*', { cwd: ROOT })) assert.ok(covers(portal, file), file);
  assert.ok(covers(portal, 'src/build/portal.ts') && covers(portal, 'tsconfig.json'));
  const left = globSync('src/sdk/**/*.{ts,tsx}', { cwd: ROOT });
  const seen = new Set<string>(['tsconfig.json', 'LICENSE', 'src/sdk/browser/README.md']);
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (!/\.tsx?$/.test(file)) continue;
    const below = file.slice('src/'.length);
    for (const { to } of importsOf(below, readFileSync(join(ROOT, file), 'utf8')))
      if (globSync(join('src', to), { cwd: ROOT }).length > 0) left.push(join('src', to));
  }
  assert.ok(
    [...seen].some(file => file.startsWith('src/protocol/')),
    'imports were followed',
  );
  assert.equal(
    [...seen].filter(file => !covers(sdk, file)),
    [],
  );
});

test.run();
