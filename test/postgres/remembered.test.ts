/** What a node remembers of signing keys holds only until another one has changed them. */
import * as assert from 'uvu/assert';
import { challenge, decoded, enrolled, faces, match } from '../support/client.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

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
    } finally {
      await Promise.all([one.close(), other.close()]);
      server.stop();
    }
  });

test.run();
