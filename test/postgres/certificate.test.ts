/** A database server that proves who it is, and another in its place that cannot. */
import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import * as assert from 'uvu/assert';
import { certificate } from '../support/certificate.ts';
import { assertError, browser, call, enrolled, match } from '../support/client.ts';
import { giveToPostgres, hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('postgres: certificate');
const HOST = 'IP:127.0.0.1';

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: its certificate'));
else
  test('without the trusted certificate: 503 in the envelope, the key set still answered; with it, as before', async () => {
    const [trusted, another, served] = [tempFolder(), tempFolder(), tempFolder()];
    for (const folder of [trusted, another]) certificate(folder, HOST);
    const install = (folder: string) => {
      for (const name of ['certificate.pem', 'key.pem']) {
        const file = join(served, name);
        copyFileSync(join(folder, name), file);
        chmodSync(file, 0o600);
        giveToPostgres(file);
      }
    };
    giveToPostgres(served);
    install(trusted);
    const files = [`ssl_cert_file=${served}/certificate.pem`, `ssl_key_file=${served}/key.pem`];
    const server = await startPostgres(['fsync=off', 'ssl=on', ...files]);
    /** As a server that took the other's place. The settings are read some time after they are asked for. */
    const serve = async (folder: string) => {
      install(folder);
      await server.query('SELECT pg_reload_conf()');
      const { port } = server;
      const ca = readFileSync(join(folder, 'certificate.pem'));
      for (let client: pg.Client | null = null; client === null; await delay(20)) {
        client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'face', ssl: { ca } });
        await client.connect().catch(() => {
          client = null;
        });
        await client?.end();
      }
      await server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'face-sign-in'`,
      );
    };
    await server.query('CREATE DATABASE face');
    const run = await startService({
      env: {
        DATABASE_URL: `${server.urlOf('face')}?sslmode=verify-full&sslrootcert=${trusted}/certificate.pem`,
        MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
        DEMO: 'off',
      },
    });
    try {
      const app = await run.createApp();
      const { user } = await enrolled(run, app);
      const keys = (await call(run, 'GET', '/.well-known/jwks.json')).json;

      await serve(another);
      for (const path of ['/v1/challenges', '/v1/match'])
        assertError(
          await call(run, 'POST', path, { headers: browser(app), json: {} }),
          'service_unavailable',
        );
      assert.is((await call(run, 'GET', '/health')).status, 503);
      assert.equal((await call(run, 'GET', '/.well-known/jwks.json')).json, keys);

      await serve(trusted);
      while ((await call(run, 'GET', '/health')).status !== 200) await delay(20);
      assert.is((await match(run, app)).json.user.id, user.id);
    } finally {
      await run.close();
      server.stop();
    }
  });

test.run();
