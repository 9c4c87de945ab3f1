/**
 * The bench as a process, as bench/README.md tells: the example engine beside the core, an engine that is wrong, and
 * vectors of a file. Long, because each run measures.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { easyFaces, textOfLines } from '../support/labelled.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { snippetIn } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, runs');

/** A folder that looks like the repository, in which the page's commands are run. */
function project(): string {
  const root = tempFolder();
  for (const name of [
    'assembly',
    'asconfig.json',
    'bench',
    'dist',
    'node_modules',
    'package.json',
    'src',
    'test',
  ])
    symlinkSync(join(ROOT, name), join(root, name));
  return root;
}
const EXAMPLE = snippetIn('bench/README.md', 'engine');
const COMMAND = snippetIn('bench/README.md', 'engine-run').trim();

/** With a temporary folder of its own, so that everything left behind is seen. */
function run(root: string, command: string) {
  const temporary = join(root, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const env = { ...process.env, TMPDIR: temporary };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8', env });
  return { status, stdout, stderr, left: readdirSync(temporary) };
}

test('the example on the page is compared with the core as the page tells, and five sentences end the run', () => {
  const root = project();
  writeFileSync(join(root, 'mine.ts'), EXAMPLE);
  assert.match(COMMAND, /^npm run bench -- --quick --engine \.\/mine\.ts /);
  const { status, stdout, stderr } = run(root, COMMAND);
  assert.is(status, 0, stderr);
  assert.match(stdout, /^mine +faces +10000 +1 +1 +genuine +warm .* 1 +0 +20$/m);
  const sentences = stdout.trimEnd().split('\n\n').at(-1)?.split('\n') ?? [];
  assert.is(sentences.length, 5, stdout);
  assert.is(
    sentences[0],
    'The core answered 80 queries with 0 mismatches against the float64 reference; plain JavaScript and mine, which ' +
      'promise to be exact, answered 160 queries with 0 mismatches.',
  );
  assert.match(sentences[1] ?? '', /^With 10,000 templates \(faces\) and one probe, the core was .* mine/);
  assert.match(sentences[2] ?? '', /; plain JavaScript 516 and mine 512\.$/);
});

test('an engine that promises to be exact and is wrong once ends the run with exit code 1 and no figure', () => {
  const root = project();
  const once = EXAMPLE.replace(
    'return { template,',
    'if (++calls === 7) template = 0;\n      return { template,',
  );
  writeFileSync(join(root, 'mine.ts'), `let calls = 0;\n${once}`);
  assert.not.equal(once, EXAMPLE);
  const { status, stdout, stderr } = run(root, COMMAND);
  assert.equal([status, stdout.includes('median_ms')], [1, false], stderr);
  assert.match(
    stderr,
    /^mine is wrong in 1 of 20 queries .*no figure is shown; query 7: the nearest is template \d+/m,
  );
});

test('vectors of a file are searched and leave nothing behind; a wrong file ends the run with its line', () => {
  const root = project();
  const faces = textOfLines(easyFaces(80, 4));
  writeFileSync(join(root, 'faces.jsonl'), faces);
  const command = 'npm run -s bench -- --quick --engines wasm,js --file';
  const good = run(root, `${command} faces.jsonl`);
  assert.is(good.status, 0, good.stderr);
  assert.equal(good.left, []);
  assert.match(good.stderr, /^faces\.jsonl: the gallery is the first descriptor of each of 72 people; /m);
  assert.match(good.stdout, /^wasm +faces\.jsonl +72 +3 +1 +stranger +warm .* 1 +0 /m);
  assert.not.match(good.stdout, /at most 590/, 'the targets are for other galleries');
  assert.match(good.stdout, /^This holds for the vectors of faces\.jsonl, /m);

  writeFileSync(join(root, 'bad.jsonl'), `${faces}{}\n`);
  const bad = run(root, `${command} bad.jsonl`);
  assert.equal([bad.status, bad.stdout, bad.left], [1, '', []]);
  assert.match(bad.stderr, /^bad\.jsonl: line 321: person: must be/m);
});

test.run();
