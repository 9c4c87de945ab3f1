/** Two servers on one data folder, or on one database: the second is refused, and nothing that was killed is in the way. */
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { createService } from '../../src/service.ts';
import { assertRefused, cli, environment, json, newDataDir, serve, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: two servers');
const healthy = async (base: string) => (await fetch(`${base}/health`)).status === 200;

test('the second server on a data folder is refused in one line, and the first goes on', async () => {
  const DATA_DIR = newDataDir();
  const first = await serve({ DATA_DIR });
  // The first server begins its journal of erasures soon after its start.
  while (!existsSync(join(DATA_DIR, 'erasures.jsonl'))) await delay(20);
  const before = readdirSync(DATA_DIR).sort();
  for (let i = 0; i < 2; i++) {
    const ran = await cli(['serve'], { DATA_DIR });
    assertRefused(
      ran,
      1,
      /another server runs on the data folder .*data: stop it, or set DATA_DIR to .*, for example DATA_DIR=\//,
    );
  }
  assert.equal(readdirSync(DATA_DIR).sort(), before, 'nothing was made');
  assert.ok(await healthy(first.base));
  // By another name it is the same folder.
  const other = join(tempFolder(), 'link');
  symlinkSync(DATA_DIR, other);
  assertRefused(await cli(['serve'], { DATA_DIR: other }), 1, /another server runs on the data folder/);
  await first.stop();
  await (await serve({ DATA_DIR: other })).stop();
});

test('commands work beside a server as before, and so does a server after them', async () => {
  const DATA_DIR = newDataDir();
  const server = await serve({ DATA_DIR });
  const { app } = await json(['app', 'create', '--name', 'Shop'], { DATA_DIR });
  const file = join(tempFolder(), 'copy.db');
  await json(['backup', file], { DATA_DIR });
  assert.ok((await json(['doctor'], { DATA_DIR })).ok);
  assert.is((await json(['app', 'show', app.id], { DATA_DIR })).app.name, 'Shop');
  assertRefused(await cli(['serve'], { DATA_DIR }), 1, /another server/);
  await server.stop();
});

test('what a killed server had is free at once', async () => {
  const DATA_DIR = newDataDir();
  for (let i = 0; i < 2; i++) {
    const server = await serve({ DATA_DIR });
    server.kill('SIGKILL');
    await server.ended;
  }
  await (await serve({ DATA_DIR })).stop();
  assert.is(statSync(join(DATA_DIR, 'face-sign-in.db.lock')).size, 0, 'the file itself means nothing');
  assert.is(statSync(join(DATA_DIR, 'face-sign-in.db.lock')).mode & 0o777, 0o600);
});

test('one database in another folder has one server too, whatever the data folders', async () => {
  const folder = tempFolder();
  const settings = () => ({
    DATA_DIR: newDataDir(),
    DATABASE_URL: `sqlite:${join(folder, 'one.db')}`,
    MASTER_SECRET: Buffer.alloc(32, 7).toString('base64url'),
  });
  const first = await serve(settings());
  const refused = await cli(['serve'], settings());
  assertRefused(
    refused,
    1,
    /another server runs on the database .*one\.db: stop it, or set DATABASE_URL to /,
  );
  await first.stop();
  const second = await serve(settings());
  // The usual database of that folder is not in use, but the folder is.
  const { DATA_DIR } = settings();
  const usual = await serve({ DATA_DIR });
  const named = { ...settings(), DATABASE_URL: `sqlite:${join(DATA_DIR, 'face-sign-in.db')}` };
  assertRefused(await cli(['serve'], named), 1, /another server runs on the database/);
  const sharing = { ...settings(), DATA_DIR };
  assertRefused(await cli(['serve'], sharing), 1, /another server runs on the data folder/);
  await usual.stop();
  await second.stop();
});

test('within one process, too; and a start that fails gives the folder back', async () => {
  const config = loadConfig(environment({ DATA_DIR: newDataDir(), LOG_LEVEL: 'silent' }));
  const first = await createService(config);
  for (let i = 0; i < 2; i++) {
    const error: unknown = await createService(config).catch(fault => fault);
    assert.match(String(error), /another server runs on the data folder/);
  }
  await first.close();
  await createService({ ...config, masterSecret: Buffer.alloc(32, 9) }).then(
    () => assert.unreachable('a wrong secret was taken'),
    error => assert.match(error.message, /master secret does not fit/),
  );
  await (await createService(config)).close();
});

test('a file that cannot be locked: the line names it', async () => {
  const DATA_DIR = newDataDir();
  mkdirSync(join(DATA_DIR, 'face-sign-in.db.lock'), { recursive: true });
  const line = /cannot lock .*face-sign-in\.db\.lock: this user must be able to write to it /;
  assertRefused(await cli(['serve'], { DATA_DIR }), 1, line);
});

test.run();
