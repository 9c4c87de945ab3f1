/** The round trips of a challenge and a match to the database, on a line on which every statement is late. */

import { startDetour } from '../../test/support/detour.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { median } from '../measure.ts';
import { ask } from '../service/enrolled.ts';
import type { Measure } from './row.ts';
import { startSide } from './sign-ins.ts';

const SIGN_INS = 30;
/** Longer than everything else that a request does. */
const LATE_MS = 120;
const MOST = { challenge: 4, match: 8 };

export async function roundTrips(server: PostgresServer): Promise<Measure[]> {
  const detour = await startDetour(server.port);
  await server.query('CREATE DATABASE round_trips');
  const { side, close } = await startSide(detour.through(server.urlOf('round_trips')), 1, 10);
  const { address, bodies, expected, keys = [] } = side.job;
  const counts = { challenge: [] as number[], match: [] as number[] };
  const counted = async (of: keyof typeof counts, path: string, key: string, body?: object) => {
    const before = detour.trips;
    const answer = await ask(`${address}${path}`, key, body);
    counts[of].push(detour.trips - before);
    return answer;
  };
  let wrong = 0;
  try {
    detour.lateMs = LATE_MS;
    for (let n = 0; n < SIGN_INS; n++) {
      const at = n % bodies.length;
      const key = keys[at] ?? '';
      const { body } = await counted('challenge', '/v1/challenges', key);
      const request = JSON.parse(`{"challenge_id":"${body.challenge_id}"${bodies[at]}`);
      const found = await counted('match', '/v1/match', key, request);
      if (!JSON.stringify(found.body).includes(expected[at] ?? '?')) wrong += 1;
    }
  } finally {
    detour.lateMs = 0;
    await close();
    detour.close();
  }
  if (wrong > 0) throw new Error(`${wrong} of ${SIGN_INS} sign-ins were wrong: no figure is shown`);
  // A median, because at times the node asks for itself meanwhile.
  return (['challenge', 'match'] as const).map(what => ({
    what: `round trips of a ${what} to the database, one after the other`,
    value: median(counts[what]),
    wanted: { most: MOST[what] },
    checked: `0 of ${SIGN_INS} answers wrong`,
  }));
}
