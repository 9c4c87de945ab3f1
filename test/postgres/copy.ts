/** A whole deployment in a file, moved to a server: nothing is missing, everything opens, and half a copy leaves nothing. */
import * as assert from 'uvu/assert';
import { COPIED, CopyFault, copyDatabase, NOT_COPIED } from '../../src/adapters/postgres/copy-database.ts';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import { masterOf } from '../../src/adapters/secrets/master.ts';
import type { Driver } from '../../src/adapters/sql/driver.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { openedOn } from '../../src/adapters/sql/store.ts';
import { openContext } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { templatesOf } from '../../src/ports/template-rows.ts';
import { count, eventsIn } from '../contract/engine.ts';
import {
  appRecord,
  challenges,
  deleteUser,
  enrolled,
  FIRST,
  LIVE,
  NOW,
  OTHER,
  SECOND,
  signingKey,
  TEST,
} from '../contract/fixtures.ts';
import { postgresEngine, locationAt as serverAt } from '../contract/postgres-engine.ts';
import { locationAt as fileAt, sqliteEngine } from '../contract/sqlite-engine.ts';
import { closing } from '../support/closing.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import type { Suite } from '../support/suite.ts';

const MANY = 700;

async function given() {
  const file = await sqliteEngine.create();
  const server = await postgresEngine().create();
  const location = { ...fileAt(file.address), masterSecret: TEST_MASTER_SECRET };
  const source = await openContext(location, systemRandom());
  const { store } = await openedOn(source);
  for (const id of [FIRST, SECOND]) await store.createApp(appRecord(id));
  for (const gallery of [LIVE, LIVE, TEST, OTHER]) await enrolled(store, { gallery });
  for (let i = 0; i < MANY; i++) await enrolled(store, { gallery: OTHER, templates: [] });
  const gone = await enrolled(store);
  await deleteUser(store, LIVE, gone.user.id, NOW);
  await store.addSigningKey(signingKey('one'), null);
  await challenges(store, 2);
  await store.updateApp(
    FIRST,
    { name: 'Renamed' },
    {
      ...{ at: NOW, actor: 'somebody', actorId: null, action: 'app.change', target: FIRST, teamId: null },
      ...{ appId: FIRST, ip: null, session: null },
    },
  );
  const target = await openPostgresContext(serverAt(server.address, file.address), systemRandom());
  return {
    ...{ file, server, source, target, store },
    copying: {
      ...{ from: source.driver, to: target.driver, shown: 'the server' },
      masters: [masterOf(TEST_MASTER_SECRET)],
    },
    async close() {
      await source.driver.close();
      await target.driver.close();
      await file.destroy();
      await server.destroy();
    },
  };
}

export function copies(test: Suite): void {
  test('PostgreSQL: every table is copied or left out on purpose', async () => {
    const file = await sqliteEngine.create();
    const source = await openContext(fileAt(file.address), systemRandom());
    const tables = await source.driver.read.all<{ name: string }>(source.driver.tables);
    await source.driver.close();
    await file.destroy();
    assert.equal(tables.map(({ name }) => name).sort(), [...COPIED, ...NOT_COPIED].sort());
  });

  test('PostgreSQL: what was in the file is there, opens, and goes on; a second copy is refused', async () => {
    await using all = closing(await given());
    const rows = await copyDatabase(all.copying);
    assert.ok(rows > 2 * MANY, `${rows}`);
    const { store: moved } = await openedOn(
      await openPostgresContext(serverAt(all.server.address, all.file.address), systemRandom()),
    );
    for (const gallery of [LIVE, TEST, OTHER]) {
      const users = await all.store.listUsers(gallery, null, 1_000);
      assert.equal(await moved.listUsers(gallery, null, 1_000), users);
      for (const { id, email } of users.slice(0, 3).map(({ user }) => user)) {
        assert.equal(await moved.userFile(id, true), await all.store.userFile(id, true));
        assert.is((await moved.findUser(gallery, { email }))?.id, id);
      }
      const [there, here] = await Promise.all(
        [moved, all.store].map(async each => templatesOf((await each.galleryChanges(gallery, 0, 100)).added)),
      );
      assert.equal(there, here);
    }
    assert.equal(await eventsIn(moved), await eventsIn(all.store));
    const told = await all.store.outboxEvents(LIVE, 0, 100);
    assert.equal(
      told.map(({ type }) => type),
      ['user.enrolled', 'user.enrolled', 'user.deleted'],
    );
    assert.equal(await moved.outboxEvents(LIVE, 0, 100), told);
    assert.equal(await moved.signingKeys(NOW), await all.store.signingKeys(NOW));
    assert.ok(await moved.openSigningKey((await moved.signingKeys(NOW))[0]?.kid ?? ''));
    assert.equal(
      (await moved.listApps()).map(({ name }) => name).sort(),
      [`Name of ${SECOND}`, 'Renamed'].sort(),
    );
    const added = await enrolled(moved);
    assert.ok(await moved.findUser(LIVE, { id: added.user.id }), 'and somebody new enrolls');
    assert.is((await moved.outboxState(LIVE)).newest, (told.at(-1)?.seq ?? 0) + 1, 'numbers go on');
    await moved.close();
    await copyDatabase(all.copying).then(
      () => assert.unreachable(),
      error => assert.match(error.message, /the server is not empty \(it has apps\): name an empty database/),
    );
  });

  test('PostgreSQL: what was altered at home is copied as it is', async () => {
    await using all = closing(await given());
    await all.source.driver.write(ROWS, sql =>
      sql.run(
        'UPDATE consents SET sealed = $1 WHERE user_id = (SELECT MIN(user_id) FROM consents)',
        new Uint8Array(60),
      ),
    );
    await copyDatabase(all.copying);
    assert.is(await count(all.server, 'users'), await count(all.file, 'users'));
  });

  test('PostgreSQL: a copy in which a row arrives changed stops, and leaves nothing', async () => {
    await using all = closing(await given());
    const { to } = all.copying;
    const damaging: Driver = {
      ...to,
      write: (scope, work) =>
        to.write(scope, sql =>
          work({
            ...sql,
            run: (text, ...values) =>
              sql.run(
                text,
                ...(/INTO consents/.test(text)
                  ? values.map(value => (value instanceof Uint8Array ? new Uint8Array(value.length) : value))
                  : values),
              ),
          }),
        ),
    };
    await copyDatabase({ ...all.copying, to: damaging }).then(
      () => assert.unreachable(),
      error => {
        assert.instance(error, CopyFault);
        assert.match(error.message, /not whole: \d+ of \d+ consents cannot be decrypted/);
      },
    );
    for (const table of ['apps', 'users', 'templates', 'auth_events'])
      assert.is(await count(all.server, table), 0, table);
  });
}
