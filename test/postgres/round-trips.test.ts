/**
 * How many round trips to the database a request makes one after the other, counted on a line on which every question
 * comes late. With all limits on, since each of them asks too.
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
/** Enough for one in which the node asks for nothing else, also on a machine whose cores are busy. */
const ROUNDS = 12;
const MOST = { challenge: 4, match: 8, 'no match': 8 };
const LIMITS = {
  LIMIT_IP_PER_MINUTE: '600',
  LIMIT_APP_PER_MINUTE: '600',
  LIMIT_FAILED_MATCHES: '10',
  LIMIT_MATCHES_PER_USER: '60',
};

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: round trips'));
else
  test('a challenge makes at most 4 round trips to the database, a match 8', async () => {
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
      // At times the node asks for itself meanwhile, and then a request waits for that too.
      const fewest: Partial<typeof MOST> = {};
      const isHeld = (what: keyof typeof MOST) => (fewest[what] ?? MOST[what] + 1) <= MOST[what];
      const kinds = Object.keys(MOST) as (keyof typeof MOST)[];
      line.lateMs = LATE_MS;
      for (let round = 0; round < ROUNDS && !kinds.every(isHeld); round++) {
        const trips = async <Answer>(what: keyof typeof MOST, work: () => Promise<Answer>) => {
          const before = line.trips;
          const answer = await work();
          const asked = line.trips - before;
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
        assertError(refused, 'no_match');
      }
      for (const what of kinds) assert.ok(isHeld(what), `${what}: ${fewest[what]} round trips`);
    } finally {
      line.lateMs = 0;
      await run.close();
      line.close();
      server.stop();
    }
  });

test.run();
