/** While the database is away, a node that nobody asks for the key set serves the newest one, but for some seconds. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { call } from '../support/client.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('postgres: key set');
const READ_WITHIN_MS = 11_000;

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: the key set'));
else
  test('a key of another node is in the set that an idle node serves without the database', async () => {
    const server = await startPostgres(['fsync=off']);
    await server.query('CREATE DATABASE face');
    const env = {
      DATABASE_URL: server.urlOf('face'),
      MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
      DEMO: 'off',
    };
    const [one, idle] = [await startService({ env }), await startService({ env })];
    try {
      const { json: rotated } = await one.cli(['signing-key', 'rotate', '--now']);
      await delay(READ_WITHIN_MS);
      await server.crash();
      const { status, json } = await call(idle, 'GET', '/.well-known/jwks.json');
      assert.is(status, 200);
      assert.ok(json.keys.some(({ kid }: { kid: string }) => kid === rotated.kid));
    } finally {
      await Promise.all([one.close(), idle.close()]);
      server.stop();
    }
  });

test.run();
