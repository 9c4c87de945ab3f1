/** Sign-ins a second of one node on PostgreSQL beside the same on SQLite, with one app and with many. */
import { NO_LIMITS } from '../../test/support/no-limits.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { TEST_MASTER_SECRET } from '../../test/support/ready-database.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { median } from '../measure.ts';
import { checkAnswers } from '../service/check-answers.ts';
import { enrollAll, FACES, liveKey, ORIGIN } from '../service/enrolled.ts';
import { type Measured, measure, type Side } from '../service/measure.ts';
import { listening, startLoad, startServer, stop } from '../service/servers.ts';
import type { Measure } from './row.ts';

const USERS = 200;
const APPS = [1, 50];
const CONNECTIONS = 64;
/** Time for V8 to compile what each side runs: it took a node on PostgreSQL longest. */
const WARM_UP_SECONDS = 10;
const PASSES = 4;
const SECONDS = 4;
const RATE = 0.4;
const CPU = 1.5;

export interface Started {
  readonly side: Side;
  close(): Promise<void>;
}

/** A node with people in its apps, whose answers are right. @param url of an empty database; null: SQLite */
export async function startSide(url: string | null, apps: number, users = USERS): Promise<Started> {
  const env: Record<string, string> = {
    ...NO_LIMITS,
    ...{ DATA_DIR: tempFolder(), PORT: '0', PORTAL_PORT: '0', DEMO: 'off' },
    ...(url !== null && { DATABASE_URL: url, MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url') }),
  };
  const keys: string[] = [];
  for (let app = 0; app < apps; app++) keys.push(await liveKey(env));
  const server = startServer(['src/main.ts', 'serve'], { ...process.env, ...env });
  const close = () => stop(server);
  try {
    const address = await listening(server, /"api":"([^"]+)"/);
    const each = users / apps;
    const job = { bodies: [] as string[], expected: [] as string[], keys: [] as string[] };
    const filled = await Promise.all(keys.map(key => enrollAll(address, key, each)));
    for (const [app, key] of keys.entries()) {
      const { bodies = [], expected = [] } = filled[app] ?? {};
      const signers = expected.map((userId, person) => ({ person, userId }));
      await checkAnswers(address, { key, users: each, signers, people: FACES, stranger: 0 });
      job.bodies.push(...bodies);
      job.expected.push(...expected.map(id => `"user":{"id":"${id}"`));
      job.keys.push(...bodies.map(() => key));
    }
    const paths = ['/v1/challenges', '/v1/match'] as const;
    const engine = url === null ? 'sqlite' : 'postgres';
    const all = { address, paths, headers: { origin: ORIGIN }, ...job };
    return { side: { engine, templates: users, server, job: all }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function signIns(server: PostgresServer): Promise<Measure[]> {
  const generator = startLoad();
  const all: { apps: number; file: Turns; served: Turns }[] = [];
  const closing: Started[] = [];
  const started = async (url: string | null, apps: number): Promise<Turns> => {
    const one = await startSide(url, apps);
    closing.push(one);
    return { side: one.side, measured: [] };
  };
  try {
    for (const apps of APPS) {
      await server.query(`CREATE DATABASE sign_ins_${apps}`);
      const file = await started(null, apps);
      all.push({ apps, file, served: await started(server.urlOf(`sign_ins_${apps}`), apps) });
    }
    const turns = all.flatMap(({ file, served }) => [file, served]);
    for (const { side } of turns)
      await measure(generator, side, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    for (let pass = 0; pass < PASSES; pass++) {
      console.error(`sign-ins: pass ${pass + 1} of ${PASSES}`);
      for (const { side, measured } of pass % 2 ? turns.toReversed() : turns)
        measured.push(await measure(generator, side, { connections: CONNECTIONS, seconds: SECONDS }));
    }
  } finally {
    await stop(generator);
    for (const one of closing) await one.close();
  }
  return all.flatMap(({ apps, file, served }) => {
    const of = `${apps} ${apps === 1 ? 'app' : 'apps'}`;
    const processor = `processor time of the node a sign-in, µs, ${of}`;
    return [
      compared(`sign-ins a second, ${of}`, 'per_second', file, served, { least: RATE }),
      compared(processor, 'cpu_us', file, served, { most: CPU }),
    ];
  });
}

interface Turns {
  readonly side: Side;
  readonly measured: Measured[];
}

/** The ratio is the median of those of the passes. */
function compared(
  what: string,
  figure: 'per_second' | 'cpu_us',
  file: Turns,
  served: Turns,
  wanted: Measure['wanted'] & object,
): Measure {
  const of = ({ measured }: Turns) => measured.map(({ figures }) => figures[figure]);
  const [there, value] = [of(file), of(served)];
  const ratio = median(value.map((each, pass) => each / (there[pass] ?? Number.NaN)));
  const sum = (of: 'units' | 'wrong') =>
    [...file.measured, ...served.measured].reduce((total, one) => total + one[of], 0);
  return {
    what,
    value: median(value),
    beside: { what: 'SQLite', value: median(there), ratio },
    wanted,
    checked: `${sum('wrong')} of ${sum('units')} answers wrong`,
  };
}
