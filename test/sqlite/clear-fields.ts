/** Databases from before personal fields were sealed: they are sealed at the start, and nothing in clear is left. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { migrations } from '../../src/adapters/sql/migrations.ts';
import { databaseAt } from '../../src/adapters/sql/schema.ts';
import { emailHash } from '../../src/adapters/sql/store/users.ts';
import { openSqlite } from '../../src/adapters/sqlite/driver.ts';
import { openStore } from '../../src/adapters/sqlite/open-store.ts';
import { fileUpkeep } from '../../src/adapters/sqlite/upkeep.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { FIRST, NOW, SECOND } from '../contract/fixtures.ts';
import { locationAt, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';
import { openKeys } from './migration.ts';

const PEOPLE = 2_500;

export function sqliteClearFields(test: Suite): void {
  test('SQLite: personal fields in clear are sealed once, and no byte of them is left', async () => {
    const db = await sqliteEngine.create();
    const location = { ...locationAt(db.address), masterSecret: Buffer.alloc(32, 1) };
    const { path } = location;
    const driver = openSqlite(path);
    const { vault } = await migrate(driver, databaseAt(path), openKeys, migrations().slice(0, 4));
    await driver.close();
    const old = new Database(path);
    old.transaction(() => fill(old, email => emailHash(vault, email)))();
    old.close();
    const clear = ['Name of ', '@clear.example', 'clear-ip', 'clear-agent', 'clear-check'];
    const left = () => clear.filter(text => readFileSync(path).includes(text));
    assert.equal(left(), clear, 'found before');

    const { store } = await openStore(location, systemRandom());
    await store.settleErasures();
    try {
      assert.equal(left(), []);
      for (const i of [0, 1, 2, PEOPLE - 1]) {
        const id = `usr_${i}`;
        const gallery = galleryOf(i);
        const user = await store.findUser(gallery, id);
        assert.equal([user?.email, user?.name], [`p${i}@clear.example`, `Name of ${i}`]);
        assert.is((await store.findUserByEmail(gallery, `P${i}@clear.example`))?.id, id);
        const { consent, events, codes } = (await store.userFile(id, false)) ?? {};
        assert.equal([consent?.ip, consent?.userAgent], ['clear-ip', `clear-agent ${i}`]);
        assert.equal(
          events?.map(({ ip, userAgent, liveness }) => [ip, userAgent, liveness]),
          [['clear-ip', 'clear-agent', i % 2 ? null : { check: 'clear-check' }]],
        );
        assert.equal(
          codes?.map(({ newEmail }) => newEmail),
          [`new${i}@clear.example`, null],
        );
      }
      const [anonymous] = await store.listEvents({ type: 'user_deleted' }, null, 10);
      assert.equal([anonymous?.ip, anonymous?.liveness], [null, null]);
      const { database, sealed } = await fileUpkeep(location, systemRandom()).examine();
      assert.ok(database.ok && sealed.ok, `${database.detail} ${sealed.detail}`);
    } finally {
      await store.close();
      await db.destroy();
    }
  });
}

const galleryOf = (i: number) => ({
  appId: i % 3 ? FIRST : SECOND,
  mode: i % 2 ? ('test' as const) : ('live' as const),
});

/** As the program wrote rows before. */
function fill(old: Database.Database, hashOf: (email: string) => string): void {
  const prepared = (table: string, columns: string) =>
    old.prepare(
      `INSERT INTO ${table} (${columns}) VALUES (${columns
        .split(', ')
        .map(() => '?')
        .join(', ')})`,
    );
  const addApp = prepared('apps', 'id, name, allowed_origins, first_party, plan, created_at');
  const addUser = prepared('users', 'id, app_id, mode, email, email_hash, name, email_verified, created_at');
  const addConsent = prepared('consents', 'user_id, policy_version, accepted_at, ip, user_agent');
  const addCode = prepared('email_codes', 'user_id, kind, id, app_id, hash, wrong, expires_at, new_email');
  const addEvent = prepared('auth_events', 'id, app_id, mode, user_id, type, at, ip, user_agent, liveness');
  for (const id of [FIRST, SECOND]) addApp.run(id, 'An app', '[]', 0, 'free', NOW);
  for (let i = 0; i < PEOPLE; i++) {
    const id = `usr_${i}`;
    const { appId, mode } = galleryOf(i);
    const email = `p${i}@clear.example`;
    addUser.run(id, appId, mode, email, hashOf(email), `Name of ${i}`, 0, NOW + i);
    addConsent.run(id, 'v1', NOW, 'clear-ip', `clear-agent ${i}`);
    const liveness = i % 2 ? null : '{"check":"clear-check"}';
    addEvent.run(`evt_${i}`, appId, mode, id, 'match', NOW, 'clear-ip', 'clear-agent', liveness);
    addCode.run(id, 'change', `change_${i}`, appId, 'hash', 0, NOW, `new${i}@clear.example`);
    addCode.run(id, 'sign-in', `code_${i}`, appId, 'hash', 0, NOW, null);
  }
  addEvent.run('evt_gone', FIRST, 'live', null, 'user_deleted', NOW, null, null, null);
}
