/** The executable on machines that have nothing: what it needs of them, and what an operator reads when that is missing. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { engineFor } from '../../src/executable/engine/engine.ts';
import { ROOT } from '../cli/process.ts';
import { suite } from '../support/suite.ts';
import { type Machine, machine } from './machines.ts';

const test = suite('bare machines');
/** Debian 12, and Debian 11 with its older glibc. */
let machines: { readonly present: Machine; readonly old: Machine };

test.before(() => {
  machines = { present: machine('bookworm', ['libatomic1']), old: machine('bullseye', ['libatomic1']) };
});
test.after(() => {
  for (const each of Object.values(machines ?? {})) each.remove();
});

test('with libstdc++6 and libatomic1 it works, and needs neither Node.js, nor /proc, nor a shell', () => {
  const { run, root } = machines.present;
  assert.equal(readdirSync(join(root, 'proc')), []);
  const version = run(['--version', '--json']);
  assert.equal([version.code, version.err], [0, '']);
  const { code, out, err } = run(['app', 'list', '--json']);
  assert.equal([code, out], [1, '']);
  assert.match(JSON.parse(err).error.message, /^there is no database /);
  const { steps } = JSON.parse(run(['demo', '--json']).out);
  assert.ok(steps.length > 3, 'a server, a sign-in');
});

test('a library that is missing: one line, which names it', () => {
  for (const library of ['libatomic.so.1', 'libstdc++.so.6']) {
    const back = machines.present.without(library);
    const { code, out, err } = machines.present.run(['--version']);
    back();
    assert.equal([code, out], [127, '']);
    assert.is(
      err,
      `/srv/app/face-sign-in: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory\n`,
    );
  }
});

test('the database engine that is compiled here runs where glibc is older than on this machine', () => {
  const { steps } = JSON.parse(machines.old.run(['demo', '--json']).out);
  assert.ok(steps.length > 3, 'a server, a sign-in');
});

test('an older glibc than the prebuilt database engine needs: one line, which names it', () => {
  const older = join(machines.old.root, 'srv/app/face-sign-in');
  execFileSync(process.execPath, ['src/executable/main.ts', '--engine', 'prebuilt', '--out', older], {
    cwd: ROOT,
  });
  const { code, out, err } = machines.old.run(['serve']);
  assert.equal([code, out], [1, '']);
  assert.match(
    err,
    /^face-sign-in: the database engine does not run on this machine, which needs glibc 2\.\d+ or newer .*\n$/,
  );
  assert.is(machines.old.run(['--help']).code, 0);
});

test('what the README of the executable says of glibc is what the engines ask for', async () => {
  const readme = readFileSync(join(ROOT, 'src/executable/README.md'), 'utf8');
  for (const [choice, expected] of [
    ['compiled', '2.28'],
    ['prebuilt', '2.34'],
  ] as const) {
    const { glibc } = await engineFor(`${process.platform}-${process.arch}`, choice);
    assert.is(glibc, expected);
    assert.ok(readme.includes(`glibc ${glibc}`), glibc);
  }
});

test.run();
