/** `npm run release`: every file, right checksums, the same packages every time, and a whole folder or the old one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { PACKAGES, tarballOf } from '../../src/sdk/build/packages.ts';
import { VERSION } from '../../src/version.ts';
import type { Json } from '../support/client.ts';
import { cli, type Env, ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('release');
const EXECUTABLE = `face-sign-in-${VERSION}-${process.platform}-${process.arch}`;
const SBOM = `face-sign-in-${VERSION}.cdx.json`;
const tarballs = PACKAGES.map(tarballOf);
const out = join(tempFolder(), 'made/release');
const file = (name: string) => join(out, name);
const main = (folder: string, env: Env = {}) =>
  cli(['--out', folder], env, { entry: [join(ROOT, 'src/release/main.ts')] });

test.before(async () => {
  const ran = await main(out);
  assert.equal([ran.code, ran.stderr], [0, '']);
  assert.match(ran.stdout, new RegExp(`\nversion ${VERSION.replaceAll('.', '\\.')}, commit `));
});

test('every package, the executable, what is in it, what is new, and sums that are right', () => {
  const names = [...tarballs, EXECUTABLE, SBOM, 'CHANGELOG.md'].sort();
  assert.equal(readdirSync(out).sort(), [...names, 'SHA256SUMS'].sort());
  const checked = execFileSync('sha256sum', ['-c', '--strict', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' });
  assert.is(checked, names.map(name => `${name}: OK\n`).join(''));
  assert.match(readFileSync(file('CHANGELOG.md'), 'utf8'), new RegExp(`^# face-sign-in ${VERSION}\n\n\\S`));
  for (const name of names)
    assert.is(statSync(file(name)).mode & 0o777, name === EXECUTABLE ? 0o755 : 0o644, name);
});

test('the executable is of this version', () => {
  const printed = execFileSync(file(EXECUTABLE), ['--version', '--json'], { encoding: 'utf8', env: {} });
  assert.is(JSON.parse(printed).version, VERSION);
});

test('the SBOM names every package in the executable with its version, and no tool of builds and tests', () => {
  const bom = JSON.parse(readFileSync(file(SBOM), 'utf8'));
  assert.equal([bom.bomFormat, bom.specVersion], ['CycloneDX', '1.5']);
  const { name, version, type } = bom.metadata.component;
  assert.equal([name, version, type], ['face-sign-in', VERSION, 'application']);
  const listed = new Set<string>(bom.components.map((each: Json) => `${each.name} ${each.version}`));
  const licences = execFileSync(file(EXECUTABLE), ['--licences'], { encoding: 'utf8', env: {} });
  const bundled = [...licences.matchAll(/^-{80}\n\n(\S+ \S+) \(/gm)].map(([, each = '']) => each);
  assert.ok(bundled.length > 50, `${bundled.length} packages in the executable`);
  assert.equal(
    bundled.filter(each => !listed.has(each)),
    [],
  );
  const byRef = new Map<string, string>(
    bom.components.map((each: Json) => [each['bom-ref'], `${each.name} ${each.version}`]),
  );
  const root = bom.dependencies.find(({ ref }: Json) => ref === bom.metadata.component['bom-ref']);
  assert.equal(
    root.dependsOn.map((ref: string) => byRef.get(ref)).filter((each: string) => !bundled.includes(each)),
    [],
    'only what is in the executable',
  );
  for (const { name: each, purl, hashes, licenses } of bom.components) {
    assert.match(purl, /^pkg:npm\//, each);
    assert.ok(hashes?.length > 0 && licenses?.length > 0, each);
  }
  assert.not.match(JSON.stringify(bom), /\/tmp\/|assemblyscript|esbuild|typescript|playwright/);
});

test('a second time: the same packages, and nothing is left of the first', async () => {
  const before = tarballs.map(name => readFileSync(file(name), 'base64'));
  writeFileSync(file('left.txt'), 'from before');
  assert.is((await main(out)).code, 0);
  assert.equal(
    tarballs.map(name => readFileSync(file(name), 'base64')),
    before,
  );
  assert.not.ok(readdirSync(out).includes('left.txt'));
  assert.equal(readdirSync(join(out, '..')), ['release']);
});

test('a step that fails: one line, the old folder stays, and no half of a new one', async () => {
  const folder = join(tempFolder(), 'release');
  mkdirSync(folder);
  writeFileSync(join(folder, 'kept.txt'), 'kept');
  // The SBOM is the last step that can fail, after all copies.
  const ran = await main(folder, { PATH: '' });
  assert.is(ran.code, 1);
  assert.is(ran.stdout, '');
  assert.is(ran.stderr, 'face-sign-in: no release: the SBOM could not be made: npm is not on the PATH\n');
  assert.equal(readdirSync(folder), ['kept.txt']);
  assert.equal(readdirSync(join(folder, '..')), ['release']);
});

test.run();
