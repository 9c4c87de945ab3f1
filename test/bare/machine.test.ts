/** The executable on machines that have nothing: what it needs of them, and what an operator reads when that is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { engineFor } from '../../src/executable/engine.ts';
import { ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { type Machine, machine } from './machines.ts';

const test = suite('bare machines');
/** Debian 12, and Debian 11 whose glibc is too old. */
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

test('an older glibc than the database engine needs: one line, which names it', () => {
  const { code, out, err } = machines.old.run(['serve']);
  assert.equal([code, out], [1, '']);
  assert.match(
    err,
    /^face-sign-in: the database engine does not run on this machine: it needs glibc 2\.\d+ or newer .*\n$/,
  );
  assert.is(machines.old.run(['--help']).code, 0);
});

test('what the documents say of glibc is what the engine asks for', () => {
  const { glibc } = engineFor(`${process.platform}-${process.arch}`);
  assert.is(glibc, '2.34');
  for (const document of ['src/executable/README.md', 'src/cli/README.md']) {
    const text = readFileSync(join(ROOT, document), 'utf8');
    assert.ok(text.includes(`glibc ${glibc} or newer`), document);
  }
});

test.run();
