/**
 * What a database in a file can suffer: locks of other processes, a reader that holds the log, a full disk, a file
 * taken away, a handle that is closed. The answer is StoreUnavailable, never a blocked event loop, never a yes that
 * is not true, and it passes when the cause does.
 */
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { contractOn, count, type Given } from '../contract/engine.ts';
import { appRecord, deleteUser, enrolled, FIRST, LIVE, NOW, SECOND, signOut } from '../contract/fixtures.ts';
import { Other } from '../contract/processes.ts';
import { databaseFile, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

/** The longest time for which no timer ran, while the promise was waited for. */
async function longestPause(wait: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await wait.finally(() => clearInterval(timer));
  return longest;
}

/** Lets the store believe that time passes faster, so that its patience ends at once. */
function hurried(ms: number): () => void {
  const real = performance.now;
  performance.now = () => real.call(performance) + ms;
  return () => {
    performance.now = real;
  };
}

async function unavailable(attempt: Promise<unknown>, what: string): Promise<void> {
  const thrown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  assert.instance(thrown, StoreUnavailable, `${what}: ${thrown}`);
}

export function sqliteFaults(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  const locking = ({ db }: Given) => {
    const holder = new Database(databaseFile(db));
    holder.exec('BEGIN IMMEDIATE');
    return {
      release() {
        holder.exec('ROLLBACK');
        holder.close();
      },
    };
  };

  check(
    'a write waits for another process’s lock without blocking the event loop, and reads do not wait',
    async given => {
      const { store } = given;
      const lock = locking(given);
      let done = false;
      const write = store.createApp(appRecord('app_late')).then(() => {
        done = true;
      });
      const reads = (async () => {
        for (let i = 0; i < 20; i++) {
          assert.ok(await store.findApp(FIRST));
          await store.ping();
          await new Promise(next => setTimeout(next, 10));
        }
        assert.not(done, 'written in spite of the lock');
        lock.release();
        await write;
      })();
      const pause = await longestPause(reads);
      assert.ok(pause < 2_000, `the event loop stood still for ${pause} ms`);
      assert.ok(await store.findApp('app_late'));
    },
  );

  check('patience ends: the writes fail together, the next ones work when the lock is gone', async given => {
    const { db, store } = given;
    const lock = locking(given);
    const writes = Promise.allSettled([
      store.createApp(appRecord('app_1')),
      store.createApp(appRecord('app_2')),
    ]);
    await new Promise(next => setTimeout(next, 20));
    const calm = hurried(60_000);
    const results = await writes;
    calm();
    for (const result of results) {
      assert.is(result.status, 'rejected');
      if (result.status === 'rejected') assert.instance(result.reason, StoreUnavailable);
    }
    lock.release();
    await store.ping();
    assert.is(await count(db, 'apps'), 2, 'nothing of them took effect');
    await store.createApp(appRecord('app_1'));
    await store.ping();
  });

  check('an erasure waits until nobody reads the old log any more', async given => {
    const { db, store } = given;
    const { user } = await enrolled(store, { email: 'marker-of-ana@example.com' });
    const reader = new Database(databaseFile(db));
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM users').get();
    let done = false;
    const deletion = deleteUser(store, LIVE, user.id, NOW).then(() => {
      done = true;
    });
    deletion.catch(() => undefined); // told below
    const released = (async () => {
      await new Promise(next => setTimeout(next, 100));
      assert.not(done, 'acknowledged although the log still holds the bytes');
      reader.exec('COMMIT');
      reader.close();
      await deletion;
    })();
    assert.ok((await longestPause(released)) < 2_000);
    assert.not((await db.bytes()).includes('marker-of-ana'));
  });

  check('an erasure that was said to have failed can be repeated until no byte is left', async given => {
    const { db, store } = given;
    const { user } = await enrolled(store, { email: 'marker-of-ana@example.com' });
    const reader = new Database(databaseFile(db));
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM users').get();
    const deletion = deleteUser(store, LIVE, user.id, NOW);
    deletion.catch(() => undefined); // told below
    await new Promise(next => setTimeout(next, 20));
    const calm = hurried(60_000);
    await unavailable(deletion, 'deletion').finally(calm);
    reader.exec('COMMIT');
    reader.close();
    await deleteUser(store, LIVE, user.id, NOW);
    assert.not((await db.bytes()).includes('marker-of-ana'));
  });

  check(
    'no room on the disk: no false yes, a ping that fails, and work goes on when there is room',
    async ({ db, store }) => {
      // A limit on the size of a file stands for a full disk: it stops the write-ahead log at about a megabyte.
      const other = new Other([db.address, 'fill'], ['sh', '-c', 'ulimit -f 2048 && exec "$0" "$@"']);
      try {
        await other.line(0);
        other.tell();
        const { large, small, together, pings, read } = JSON.parse(await other.line(1));
        assert.equal([large.answer, small.answer], ['StoreUnavailable', 'StoreUnavailable']);
        assert.ok(large.stored > 10, `${large.stored} writes`);
        assert.equal(together, Array(3).fill('StoreUnavailable'));
        assert.equal(pings, Array(2).fill('StoreUnavailable'));
        const name = small.stored === 0 ? appRecord(FIRST).name : `Name ${small.stored - 1}`;
        assert.is(read, name, 'reading goes on, and shows what was acknowledged');
        assert.is((await store.findApp(FIRST))?.name, name);
        assert.is(await count(db, 'windows'), large.stored);
        assert.is(await count(db, 'revoked_tokens'), 0);
        // Room: the log is copied back and begins anew.
        const checkpoint = new Database(databaseFile(db));
        checkpoint.pragma('wal_checkpoint(TRUNCATE)');
        checkpoint.close();
        other.tell();
        assert.equal(JSON.parse(await other.line(2)), { pings: ['ok', 'ok'], write: 'ok' });
        await other.result();
      } finally {
        await other.kill();
      }
      assert.is(
        await store.tokenStanding(LIVE, { jti: 'jti_after', sub: '', iat: 0, email_verified: false }),
        'revoked',
      );
      assert.is(await db.check(), 'ok');
    },
  );

  check('the file is taken away: nothing is acknowledged into the void', async ({ db, store }) => {
    await store.findApp(FIRST);
    const file = databaseFile(db);
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(file + end)) renameSync(file + end, `${file}.away${end}`);
    try {
      await unavailable(signOut(store, 'jti_1', NOW), 'write');
      await unavailable(store.ping(), 'ping');
    } finally {
      for (const end of ['', '-wal', '-shm'])
        if (existsSync(`${file}.away${end}`)) renameSync(`${file}.away${end}`, file + end);
    }
  });

  check('its log alone is taken away: nothing is acknowledged into the void', async ({ db, store }) => {
    const log = `${databaseFile(db)}-wal`;
    renameSync(log, `${log}.away`);
    try {
      await unavailable(store.createApp(appRecord('app_void')), 'write');
      await unavailable(store.ping(), 'ping');
    } finally {
      renameSync(`${log}.away`, log);
    }
    await store.createApp(appRecord('app_back'));
  });

  check('a user is erased although somebody moved a template to another app', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const forger = new Database(databaseFile(db));
    forger.prepare('UPDATE templates SET app_id = ?, sequence = 9 WHERE sequence = 1').run(SECOND);
    forger.close();
    assert.is(await deleteUser(store, LIVE, user.id, NOW), 1);
    assert.equal([await count(db, 'users'), await count(db, 'templates')], [0, 0]);
  });

  check('a closed handle answers StoreUnavailable to reads, writes and pings', async ({ db }) => {
    const store = await db.open();
    const last = store.createApp(appRecord('app_last'));
    await store.close();
    await last;
    await store.close();
    await unavailable(store.createApp(appRecord('app_late')), 'write');
    await unavailable(store.findApp(FIRST), 'read');
    await unavailable(store.galleryState(LIVE), 'remembered read');
    await unavailable(store.ping(), 'ping');
    assert.equal(await db.rows(`SELECT id FROM apps WHERE id LIKE 'app\\_la%' ESCAPE '\\'`), [
      { id: 'app_last' },
    ]);
  });

  check('a damaged file does not open, and the message names it in one line', async ({ db, store }) => {
    await store.close();
    const file = openSync(databaseFile(db), 'r+');
    writeSync(file, 'this is no database at all, whatever its name says', 0);
    closeSync(file);
    const thrown = await db.open().then(
      () => null,
      (error: Error) => error,
    );
    assert.ok(thrown?.message.includes(databaseFile(db)), `${thrown}`);
    assert.not(thrown?.message.includes('\n'));
  });
}
