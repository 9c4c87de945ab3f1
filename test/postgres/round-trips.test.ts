/**
 * How often a request waits for the database, counted by a line on which every question comes late: the time of a request,
 * divided by that. With all limits on, since each of them asks too.
 */
import * as assert from 'uvu/assert';
import { assertError, challenge, enrolled, faces, match } from '../support/client.ts';
import { startDetour } from '../support/detour.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../support/ready-database.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('postgres: round trips');
/** Longer than everything else that a request does. */
const LATE_MS = 120;
const LIMITS = {
  LIMIT_IP_PER_MINUTE: '600',
  LIMIT_APP_PER_MINUTE: '600',
  LIMIT_FAILED_MATCHES: '10',
  LIMIT_MATCHES_PER_USER: '60',
};

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: round trips'));
else
  test('a challenge and a match ask the database twice each', async () => {
    const server = await startPostgres();
    await server.query('CREATE DATABASE face');
    const line = await startDetour(server.port);
    const run = await startService({
      env: {
        ...LIMITS,
        DATABASE_URL: line.through(server.urlOf('face')),
        MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
        DEMO: 'off',
      },
    });
    try {
      const app = await run.createApp();
      await enrolled(run, app);
      for (let round = 0; round < 3; round++) assert.is((await match(run, app)).status, 200);
      const fewest: Record<string, number> = {};
      line.lateMs = LATE_MS;
      for (let round = 0; round < 3; round++) {
        const trips = async <Answer>(what: string, work: () => Promise<Answer>) => {
          const began = performance.now();
          const answer = await work();
          const asked = Math.floor((performance.now() - began) / LATE_MS);
          fewest[what] = Math.min(fewest[what] ?? asked, asked);
          return answer;
        };
        const { challenge_id: challengeId } = await trips('challenge', () => challenge(run, app));
        const answer = await trips('match', () => match(run, app, { challengeId }));
        assert.is(answer.status, 200);
        const { challenge_id: another } = await challenge(run, app);
        const refused = await trips('no match', () =>
          match(run, app, { challengeId: another, descriptors: [faces.genuine(7)] }),
        );
        assertError(refused, 401, 'no_match');
      }
      assert.equal(fewest, { challenge: 2, match: 2, 'no match': 2 });
    } finally {
      line.lateMs = 0;
      await run.close();
      line.close();
      server.stop();
    }
  });

test.run();
