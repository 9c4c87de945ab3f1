/** The tarballs of the SDK packages: one version, the same bytes from every build, and all of them or none. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { packAll, TARBALLS } from '../../src/sdk/build/pack.ts';
import { PACKAGES, tarballOf } from '../../src/sdk/build/packages.ts';
import { VERSION } from '../../src/version.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('SDK: tarballs');
const [one, two] = [tempFolder(), tempFolder()];
const build = (out: string, umask: string) =>
  execFileSync('sh', [
    '-c',
    `umask ${umask}; exec "$0" src/sdk/build/main.ts --out "$1"`,
    process.execPath,
    out,
  ]);
const contents = (out: string) =>
  new Map(
    readdirSync(join(out, TARBALLS)).map(name => [name, readFileSync(join(out, TARBALLS, name), 'base64')]),
  );

test.before(() => {
  process.chdir(ROOT);
  build(one, '022');
  build(two, '077');
});

test('one for each package, with the version of the service in it', () => {
  assert.equal([...contents(one).keys()], PACKAGES.map(tarballOf).sort());
  for (const of of PACKAGES) {
    const tarball = join(one, TARBALLS, tarballOf(of));
    const file = (name: string) => execFileSync('tar', ['xzOf', tarball, `package/${name}`]).toString();
    const { name, version } = JSON.parse(file('package.json'));
    assert.equal([name, version], [of.name, VERSION]);
    assert.match(file('README.md'), new RegExp(`^# ${name}\n`));
    assert.match(file('LICENSE'), /MIT/);
    assert.match(file('index.js'), new RegExp(`^/\\* ${name} ${VERSION.replaceAll('.', '\\.')}, MIT`));
  }
});

test('two builds in two folders, as users with other masks, give the same bytes', () => {
  assert.equal(contents(two), contents(one));
});

test('npm that fails or is missing: its reason, and the tarballs of before stay', async () => {
  const before = contents(two);
  const folders = readdirSync(two);
  const { PATH } = process.env;
  const why = () =>
    packAll(PACKAGES, two).then(
      () => 'packed',
      (error: Error) => error.message,
    );
  process.env.PATH = '';
  assert.is(await why(), 'the SDK packages could not be packed: npm is not on the PATH');
  process.env.PATH = PATH;
  writeFileSync(join(two, 'server/package.json'), '{');
  assert.match(await why(), /could not be packed: npm error .*JSON/);
  assert.equal(contents(two), before);
  assert.equal(readdirSync(two), folders, 'nothing else is left');
});

test.run();
