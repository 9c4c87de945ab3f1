/** A full disk is told from other faults, whatever it looks like. That a start says so is in test/bare/disk.test.ts. */
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { fullDisk } from '../../src/settings/disk.ts';
import { suite } from '../support/suite.ts';

const test = suite('settings: full disk');
/** A file system that has no room for anybody, and one that has. */
const FULL = process.platform === 'linux' ? '/proc/data.db' : '/dev/data.db';
const ROOMY = import.meta.filename;

const fault = (code: string, cause?: unknown) => Object.assign(new Error('told badly', { cause }), { code });

test('it is seen by its code, however deep, and named with its folder', () => {
  const deep = new StoreUnavailable(fault('OTHER', fault('SQLITE_FULL')));
  for (const error of [fault('ENOSPC'), fault('EDQUOT'), fault('SQLITE_IOERR_SHMSIZE'), deep]) {
    const explained = fullDisk(error, ROOMY, FULL);
    assert.match(
      String(explained?.message),
      /^no space is left on the disk of \/(proc|dev): free some space, then start again$/,
    );
    assert.is(explained?.cause, error);
  }
});

test('a disk with room is not to blame, and neither is a full one for other faults', () => {
  for (const code of ['ENOSPC', 'SQLITE_IOERR_READ']) assert.is(fullDisk(fault(code), ROOMY), null);
  for (const error of [fault('EACCES'), fault('SQLITE_CORRUPT'), new Error('plain'), 'text', null])
    assert.is(fullDisk(error, FULL), null);
  assert.is(fullDisk(fault('ENOSPC'), '/no/such/folder/data.db'), null);
});

test.run();
