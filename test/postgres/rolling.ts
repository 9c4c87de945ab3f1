/** A newer program migrates the database below nodes of this version: they go on, and can be restarted. */
import * as assert from 'uvu/assert';
import { databaseOn, openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { type Migration, migrations, statementsOf } from '../../src/adapters/sql/migrations.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  FIRST,
  LIVE,
  MONTH,
  NOW,
  newKey,
  signIn,
  signingKey,
} from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

/** What nodes of the version before do not notice. */
const ADDITIVE =
  /^(?:CREATE (?:TABLE|(?:UNIQUE )?INDEX|TRIGGER)|ALTER TABLE \w+ ADD COLUMN|INSERT INTO|UPDATE) /;

export function rolling(test: Suite): void {
  const check = nodesOn(test);

  test('migrations only add', () => {
    for (const text of migrations().flatMap(statementsOf)) assert.match(text, ADDITIVE);
  });

  check(
    'who is erased on a node of the version before is not told of on newer ones',
    async ({ db, store }) => {
      const [gone, kept] = [await enrolled(store), await enrolled(store)];
      for (const table of ['templates', 'consents'])
        await db.rows(`DELETE FROM ${table} WHERE user_id = '${gone.user.id}'`);
      await db.rows(`DELETE FROM users WHERE id = '${gone.user.id}'`);
      const told = await store.outboxEvents(LIVE, 0, 9);
      assert.equal(
        told.map(({ data }) => data.user_id),
        [kept.user.id],
      );
    },
  );

  check(
    'nodes go on while a newer program adds to every table, and start again until it needs newer ones',
    async given => {
      const { db, store, one } = given;
      const work = async (round: number) => {
        const { user, number } = await enrolled(store);
        const [id = ''] = await challenges(store, 1, LIVE, `round${round}`);
        assert.is((await store.recordSignIn(signIn(number, id))).outcome, 'signed_in');
        await store.createKey(newKey(`key_${round}`), 99);
        assert.is((await store.findCredential(`hash of key_${round}`))?.app.id, FIRST);
        assert.is((await store.listKeys({ appId: FIRST })).length, round);
        await store.updateKey(`key_${round}`, { revokedAt: NOW });
        await store.addSigningKey(signingKey('one'), null);
        assert.equal([(await store.signingKeys(NOW)).length, (await store.listApps()).length], [1, 2]);
        await store.updateUser(LIVE, user.id, { name: 'Other' });
        assert.is((await store.listUsers(LIVE, null, 10)).length, 1);
        assert.ok(await store.userFile(user.id, true));
        assert.ok((await store.listEvents({}, null, 10)).length >= 2 * round);
        assert.is((await store.usageOf(LIVE, MONTH)).auths, 2 * round);
        assert.is((await store.galleryChanges(LIVE, 0, 100)).added.count, 2);
        await deleteUser(store, LIVE, user.id, NOW);
      };
      // So that statements are prepared on all connections that one caller uses.
      await work(1);
      await work(2);
      const tables = (await one.read.all<{ name: string }>(one.tables)).map(({ name }) => name);
      const next: Migration = {
        number: (migrations().at(-1)?.number ?? 0) + 1,
        name: 'next.sql',
        text: () =>
          tables.map(name => `ALTER TABLE ${name} ADD COLUMN added BIGINT NOT NULL DEFAULT 0;`).join('\n'),
      };
      const subject = databaseOn(postgresUrl('DATABASE_URL', db.address));
      await migrate(one, subject, async () => null as never, [...migrations(), next]);
      await work(3);
      await work(4);
      const start = () => openPostgresStore(locationAt(db.address, tempFolder()), systemRandom());
      const restarted = await start();
      assert.is((await restarted.store.listApps()).length, 2);
      await restarted.store.close();
      await one.read.run(`INSERT INTO meta (name, value) VALUES ('oldest_program', '${next.number}')`);
      const fault = await start().catch(error => error);
      assert.instance(fault, StoreMisfit);
      assert.match(
        fault.message,
        /schema version \d+, but this program knows only \d+: use a newer program$/,
      );
    },
  );
}
