/** An app goes from a file to a server and back, with the same lines each time, and each export is one moment. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import type { Sql } from '../../src/adapters/sql/driver.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import type { StoreContext } from '../../src/adapters/sql/store/context.ts';
import { openContext } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { exportApp } from '../../src/adapters/transfer/export-app.ts';
import { importApp } from '../../src/adapters/transfer/import-app.ts';
import { appRecord, deleteUser } from '../contract/fixtures.ts';
import { locationAt as serverAt } from '../contract/postgres-engine.ts';
import { locationAt as fileAt } from '../contract/sqlite-engine.ts';
import type { Json } from '../support/client.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { APP, fileOf, manyLines, PASSPHRASE, person, read } from '../transfer/given.ts';
import { nodesOn } from './given.ts';

type Open = () => Promise<StoreContext>;

const random = systemRandom();
const onServer =
  (address: string): Open =>
  () =>
    openPostgresContext(serverAt(address, tempFolder()), random);
const newFile = (): Open => {
  const location = fileAt(tempFolder());
  return () => openContext(location, random);
};

async function exported(open: Open, events = true) {
  const file = join(tempFolder(), 'app.age');
  const request = { appId: APP, file, passphrase: PASSPHRASE, events, now: Date.now() };
  const counts = await exportApp(open, request);
  assert.equal(readdirSync(join(file, '..')), ['app.age']);
  return { file, counts, lines: await read(file) };
}

const imported = (open: Open, file: string) =>
  importApp(open, {
    ...{ file, passphrase: PASSPHRASE, checkOnly: false, newId: null, now: Date.now() },
    ...{ plan: 'free', firstParty: false, appFault: () => null },
  });

const comparable = ([{ exported_at: _, ...app }, ...lines]: Json[]) =>
  [app, ...lines].map(line => JSON.stringify(line));

/** Shows only what differs: there are thousands. */
function assertSame(found: Json[], wanted: Json[]): void {
  const [have, want] = [comparable(found), comparable(wanted)];
  assert.equal(
    have
      .map((line, at) => [line, want[at]])
      .filter(([line, other]) => line !== other)
      .slice(0, 3),
    [],
  );
  assert.is(have.length, want.length);
}

/** The server's rows, while somebody else does something after the first page of a table. */
function interrupted(open: Open, table: string, act: () => Promise<unknown>): Open {
  return async () => {
    const context = await open();
    let isDone = false;
    const slow = (sql: Sql): Sql => ({
      ...sql,
      async all<Row>(text: string, ...values: Parameters<Sql['all']>[1][]) {
        const rows = await sql.all<Row>(text, ...values);
        if (!isDone && text.includes(`FROM ${table} `)) {
          isDone = true;
          await act();
        }
        return rows;
      },
    });
    const { driver } = context;
    return {
      ...context,
      driver: { ...driver, snapshot: (work, mayPause) => driver.snapshot(sql => work(slow(sql)), mayPause) },
    };
  };
}

export function exports(test: Suite): void {
  const check = nodesOn(test);

  check('an app has the same lines on a file, on a server, and on a file again', async ({ db }) => {
    const [first, server, second] = [newFile(), onServer(db.address), newFile()];
    // More than a page of each.
    await imported(first, await fileOf(manyLines(1_001, 2_003)));
    const here = await exported(first);
    assert.equal([here.counts.users, here.counts.templates, here.counts.events], [1_001, 1_001, 2_003]);
    await imported(server, here.file);
    const there = await exported(server);
    await imported(second, there.file);
    const back = await exported(second);
    assertSame(there.lines, here.lines);
    assertSame(back.lines, here.lines);
    assert.is((await exported(server, false)).counts.events, 0);
  });

  check('what changes during an export is not in it, however long it takes', async ({ db, store, one }) => {
    await store.createApp(appRecord(APP));
    const [ana, ben] = [await person(store, 'live'), await person(store, 'live')];
    const before = await exported(onServer(db.address));
    const open = interrupted(onServer(db.address), 'users', async () => {
      await deleteUser(store, { appId: APP, mode: 'live' }, ana.user.id, Date.now());
      await person(store, 'live');
      await one.write(ROWS, sql => sql.run('UPDATE templates SET origin = $1', 'learned'));
      // Longer than another transaction may do nothing.
      await delay(2_600);
    });
    assertSame((await exported(open)).lines, before.lines);
    const after = (await exported(onServer(db.address))).lines;
    const users = after.filter(({ type }) => type === 'user').map(({ id }) => id);
    assert.is(users.length, 2);
    assert.ok(users.includes(ben.user.id) && !users.includes(ana.user.id));
  });

  check('what was altered is left out and counted, and a failure leaves no file', async given => {
    const { db, store, one } = given;
    await store.createApp(appRecord(APP));
    const [ana, ben, cleo] = [
      await person(store, 'live'),
      await person(store, 'live'),
      await person(store, 'test'),
    ];
    const alter = (table: string, column: string, id: string) =>
      one.write(ROWS, sql =>
        sql.run(`UPDATE ${table} SET sealed = $1 WHERE ${column} = $2`, new Uint8Array(60), id),
      );
    await alter('users', 'id', ana.user.id);
    await alter('templates', 'user_id', ben.user.id);
    const { counts, lines } = await exported(onServer(db.address));
    assert.equal([counts.users, counts.templates, counts.altered, counts.unreadable], [2, 2, 1, 2]);
    assert.equal(
      lines.filter(({ type }) => type === 'template').map(({ user_id }) => user_id),
      [cleo.user.id, cleo.user.id],
    );
    assert.not.match(JSON.stringify(lines), new RegExp(ana.user.id));

    const folder = tempFolder();
    const file = join(folder, 'app.age');
    const request = { file, passphrase: PASSPHRASE, events: true, now: Date.now() };
    const failing = interrupted(onServer(db.address), 'templates', async () => {
      throw new Error('the connection is lost');
    });
    for (const [open, appId, what] of [
      [failing, APP, /the connection is lost/],
      [onServer(db.address), 'app_none', /there is no app "app_none"/],
    ] as const)
      await exportApp(open, { ...request, appId }).then(
        () => assert.unreachable(),
        error => assert.match(error.message, what),
      );
    assert.not.ok(existsSync(file));
    assert.equal(readdirSync(folder), []);
  });
}
