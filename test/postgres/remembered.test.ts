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
      const kidOf = async (challengeId: string) => {
        const { status, json } = await match(other, app, { challengeId, descriptors });
        assert.is(status, 200);
        return decoded(json.token).header.kid;
      };
      const ids: string[] = [];
      for (let n = 0; n < 6; n++) ids.push((await challenge(one, app)).challenge_id);
      const [first = '', second = '', ...others] = ids;
      const before = await kidOf(first);
      assert.is(await kidOf(second), before);
      let last = before;
      for (const [n, flags] of [['--now'], ['--revoke-old']].entries()) {
        const { json } = await one.cli(['signing-key', 'rotate', ...flags]);
        assert.is.not(json.kid, last);
        assert.is(await kidOf(others[2 * n] ?? ''), json.kid, flags.join());
        assert.is(await kidOf(others[2 * n + 1] ?? ''), json.kid, 'and then remembered');
        last = json.kid;
      }
    } finally {
      await Promise.all([one.close(), other.close()]);
      server.stop();
    }
  });

test.run();
