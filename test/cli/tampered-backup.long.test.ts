/**
 * A backup lies where others may write: on another machine, on a share. Whoever can write one, without the master secret,
 * plants keys in it. Each plant is written into a copy of a real database, as somebody with an editor would.
 */
import { generateKeyPairSync, hash } from 'node:crypto';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import { call, enrolled, faces, match, server as secretKey, verify } from '../support/client.ts';
import { cli, type Env, json, newDataDir, serve, tempFolder, within } from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: tampered backups');
const OPEN = { LIMIT_IP_PER_MINUTE: '0', BASE_URL: 'https://face.example' };
const PLANTED = `svc_sk_live_${'P'.repeat(32)}`;
const first = { DATA_DIR: newDataDir(), ...OPEN };
let backup: string;
let shop: TestApp;
let bank: TestApp;

test.before(async () => {
  const service = await serve(first);
  [shop, bank] = [await newApp(first, 'Shop'), await newApp(first, 'Bank')];
  await enrolled({ base: service.base } as Running, shop);
  backup = join(tempFolder(), 'backup.db');
  await json(['backup', backup], first);
  await service.stop();
});

const plainHash = (key: string) => hash('sha256', key, 'base64url');
const usage = (run: Running, app: TestApp) => call(run, 'GET', '/v1/usage', { headers: secretKey(app) });
const withSecret = (app: TestApp, sk: string): TestApp => ({ ...app, live: { ...app.live, sk } });

/** The backup, altered and put back; the task is done on a service with it. */
async function afterPlanting(
  plant: (database: Database.Database) => void,
  task: (run: Running, settings: Env & { DATA_DIR: string }) => Promise<void>,
  original = backup,
): Promise<string> {
  const file = join(tempFolder(), 'planted.db');
  copyFileSync(original, file);
  const database = new Database(file);
  plant(database);
  database.close();
  const settings = { ...first, DATA_DIR: tempFolder() };
  copyFileSync(join(first.DATA_DIR, 'master.key'), join(settings.DATA_DIR, 'master.key'));
  const { code, stdout, stderr } = await cli(['restore', file, '--accept-gap'], settings);
  assert.is(code, 0, stderr);
  const service = await serve(settings);
  await task({ base: service.base } as Running, settings).finally(() => service.stop());
  return stdout;
}

const PLANT = `INSERT INTO api_keys (id, app_id, type, mode, hash, mac, last4, created_at)
  VALUES ('key_planted00000000000000000', ?, 'secret', 'live', ?, '', 'PPPP', 1)`;

test('a plain hash of a key of one’s own opens nothing, and the keys of before go on', async () => {
  await afterPlanting(
    database => database.prepare(PLANT).run(shop.id, plainHash(PLANTED)),
    async run => {
      assert.is((await usage(run, withSecret(shop, PLANTED))).status, 401);
      assert.is((await usage(run, shop)).status, 200);
      assert.is((await match(run, shop)).status, 200);
    },
  );
});

test('without the key of its hashes, or with one that was altered, a backup is refused', async () => {
  for (const change of ['DELETE FROM data_keys', 'UPDATE data_keys SET wrapped = zeroblob(61)']) {
    const file = join(tempFolder(), 'planted.db');
    copyFileSync(backup, file);
    const database = new Database(file);
    database.exec(`${change} WHERE owner = 'hash'`);
    database.close();
    const settings = { ...first, DATA_DIR: tempFolder() };
    copyFileSync(join(first.DATA_DIR, 'master.key'), join(settings.DATA_DIR, 'master.key'));
    const ran = await within(['restore', file, '--accept-gap'], settings);
    assert.is(ran.code, 2);
    assert.match(ran.stderr, /the key for hashes .* missing or was altered: restore a backup/);
  }
});

test('a key of another app, type or mode stays what it was', async () => {
  const sk = plainHash(bank.test.sk);
  assert.is(sk.length, 43);
  for (const [what, change] of [
    ['app', `app_id = '${shop.id}'`],
    ['mode', `mode = 'live'`],
    ['both', `app_id = '${shop.id}', mode = 'live'`],
  ] as const)
    await afterPlanting(
      database => {
        const { changes } = database
          .prepare(`UPDATE api_keys SET ${change} WHERE last4 = ? AND app_id = ? AND type = 'secret'`)
          .run(bank.test.sk.slice(-4), bank.id);
        assert.is(changes, 1);
      },
      async run => {
        assert.is((await usage(run, withSecret(bank, bank.test.sk))).status, 401, what);
        assert.is((await usage(run, bank)).status, 200, what);
      },
    );
});

test('a face signs in as nobody else, whatever is written into rows of templates', async () => {
  const service = await serve(first);
  const other = await enrolled({ base: service.base } as Running, shop, { descriptors: [faces.genuine(7)] });
  const file = join(tempFolder(), 'of-two.db');
  await json(['backup', file], first);
  await service.stop();
  for (const [what, plant, wanted] of [
    [
      'sequences exchanged',
      'UPDATE templates SET sequence = -sequence; UPDATE templates SET sequence = 3 + sequence',
      [200, 200],
    ],
    [
      'users exchanged',
      `UPDATE templates SET user_id = (SELECT id FROM users WHERE id <> user_id)`,
      [401, 401],
    ],
    ['all of one user', `UPDATE templates SET user_id = '${other.user.id}'`, [401, 200]],
    [
      'an earlier enrolment planted',
      `INSERT INTO templates SELECT 'tpl_planted', app_id, mode, user_id, 0.5, origin, x'00', created_at
         FROM templates WHERE user_id = '${other.user.id}'`,
      [200, 200],
    ],
  ] as const)
    await afterPlanting(
      database => void database.exec(plant),
      async run => {
        const mine = await match(run, shop);
        const theirs = await match(run, shop, { descriptors: [faces.genuine(7, 1)] });
        assert.equal([mine.status, theirs.status], wanted, what);
        if (mine.status === 200) assert.is.not(mine.json.user.id, other.user.id, what);
        if (theirs.status === 200) assert.is(theirs.json.user.id, other.user.id, what);
      },
      file,
    );
});

test('a public key of one’s own is not published, and what it signs is invalid', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = await exportJWK(publicKey);
  const own = await calculateJwkThumbprint(publicJwk);
  for (const plant of [
    // A row of one's own, with a good row's seal, or with none.
    (database: Database.Database) =>
      database.exec(
        `INSERT INTO signing_keys (kid, sealed, created_at, signs_at) SELECT '${own}', sealed, created_at, signs_at + 1 FROM signing_keys`,
      ),
    (database: Database.Database) =>
      database.exec(
        `INSERT INTO signing_keys (kid, sealed, created_at, signs_at) SELECT '${own}', x'01', created_at, signs_at + 1 FROM signing_keys`,
      ),
  ])
    await afterPlanting(
      database => void plant(database),
      async run => {
        const { keys } = (await call(run, 'GET', '/.well-known/jwks.json')).json;
        assert.is(keys.length, 1);
        assert.is.not(keys[0].x, publicJwk.x);
        const { json: signedIn } = await match(run, shop);
        assert.is((await verify(run, shop, signedIn.token)).json.valid, true, 'people go on signing in');
        const claims = JSON.parse(Buffer.from(signedIn.token.split('.')[1], 'base64url').toString());
        for (const kid of [own, keys[0].kid]) {
          const forged = await new SignJWT(claims)
            .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
            .sign(privateKey);
          assert.is((await verify(run, shop, forged)).json.valid, false, kid);
        }
      },
    );
});

test('a trigger that brings erased users back, or switches limits off, is refused by restore, doctor and serve', async () => {
  const triggers = {
    unerase: 'AFTER INSERT ON erasures BEGIN DELETE FROM erasures; END',
    unlimited: 'AFTER UPDATE ON windows BEGIN UPDATE windows SET count = 0; END',
  };
  for (const [name, body] of Object.entries(triggers)) {
    const plant = (file: string) => {
      const database = new Database(file);
      database.exec(`CREATE TRIGGER ${name} ${body}`);
      database.close();
    };
    const reason = new RegExp(`contains trigger "${name}", which is not from this program or was altered: `);
    const file = join(tempFolder(), 'planted.db');
    copyFileSync(backup, file);
    plant(file);
    const settings = { ...first, DATA_DIR: tempFolder() };
    copyFileSync(join(first.DATA_DIR, 'master.key'), join(settings.DATA_DIR, 'master.key'));
    const refused = await within(['restore', file, '--accept-gap'], settings);
    assert.is(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, reason);
    assert.equal(readdirSync(settings.DATA_DIR), ['master.key']);
    assert.is((await within(['restore', backup, '--accept-gap'], settings)).code, 0);
    plant(join(settings.DATA_DIR, 'face-sign-in.db'));
    const examined = await within(['doctor'], settings);
    assert.is(examined.code, 1);
    assert.match(examined.stdout, reason);
    const served = await cli(['serve'], settings);
    assert.is(served.code, 2, served.stderr);
    assert.match(served.stderr, reason);
  }
});

test.run();
