/** What a node remembers of signing keys holds only until another one has changed them. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { challenge, decoded, enrolled, faces, match } from '../support/client.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { driverAt } from './given.ts';

const test = suite('postgres: remembered keys');

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: remembered keys'));
else
  test('the first match after a rotation on another node is signed by the new key', async () => {
    const server = await startPostgres();
    await server.query('CREATE DATABASE face');
    const env = {
      DATABASE_URL: server.urlOf('face'),
      MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
      DEMO: 'off',
    };
    const [one, other] = [await startService({ env }), await startService({ env })];
    const driver = driverAt(server.urlOf('face'));
    try {
      const app = await one.createApp();
      await enrolled(one, app);
      const descriptors = [faces.genuine(0)];
      const nextKid = async () => {
        const { challenge_id: challengeId } = await challenge(one, app);
        const { status, json } = await match(other, app, { challengeId, descriptors });
        assert.is(status, 200);
        return decoded(json.token).header.kid;
      };
      // With the second match, the other node remembers the key set.
      await nextKid();
      let last = await nextKid();
      for (const flag of ['--now', '--revoke-old']) {
        const { json } = await one.cli(['signing-key', 'rotate', flag]);
        assert.is.not(json.kid, last);
        last = await nextKid();
        assert.is(last, json.kid, flag);
        await nextKid();
      }

      // A search that waits for its gallery, while the key is revoked.
      const { challenge_id: challengeId } = await challenge(one, app);
      const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const held = driver.write(ROWS, async sql => {
        await sql.run('SET LOCAL idle_in_transaction_session_timeout = 0');
        await sql.run('LOCK TABLE removed_templates IN ACCESS EXCLUSIVE MODE');
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      await server.query('UPDATE galleries SET sequence = sequence + 1', 'face');
      const late = match(other, app, { challengeId, descriptors });
      const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      while ((await server.query(waits)).length === 0) await delay(5);
      const { json } = await one.cli(['signing-key', 'rotate', '--revoke-old']);
      release.resolve();
      await held;
      const answer = await late;
      assert.is(answer.status, 200);
      assert.is(decoded(answer.json.token).header.kid, json.kid, 'the key of after the wait');
    } finally {
      await driver.close();
      await Promise.all([one.close(), other.close()]);
      server.stop();
    }
  });

test.run();
