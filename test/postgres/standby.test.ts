/** The server has become a standby: it has everything and answers, but others may have written since. */
import pg from 'pg';
import * as assert from 'uvu/assert';
import { readShared } from '../../src/adapters/postgres/shared-memory.ts';
import { postgresSql } from '../../src/adapters/postgres/statements.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { assertError, browser, call, challenge, enrolled, faces, match, verify } from '../support/client.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { driverAt } from './given.ts';

const test = suite('postgres: a standby');

/** What nodes remember, read on a connection that nobody has checked. */
async function readAt(url: string, appId: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const sql = postgresSql({ perform: (text, values) => client.query(text, [...values]) });
    return await readShared(sql, [{ appId, mode: 'live' }]).catch(error => error);
  } finally {
    await client.end();
  }
}

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: a standby'));
else
  test('nothing is answered from a standby, though it has everything', async () => {
    const server = await startPostgres(['fsync=off', 'wal_level=replica']);
    await server.query('CREATE DATABASE face');
    const url = server.urlOf('face');
    const run = await startService({
      env: { DATABASE_URL: url, MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'), DEMO: 'off' },
    });
    try {
      const app = await run.createApp();
      const { token } = await enrolled(run, app);
      const { challenge_id } = await challenge(run, app);
      assert.is((await match(run, app)).status, 200);
      assert.is((await verify(run, app, token)).json.valid, true);
      assert.is(Number((await readAt(url, app.id)).states[0].sequence), 1);

      await server.demote();
      const [held] = await server.query<{ standby: boolean; users: number }>(
        'SELECT pg_is_in_recovery() AS standby, COUNT(*) AS users FROM users',
        'face',
      );
      assert.equal({ ...held }, { standby: true, users: 1 });
      const json = { challenge_id, descriptors: [faces.genuine(0)] };
      for (const answer of [
        await verify(run, app, token),
        await call(run, 'POST', '/v1/match', { headers: browser(app), json }),
        await call(run, 'POST', '/v1/challenges', { headers: browser(app), json: {} }),
      ])
        assertError(answer, 'service_unavailable');
      assert.is((await call(run, 'GET', '/health')).status, 503);

      const driver = driverAt(url, 1);
      const read = await driver.read.get('SELECT 1').catch(error => error);
      await driver.close();
      assert.instance(read, StoreUnavailable, 'no connection is made to it');
      assert.instance(await readAt(url, app.id), StoreUnavailable, 'one that is there is of no use');
    } finally {
      await run.close();
      server.stop();
    }
  });

test.run();
