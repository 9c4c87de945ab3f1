/** A start on a disk without room: one line that says so, and once there is room, a start. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Copy, copy } from '../dist/copy.ts';
import { mounted } from '../support/disk-places.ts';
import { assertRefused, madeDataDir } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('bare: full disk');
let own: Copy;

test.before(() => {
  own = copy();
});

test('full from the beginning, or after some of the files: exit 1 and one line, then a start when there is room', async () => {
  for (const free of [0, 8, 60, 200]) {
    const place = mounted(1);
    const filler = join(dirname(place.dataDir), 'filler');
    try {
      writeFileSync(filler, Buffer.alloc((1024 - free) * 1024));
      const line = /: no space is left on the disk of .*data: free some space, then start again$/m;
      assertRefused(await own.run(['serve'], { DATA_DIR: place.dataDir }), 1, line, `${free} KiB`);
      rmSync(filler);
      const server = await own.serve({ DATA_DIR: place.dataDir });
      assert.is((await fetch(`${server.base}/health`)).status, 200);
      await server.stop();
    } finally {
      place.remove();
    }
  }
});

test('no room for the database engine: another place is taken', async () => {
  const place = mounted(1);
  try {
    const TMPDIR = dirname(place.dataDir);
    assert.is((await own.run(['app', 'list'], { TMPDIR, DATA_DIR: await madeDataDir() })).code, 0);
    assert.equal(readdirSync(TMPDIR), [], 'the part that had room is gone');
  } finally {
    place.remove();
  }
});

test.run();
