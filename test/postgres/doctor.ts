/** What `doctor` says of a database on a server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { addErasures } from '../../src/adapters/journal/erasure-journal.ts';
import { createNodes } from '../../src/adapters/postgres/nodes.ts';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { run } from '../../src/cli/run.ts';
import { count } from '../contract/engine.ts';
import { enrolled, LIVE, signingKey } from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { environment } from '../support/process.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly warning?: boolean;
  readonly detail: string;
}

const inText = (secret: Buffer) => secret.toString('base64url');

/** @param secret null: it is in the folder */
async function doctor(
  DATABASE_URL: string,
  secret: Buffer | null = TEST_MASTER_SECRET,
  DATA_DIR = tempFolder(),
  more: Record<string, string> = {},
) {
  const printed: string[] = [];
  await run(['doctor', '--json'], {
    env: environment({ DATA_DIR, DATABASE_URL, ...more, ...(secret && { MASTER_SECRET: inText(secret) }) }),
    print: line => printed.push(line),
    printError: line => printed.push(line),
  });
  const { checks } = JSON.parse(printed.join('\n')) as { checks: Check[] };
  return (name: string) => checks.find(one => one.name === name) as Check;
}

export function doctors(test: Suite): void {
  const check = nodesOn(test);

  check('a whole database is found whole, and altered rows are counted', async ({ db, store, one }) => {
    const [ana] = [await enrolled(store), await enrolled(store)];
    await store.addSigningKey(signingKey('one'), null);
    const whole = await doctor(db.address);
    assert.match(whole('database').detail, /, PostgreSQL \d+\S*.*, schema version (\d+) of \1$/);
    assert.match(whole('master secret').detail, /^MASTER_SECRET fits the database$/);
    assert.match(whole('data keys').detail, /^3, none needs to be replaced$/);
    assert.match(whole('sealed rows').detail, /^4 templates, personal fields and all keys can be decrypted$/);
    assert.match(whole('audit log').detail, /^0 entries/);
    for (const name of ['database', 'master secret', 'data keys', 'sealed rows', 'operators', 'audit log'])
      assert.is(whole(name).ok, true, name);

    await one.write(ROWS, sql =>
      sql.run('UPDATE users SET sealed = $1 WHERE id = $2', new Uint8Array(60), ana.user.id),
    );
    const altered = (await doctor(db.address))('sealed rows');
    assert.is(altered.ok, false);
    assert.match(altered.detail, /^1 of 2 users cannot be decrypted: altered outside the service/);
  });

  check('an app that has more users than the threshold carries is a warning', async ({ db, store, one }) => {
    await enrolled(store);
    const { appId } = LIVE;
    await one.write(ROWS, sql =>
      sql.run(
        `INSERT INTO users (id, app_id, mode, email_hash, sealed, email_verified, created_at)
         SELECT 'usr_' || n, $1, 'live', CAST(n AS TEXT), sealed, 0, 0 FROM users, generate_series(1, 100) n`,
        appId,
      ),
    );
    const sizes = (await doctor(db.address))('app sizes');
    assert.equal([sizes.ok, sizes.warning], [true, true]);
    assert.match(sizes.detail, new RegExp(`${appId} has 101; 0\\.35 carries 100`));
  });

  check(
    'erasures that the database lacks, and more connections than it offers, are reported',
    async ({ db, one }) => {
      const folder = tempFolder();
      const found = async (env = {}) => doctor(db.address, TEST_MASTER_SECRET, folder, env);
      const nodes = [createNodes(one, 'id-1'), createNodes(one, 'id-2')];
      for (const node of nodes)
        await node.report({ name: 'a', version: '1', lagMs: 0, settings: null }, Date.now);
      // The tests' server offers 297.
      const well = await found({ DATABASE_POOL: '148' });
      for (const name of ['erasures', 'connections'])
        assert.equal([well(name).ok, well(name).warning], [true, undefined], name);
      await addErasures(join(folder, 'erasures.jsonl'), [{ hash: 'gone', at: Date.now() }]);
      const amiss = await found({ DATABASE_POOL: '149' });
      const [many, lacking] = [amiss('connections'), amiss('erasures')];
      assert.equal([many.ok, many.warning, lacking.ok], [true, true, false]);
      assert.match(many.detail, /^the server offers 297, and DATABASE_POOL 149 lets 2 nodes take 298: raise/);
      assert.match(lacking.detail, /lacks 1 of the erasures in .*erasures\.jsonl.*"after-restore"/);
      assert.match(amiss('sealed rows').detail, /can be decrypted/, 'the rest is checked all the same');
    },
  );

  check('a rotation that was interrupted is reported', async ({ db }) => {
    const folder = tempFolder();
    const file = join(folder, 'master.key');
    writeFileSync(file, inText(TEST_MASTER_SECRET));
    const secret = async () => (await doctor(db.address, null, folder))('master secret');
    assert.equal(await secret(), { name: 'master secret', ok: true, detail: `${file} fits the database` });
    writeFileSync(`${file}.next`, inText(Buffer.alloc(32, 9)));
    const { ok, detail } = await secret();
    assert.is(ok, false);
    assert.match(detail, /master\.key\.next exists: a rotation is running or was interrupted/);
  });

  check('another master secret, and a server that does not answer, are reported', async ({ db }) => {
    const other = await doctor(db.address, Buffer.alloc(32, 9));
    for (const name of ['master secret', 'sealed rows', 'operators', 'audit log']) {
      assert.is(other(name).ok, false, name);
      assert.match(other(name).detail, /^(MASTER_SECRET|the master secret) does not fit the database/);
    }
    assert.is(other('database').ok, true);
    const nowhere = await doctor('postgres://nobody:x@127.0.0.1:1/none');
    assert.is(nowhere('database').ok, false);
    assert.match(nowhere('database').detail, /does not answer: .*ECONNREFUSED/);
    assert.match(nowhere('sealed rows').detail, /not checked/);
  });

  check('a database of another program is reported, and no node starts on it', async ({ db }) => {
    await db.rows('DROP SCHEMA public CASCADE');
    await db.rows('CREATE SCHEMA public');
    await db.rows('CREATE TABLE things (n INTEGER)');
    const { ok, detail } = (await doctor(db.address))('database');
    assert.is(ok, false);
    assert.match(detail, /no schema version .* of another program/);
    const start = openPostgresContext(locationAt(db.address, tempFolder()), systemRandom());
    assert.match((await start.catch(error => error)).message, /no schema version .* of another program/);
    assert.is(await count(db, 'things'), 0, 'nothing else was changed');
  });
}
