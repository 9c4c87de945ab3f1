/**
 * Sign-ins of one app through the store, so many at once: with shared transactions beside one by one, and by two nodes.
 * The rows are counted from outside after each pass, and the server says whether there were deadlocks.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { createApp } from '../../src/domain/operating/apps.ts';
import { openAdmin } from '../../src/service/data.ts';
import { type Alteration, alteredBy } from '../../test/support/altered.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { TEST_MASTER_SECRET } from '../../test/support/ready-database.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { median } from '../measure.ts';
import { ORIGIN } from '../service/enrolled.ts';
import { enrol } from '../service/galleries.ts';
import type { Measure } from './row.ts';

const NAME = 'hot_app';
const AT_ONCE = 64;
const USERS = 50;
const PASSES = 4;
const MS = 3_000;
/** More than a node makes in a pass. */
const CHALLENGES = 40_000;
const TIMES = 3;
const SIDES = ['one by one', 'together', 'two nodes'] as const;
type Side = (typeof SIDES)[number];

/** For comparison: no two writes share a transaction. */
const ALONE: readonly Alteration[] = [
  ['src/adapters/postgres/driver.ts', 'const MOST_TOGETHER = 64;', 'const MOST_TOGETHER = 1;'],
];
const run = promisify(execFile);

export async function hotApp(server: PostgresServer): Promise<Measure[]> {
  const folder = tempFolder();
  await server.query(`CREATE DATABASE ${NAME}`);
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: server.urlOf(NAME),
    MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
  };
  const { appId } = await galleryOn(env, USERS);
  const rates: Record<Side, number[]> = { 'one by one': [], together: [], 'two nodes': [] };
  let checked = 0;
  const pass = async (side: Side): Promise<number> => {
    await server.query('TRUNCATE challenges', NAME);
    const before = await counted(server);
    const nodes = side === 'two nodes' ? ['one', 'two'] : ['one'];
    for (const node of nodes)
      await server.query(
        `INSERT INTO challenges (id, app_id, mode, expires_at)
         SELECT '${node}' || n, '${appId}', 'live', 9007199254740991 FROM generate_series(0, ${CHALLENGES - 1}) n`,
        NAME,
      );
    const own = { ...process.env, ...(side === 'one by one' && alteredBy(ALONE)) };
    const script = join(import.meta.dirname, 'hot-app-process.ts');
    const words = (node: string) =>
      [script, env.DATABASE_URL, folder, appId, node, USERS, AT_ONCE, MS].map(String);
    const all = await Promise.all(
      nodes.map(async node => JSON.parse((await run(process.execPath, words(node), { env: own })).stdout)),
    );
    const done = all.reduce((sum, each) => sum + each.done, 0);
    const after = await counted(server);
    for (const what of ['auths', 'events'] as const)
      if (after[what] - before[what] !== done)
        throw new Error(
          `${side}: ${done} sign-ins, ${after[what] - before[what]} ${what}: no figure is shown`,
        );
    if (after.challenges !== nodes.length * CHALLENGES - done)
      throw new Error(`${side}: ${after.challenges} challenges are left: no figure is shown`);
    checked += done;
    return done / Math.max(...all.map(each => each.seconds));
  };
  for (let n = 0; n < PASSES; n++) {
    console.error(`hot app: pass ${n + 1} of ${PASSES}`);
    for (const side of n % 2 ? SIDES.toReversed() : SIDES) rates[side].push(await pass(side));
  }
  const [row] = await server.query<{ deadlocks: string }>(
    `SELECT deadlocks FROM pg_stat_database WHERE datname = '${NAME}'`,
  );
  const by = `${checked} sign-ins, usage, events and challenges equal`;
  const beside = (what: Side) => ({
    what: 'one by one',
    value: median(rates['one by one']),
    ratio: median(rates[what].map((rate, n) => rate / (rates['one by one'][n] ?? Number.NaN))),
  });
  const measure = (what: string, side: Side): Measure => ({
    ...{ what, value: Math.round(median(rates[side])), beside: beside(side), checked: by },
    ...(side === 'together' && { wanted: { least: TIMES } }),
  });
  return [
    measure(`one app, ${AT_ONCE} sign-ins at once in the store, a second: transactions shared`, 'together'),
    measure(`the same by two nodes, ${AT_ONCE} each`, 'two nodes'),
    { what: 'deadlocks meanwhile', value: Number(row?.deadlocks), wanted: { most: 0 }, checked: by },
  ];
}

async function counted(server: PostgresServer): Promise<Record<'auths' | 'events' | 'challenges', number>> {
  const [row] = await server.query<Record<'auths' | 'events' | 'challenges', number>>(
    `SELECT (SELECT CAST(COALESCE(SUM(auths), 0) AS FLOAT) FROM usage) AS auths,
       (SELECT CAST(COUNT(*) AS FLOAT) FROM auth_events) AS events,
       (SELECT CAST(COUNT(*) AS FLOAT) FROM challenges) AS challenges`,
    NAME,
  );
  if (!row) throw new Error('the server counts nothing');
  return row;
}

/** An app with people in its live gallery, enrolled through the store. */
async function galleryOn(settings: Record<string, string>, users: number): Promise<{ appId: string }> {
  const admin = await openAdmin(loadConfig(settings));
  try {
    const fields = { name: 'Bench', allowedOrigins: [ORIGIN], plan: 'unlimited' };
    const { id } = await createApp(admin.deps, fields);
    for (let person = 0; person < users; person++) await enrol(admin, id, person);
    return { appId: id };
  } finally {
    await admin.close();
  }
}
