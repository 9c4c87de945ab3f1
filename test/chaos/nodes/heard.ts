/**
 * Offline verification that sees sign-outs: people sign out and are erased at one node, while verifiers that read the
 * revocation feeds of the others check every token, and those of the people who stay.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../../bench/measure.ts';
import { createVerifier, type Verifier } from '../../../src/sdk/server/index.ts';
import { call, enrolled, faces, server } from '../../support/client.ts';
import { logout } from '../../support/me.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { type Figure, figure, none, told } from '../../support/trial.ts';
import { faultsOf, startCluster } from './cluster.ts';

const BASE_URL = 'https://face.example';
const AT_ONCE = 8;
const LATE_MS = 2_000;
/** Nobody waits longer for a token to be refused. */
const NEVER_MS = 10_000;
const LOOK_MS = 50;

/** @param revocations false: a control, which has to miss every sign-out */
export async function playHeard(
  postgres: PostgresServer,
  people: number,
  say: (line: string) => void,
  revocations = true,
): Promise<Figure[]> {
  const cluster = await startCluster(postgres, { env: { BASE_URL } });
  const verifiers: Verifier[] = [];
  try {
    const app = await cluster.run.createApp();
    const [a, ...others] = cluster.nodes;
    for (const { run } of others)
      verifiers.push(
        createVerifier({
          issuer: BASE_URL,
          baseUrl: run.base,
          appId: app.id,
          mode: 'live',
          secretKey: app.live.sk,
          verification: 'offline',
          revocations,
        }),
      );
    await Promise.all(verifiers.map(verifier => verifier.ready()));
    const times: number[] = [];
    let [late, refused, checked] = [0, 0, 0];

    /** Whether any verifier accepts it still. */
    async function isAccepted(token: string): Promise<boolean> {
      const answers = await Promise.allSettled(verifiers.map(verifier => verifier.verify(token)));
      return answers.some(({ status }) => status === 'fulfilled');
    }

    async function heard(token: string): Promise<void> {
      const began = performance.now();
      while (await isAccepted(token)) {
        if (performance.now() - began > NEVER_MS) break;
        await delay(LOOK_MS);
      }
      const ms = performance.now() - began;
      times.push(ms);
      if (ms > LATE_MS) late += 1;
    }

    async function stays(token: string): Promise<void> {
      for (const verifier of verifiers) {
        checked += 1;
        await verifier.verify(token).catch(error => {
          refused += 1;
          say(`REFUSED ${error.code}`);
        });
      }
    }

    const hearing: Promise<void>[] = [];
    const good: string[] = [];
    let next = 0;
    async function onePerson(n: number): Promise<void> {
      const { user, token } = await enrolled(a.run, app, { descriptors: [faces.genuine(n)] });
      await stays(token);
      if (n % 2 === 1) good.push(token);
      else {
        if (n % 4 === 0) await logout(a.run, token);
        else await call(a.run, 'DELETE', `/v1/users/${user.id}`, { headers: server(app) });
        hearing.push(heard(token));
      }
      // Somebody who stays, again and again.
      const one = good[(n * 7) % Math.max(1, good.length)];
      if (one) await stays(one);
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < people) await onePerson(next++);
      }),
    );
    await Promise.all(hearing);
    for (const token of good) await stays(token);
    const slowest = Math.max(...times);
    return [
      figure(
        'signed out or erased on A, still verified after 2 s with the feeds of B and C',
        '0',
        `${late} of ${times.length}`,
        late === 0 && times.length >= Math.floor(people / 2),
      ),
      figure('good tokens refused', '0', `${refused} of ${checked}`, refused === 0),
      told(
        'until a sign-out is heard',
        `median ${quantile(times, 0.5).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
      ),
      none('faults in the logs of the nodes', faultsOf(cluster)),
    ];
  } finally {
    for (const verifier of verifiers) verifier.close();
    await cluster.close();
  }
}
