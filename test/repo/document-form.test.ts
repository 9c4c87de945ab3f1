/** How the documents look: short enough to be read to the end, in lines that fit, with versions that are those of the code. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import manifest from '../../package.json' with { type: 'json' };
import { PACKAGES } from '../../src/sdk/build/packages.ts';
import { readDocument } from '../support/readme.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: form of documents');
const ROOT = join(import.meta.dirname, '../..');
const KB = 1_024;
const MOST = 120;
const files = globSync(['*.md', '.github/**/*.md', '{src,test,data}/**/*.md'], {
  cwd: ROOT,
  exclude: name => name === 'node_modules' || name === 'results',
});

/** Lines of prose that are too long: not those of code, tables and link targets. */
function longLines(text: string): string[] {
  const lines = text.replace(/^ *```[\s\S]*?^ *```$/gm, '').split('\n');
  return lines.filter(line => [...line].length > MOST && !/^\||^\[[^\]]+\]: /.test(line));
}

test('README is at most 12 KB, and no other page is longer than twice that', () => {
  const size = (file: string) => statSync(join(ROOT, file)).size;
  assert.ok(size('README.md') <= 12 * KB, `${size('README.md')} bytes`);
  assert.equal(
    files.filter(file => size(file) > 24 * KB),
    [],
  );
});

test('the picture in README is there, and small', () => {
  const pictures = [...readDocument('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, file = '']) => file,
  );
  assert.ok(pictures.length > 0);
  for (const file of pictures) assert.ok(statSync(join(ROOT, file)).size <= 150 * KB, file);
});

test(`no line of prose is longer than ${MOST} characters`, () => {
  assert.ok(files.length > 10, 'the files were found');
  const long = files.flatMap(file => longLines(readDocument(file)).map(line => `${file}: ${line}`));
  assert.equal(long, []);
});

test('no code within a line goes on in the next: commands in it would escape the test that knows them', () => {
  const broken = (text: string) =>
    text
      .replace(/^ *```[\s\S]*?^ *```$/gm, '')
      .split('\n')
      .filter(line => (line.match(/`/g)?.length ?? 0) % 2 === 1);
  assert.equal(broken('`npm run\nnothing`\n`npm test`'), ['`npm run', 'nothing`']);
  const found = files.flatMap(file => broken(readDocument(file)).map(line => `${file}: ${line}`));
  assert.equal(found, []);
});

test('the documents name the versions that the code has', () => {
  assert.is(/^## (.*)$/m.exec(readDocument('.github/CHANGELOG.md'))?.[1], manifest.version);
  for (const { name, version } of PACKAGES) assert.is(version, manifest.version, name);
  const sdks = readDocument('src/sdk/README.md');
  for (const text of [`have one version: ${manifest.version} now`, `\`v${manifest.version}\``])
    assert.ok(sdks.includes(text), text);
  // Wherever a document names a file or an address of a version, it is this one.
  for (const file of files)
    for (const [text, version] of readDocument(file).matchAll(
      /\bface-sign-in-(?:browser|server|react)-(\d\S*?)\.tgz|\/sdk\/browser\/(?=\d)[^/\s]+/g,
    ))
      assert.is(version ?? text.split('/').at(-1), manifest.version, `${file}: ${text}`);
});

test.run();
