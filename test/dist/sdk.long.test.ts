/** `sdk DIR` of the executable, with nothing else of the project: the packages that it writes are installed and used. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { PACKAGES, tarballOf } from '../../src/sdk/build/packages.ts';
import { VERSION } from '../../src/version.ts';
import { ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { copy } from './copy.ts';

const test = suite('executable: sdk');
const run = promisify(execFile);

test('its packages and script are those that were built with it', async () => {
  const { folder, json } = copy();
  const { files, version } = await json(['sdk', 'sdk']);
  assert.is(version, VERSION);
  const built: [string, string][] = [
    ...PACKAGES.map((of): [string, string] => [tarballOf(of), `tarballs/${tarballOf(of)}`]),
    ['face-sign-in.js', 'browser/face-sign-in.js'],
  ];
  assert.equal(
    files.map(({ file }: { file: string }) => file),
    built.map(([name]) => join(folder, 'sdk', name)),
  );
  for (const [name, path] of built)
    assert.ok(
      readFileSync(join(folder, 'sdk', name)).equals(readFileSync(join(ROOT, 'dist/sdk', path))),
      name,
    );
  assert.equal(readdirSync(folder).sort(), ['face-sign-in', 'sdk'], 'no data folder');
});

test('the command that it prints for the page installs them in an empty project, from these files alone', async () => {
  const { folder, json } = copy();
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const { install } = await json(['sdk', 'vendor']);
  const [npm = '', ...args] = install.page.split(' ');
  await run(npm, [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  for (const of of PACKAGES.filter(({ platform, peers }) => platform === 'browser' && !peers))
    assert.is(lock.packages[`node_modules/${of.name}`].resolved, `file:vendor/${tarballOf(of)}`);
  writeFileSync(
    join(folder, 'use.js'),
    "import { createClient } from '@face-sign-in/browser'; console.log(typeof createClient);",
  );
  assert.is((await run(process.execPath, ['use.js'], { cwd: folder })).stdout, 'function\n');
});

test('its API serves them too', async () => {
  const { serve } = copy();
  const server = await serve();
  try {
    const answer = await fetch(`${server.base}/sdk/browser/${VERSION}/face-sign-in.js`);
    assert.is(answer.status, 200);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.ok(bytes.equals(readFileSync(join(ROOT, 'dist/sdk/browser/face-sign-in.js'))));
  } finally {
    await server.stop();
  }
});

test.run();
