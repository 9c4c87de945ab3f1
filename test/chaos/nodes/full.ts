/** No room on the disk of the database's tables: writes are refused, nothing acknowledged is lost, and it goes on. */
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, challenges, enroll, faces, match } from '../../support/client.ts';
import { mounted } from '../../support/disk-places.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { userId } from '../../support/system-programs.ts';
import { type Figure, figure, none, some, within } from '../../support/trial.ts';
import { fill } from '../disk/faults.ts';
import { type Cluster, startCluster } from './cluster.ts';

const DISK_MB = 64;
const AT_ONCE = 30;
const BATCHES = 6;
const BACK_MS = 5_000;

export async function playFull(server: PostgresServer): Promise<Figure[]> {
  const place = mounted(DISK_MB);
  const disk = dirname(place.dataDir);
  const folder = join(disk, 'tables');
  const filler = join(disk, 'filler');
  // The server runs as another user.
  chmodSync(dirname(disk), 0o711);
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  chownSync(folder, userId('postgres'), userId('postgres'));
  await server.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
  const cluster = await startCluster(server, { tablespace: 'small' });
  try {
    const app = await cluster.run.createApp();
    let person = 0;
    const answered = new Map<number, Answer>();
    const batch = async (): Promise<Answer[]> => {
      const [one, two, three] = cluster.nodes;
      const all = [one, two, three].map(async ({ run }) => {
        const ids = await challenges(run, app, AT_ONCE / 3).catch(() => []);
        return Promise.all(
          ids.map(async challengeId => {
            const n = person++;
            const answer = await enroll(run, app, { challengeId, descriptors: [faces.genuine(n)] });
            answered.set(n, answer);
            return answer;
          }),
        );
      });
      return (await Promise.all(all)).flat();
    };
    const count = (status: number) =>
      [...answered.values()].filter(answer => answer.status === status).length;
    await batch();
    const before = count(201);
    fill(filler);
    for (let n = 0; n < BATCHES; n++) await batch();
    const refused = count(503);
    rmSync(filler);
    const freed = performance.now();
    let backMs = Number.POSITIVE_INFINITY;
    while (performance.now() - freed < 2 * BACK_MS) {
      const answers = await batch();
      if (answers.length === AT_ONCE && answers.every(({ status }) => status === 201)) {
        backMs = performance.now() - freed;
        break;
      }
      await delay(50);
    }
    const odd = [...answered.values()].filter(({ status }) => status !== 201 && status !== 503);
    const wrong = await wrongOnes(cluster, app, answered);
    const [{ n: users }] = cluster.run.rows('SELECT COUNT(*) AS n FROM users WHERE app_id = ?', app.id);
    const [{ enrolls }] = cluster.run.rows('SELECT enrolls FROM usage WHERE app_id = ?', app.id);
    const isWhole = users === count(201) && enrolls === users;
    return [
      some('full disk: enrolments before', before),
      some('full disk: enrolments refused', refused),
      none(
        'full disk: answers other than 201 or 503',
        odd.map(({ text }) => text),
      ),
      none('full disk: acknowledged and not recognised, or refused and there', wrong),
      figure(
        'full disk: users and enrolments counted',
        `${count(201)} each`,
        `${users} and ${enrolls}`,
        isWhole,
      ),
      within('full disk: room again, and every enrolment good', BACK_MS, backMs),
    ];
  } finally {
    await cluster.close();
    await server.query(`DROP DATABASE ${new URL(cluster.url).pathname.slice(1)} WITH (FORCE)`);
    await server.query('DROP TABLESPACE small');
    place.remove();
  }
}

async function wrongOnes(
  { run }: Cluster,
  app: Parameters<typeof match>[1],
  answered: ReadonlyMap<number, Answer>,
): Promise<number> {
  let wrong = 0;
  for (const [n, { status, json }] of answered) {
    const found = await match(run, app, { descriptors: [faces.genuine(n, 1)] });
    const isRight = status === 201 ? found.json?.user?.id === json.user.id : found.status === 401;
    if (!isRight) wrong += 1;
  }
  return wrong;
}
