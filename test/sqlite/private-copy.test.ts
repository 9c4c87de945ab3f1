/** A copy of a backup holds addresses and names: nobody else may open it, not even while it is being written. */
import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { copyPrivately, restore } from '../../src/adapters/sqlite/restore.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('private copy');
const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a copy is readable by this user only while the original is still being read', async () => {
  const folder = tempFolder();
  const [pipe, copy] = [join(folder, 'pipe'), join(folder, 'copy')];
  assert.is(spawnSync('mkfifo', ['-m', '644', pipe]).status, 0);
  const umask = process.umask(0);
  try {
    const copying = copyPrivately(pipe, copy);
    const source = createWriteStream(pipe);
    source.write('half');
    // The pipe holds up the end of the copy for as long as this looks.
    while (!existsSync(copy) || statSync(copy).size === 0) await delay(1);
    assert.is(modeOf(copy), 0o600);
    source.end(' and half');
    await copying;
    assert.is(modeOf(copy), 0o600);
    assert.is(readFileSync(copy, 'utf8'), 'half and half');
  } finally {
    process.umask(umask);
  }
});

test('a copy never goes through a file or link that is there', async () => {
  const folder = tempFolder();
  const [from, theirs, link] = [join(folder, 'from'), join(folder, 'theirs'), join(folder, 'link')];
  writeFileSync(from, 'secret');
  writeFileSync(theirs, '');
  symlinkSync(theirs, link);
  for (const to of [theirs, link])
    await copyPrivately(from, to).then(
      () => assert.unreachable(),
      error => assert.is(error.code, 'EEXIST'),
    );
  assert.is(readFileSync(theirs, 'utf8'), '');
});

test('the draft of a restore is readable by this user only before anything else happens to it', async () => {
  const first = { DATA_DIR: await madeDataDir() };
  const backup = join(tempFolder(), 'backup.db');
  await json(['backup', backup], first, within);
  spawnSync('chmod', ['644', backup]);
  const folder = tempFolder();
  writeFileSync(join(folder, 'master.key'), readFileSync(join(first.DATA_DIR, 'master.key')));
  const location = {
    path: join(folder, 'face-sign-in.db'),
    masterSecret: null,
    masterSecretFile: join(folder, 'master.key'),
    erasuresFile: join(folder, 'erasures.jsonl'),
  };
  const seen = new Map<string, number>();
  const onProgress = (step: string) => void seen.set(step, modeOf(`${location.path}.restoring`));
  await restore(
    location,
    { backup, erasures: null, acceptGap: true, now: Date.now(), onProgress },
    systemRandom(),
  );
  assert.is(seen.get('checking'), 0o600);
  assert.is(modeOf(location.path), 0o600);
});

test.run();
