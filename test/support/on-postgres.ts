/**
 * The tests of a running service, on PostgreSQL in place of a file: with TEST_DATABASE_SERVER, which run-postgres.ts sets,
 * every service gets a database of its own on that server. With TEST_NODES=2 two nodes serve it, and requests alternate.
 */
import { execFileSync } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { postgresPrograms } from './postgres.ts';
import { copyOfReady, TEST_MASTER_SECRET } from './ready-database.ts';
import type { Suite } from './suite.ts';

const server = process.env.TEST_DATABASE_SERVER;
export const nodesWanted = Number(process.env.TEST_NODES ?? 1);
let made = 0;

/** Settings of a service on a database of its own. Null: databases are files. */
export async function ownDatabase(): Promise<Record<string, string> | null> {
  if (!server) return null;
  const name = `service_${process.pid}_${made++}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(copyOfReady(name));
  await client.end();
  return {
    DATABASE_URL: `${server}/${name}`,
    DATABASE_POOL: '6',
    MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
    DEMO: 'off',
  };
}

/** Reads at once, as a reader of a file does. A `?` stands for a value. */
export function rowsAt(url: string, sql: string, values: readonly unknown[]): Record<string, unknown>[] {
  const text = withValues(sql, values);
  const printed = psql(url, `SELECT COALESCE(json_agg(found), '[]') FROM (${text}) AS found`);
  return JSON.parse(printed).map((row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bytesOf(value)])),
  );
}

/** Changes rows as somebody does who can write the database. */
export function changeAt(url: string, sql: string, values: readonly unknown[]): void {
  psql(url, withValues(sql, values));
}

function withValues(sql: string, values: readonly unknown[]): string {
  let place = 0;
  return sql.replace(/\?/g, () => literal(values[place++]));
}

const psql = (url: string, text: string) =>
  execFileSync(
    join(postgresPrograms() ?? '', 'psql'),
    ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', text],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );

const literal = (value: unknown) =>
  value === null || typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;

const bytesOf = (value: unknown) =>
  typeof value === 'string' && /^\\x(?:[0-9a-f]{2})*$/.test(value)
    ? Buffer.from(value.slice(2), 'hex')
    : value;

/** More than a node reads, so that the node says what is too large. */
const LARGEST_HEAD = 1_024 * 1_024;

/** Sends each request to the next of the addresses. */
export async function alternating(
  addresses: () => readonly string[],
): Promise<{ base: string; close(): Promise<void> }> {
  let turn = 0;
  const balancer = createServer({ maxHeaderSize: LARGEST_HEAD }, (incoming, answer) => {
    const all = addresses();
    const to = new URL(all[turn++ % all.length] ?? '');
    const { method, url: path, rawHeaders: headers } = incoming;
    const outgoing = request({ host: to.hostname, port: to.port, method, path, headers, agent: false });
    outgoing.on('response', got => {
      answer.writeHead(got.statusCode ?? 502, got.statusMessage, got.rawHeaders);
      got.pipe(answer);
    });
    // A node may answer and close before it has the whole body.
    outgoing.on('error', () => answer.headersSent || answer.destroy());
    incoming.on('error', () => outgoing.destroy()).pipe(outgoing);
    answer.on('close', () => outgoing.destroy());
  });
  balancer.maxHeadersCount = 0;
  // A connection that is closed while a request is on its way would look like a fault of a node.
  balancer.keepAliveTimeout = 600_000;
  await new Promise<void>(ready => balancer.listen(0, '127.0.0.1', ready));
  return {
    base: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    async close() {
      balancer.closeAllConnections();
      await new Promise(done => balancer.close(done));
    },
  };
}

/** Adds tests of what only a file has. On a server they are left out, and the run says how many. */
export function inFileOnly(test: Suite): (name: string, body: () => unknown) => void {
  if (!server) return test;
  let names = 0;
  test.after(() => console.log(`left out: ${names} tests of a database in a file`));
  return () => {
    names++;
  };
}
