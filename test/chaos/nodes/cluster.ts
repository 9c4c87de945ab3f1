/**
 * Nodes as an operator runs them: processes of the program, each with a folder of its own, on one database. To the
 * helpers of test/support they look like one running service whose requests go to the nodes in turn.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { openAdmin } from '../../../src/service/data.ts';
import { makeTestApp } from '../../support/apps.ts';
import { openedRows } from '../../support/data-keys.ts';
import { alternating, rowsAt } from '../../support/on-postgres.ts';
import { openPostbox } from '../../support/postbox.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { type Env, within } from '../../support/process.ts';
import { TEST_MASTER_SECRET } from '../../support/ready-database.ts';
import type { Running, TestApp } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type Program, settings, startProgram } from '../crash/program.ts';
import type { Lock } from '../races/burst.ts';

export const NODES = 3;

export interface Node {
  readonly dataDir: string;
  /** The one that runs now. */
  program: Program;
  /** As the helpers of test/support ask it. */
  readonly run: Running;
  start(): Promise<void>;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export interface Plan {
  /** For all nodes. */
  readonly env?: Env;
  /** For one of them. */
  readonly each?: (n: number, url: string) => Env;
  readonly tablespace?: string;
}

/** With no limits of requests, unless `env` has some. An empty setting is the built-in one. */
export async function startCluster(server: PostgresServer, plan: Plan = {}) {
  const name = `nodes_${randomUUID().replaceAll('-', '')}`;
  await server.query(
    `CREATE DATABASE ${name} TEMPLATE ready ${plan.tablespace ? `TABLESPACE ${plan.tablespace}` : ''}`,
  );
  const url = server.urlOf(name);
  const postbox = await openPostbox();
  const shared: Env = {
    DATABASE_URL: url,
    MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
    MAIL_URL: postbox.url,
    TRUST_PROXY: '1',
    DEMO: 'off',
    ...plan.env,
  };
  const folder = tempFolder();
  const commands = { ...settings(join(folder, 'commands')), ...shared };
  const admin = await openAdmin(loadConfig(commands));
  const rows: Running['rows'] = (sql, ...values) => rowsAt(url, sql, values);
  const refuse = () => {
    throw new Error('not with several nodes');
  };
  const running = (base: () => string): Running => ({
    get base() {
      return base();
    },
    dataDir: folder,
    portal: '',
    logs: [],
    clock: { now: Date.now, advance: refuse },
    mails: to => postbox.mails(to),
    createApp: options => makeTestApp(admin, options),
    async cli(args) {
      const { code, stdout, stderr } = await within([...args, '--json'], commands);
      return { code: code ?? -1, json: stdout ? JSON.parse(stdout) : null, stderr };
    },
    rows,
    opened: table => openedRows(rows, TEST_MASTER_SECRET, table),
    change: refuse,
    restart: refuse,
    close: refuse,
  });
  const node = async (n: number): Promise<Node> => {
    const dataDir = join(folder, `node-${n}`);
    const launched = () =>
      startProgram({ dataDir, env: { ...shared, NODE_NAME: `node-${n}`, ...plan.each?.(n, url) } });
    const made: Node = {
      dataDir,
      program: await launched(),
      run: running(() => made.program.base),
      async start() {
        made.program = await launched();
      },
    };
    return made;
  };
  const nodes = (await Promise.all([0, 1, 2].map(node))) as [Node, Node, Node];
  const balancer = await alternating(() => nodes.map(({ program }) => program.base));
  return {
    nodes,
    /** All nodes in turn. */
    run: running(() => balancer.base),
    admin,
    url,
    lock: (() => lockedAgainstWriting(url)) satisfies Lock,
    async close(): Promise<void> {
      await Promise.all(nodes.map(({ program }) => program.end('SIGKILL')));
      await balancer.close();
      await admin.close();
      postbox.close();
    },
  };
}

/** Every table may be read, and rows be locked, but nothing is written. */
async function lockedAgainstWriting(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  const lock = `BEGIN; LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN SHARE MODE`;
  // Tables are locked one after the other: a node that writes to two of them may be in the way.
  while (!(await client.query(lock).then(() => true, isDeadlock))) await client.query('ROLLBACK');
  return () => client.end();
}

/** @throws whatever else it is */
function isDeadlock(error: { code?: string }): false {
  if (error.code !== '40P01') throw error;
  return false;
}

/** Templates of an app in the memory of a node. */
export async function templatesHeld({ program }: Node, { id }: TestApp): Promise<number> {
  const text = await (await fetch(`${portalOf(program)}/metrics`)).text();
  const lines = text.split('\n').filter(line => line.startsWith('face_sign_in_gallery_templates{'));
  return Number(
    lines
      .find(line => line.includes(id))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}

export function portalOf(program: Program): string {
  const found = /^ {2}Portal +(http:\S+)/m.exec(program.printed())?.[1];
  if (!found) throw new Error(`no portal in: ${program.printed()}`);
  return found;
}

/** Lines of their logs that show a fault, which a test of a healthy database has none of. */
export const faultsOf = ({ nodes }: Cluster) =>
  nodes.flatMap(({ program }) =>
    program
      .printed()
      .split('\n')
      .filter(line => /"level":[56]0/.test(line)),
  );
