/** PostgreSQL under Patroni on the three machines: who is the primary, and what may happen to it. */
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import pg from 'pg';
import { kill, type Machine, makeMachines, SUPERUSER_PASSWORD, until } from './machines.ts';

const START_MS = 90_000;
const REJOIN_MS = 90_000;
/** A machine that is silent must not hold us. */
const PATIENCE = { connectionTimeoutMillis: 5_000, query_timeout: 20_000 };
const DATABASE = 'face_sign_in';
const PASSWORD = 'p@ss';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster() {
  const { all, authority } = makeMachines();
  // The trial makes apps in its own process.
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(authority, 'utf8')]);
  for (const machine of all) machine.boot();

  /** As whoever answers first sees it. */
  async function members(): Promise<{ name: string; role: string }[]> {
    const answer = await Promise.any(all.map(({ address }) => ask(address, 'GET', '/cluster')));
    return JSON.parse(answer).members;
  }

  async function primary(): Promise<Machine> {
    const leader = (await members()).find(({ role }) => role === 'leader');
    const machine = all.find(({ name }) => name === leader?.name);
    if (!machine) throw new Error('nobody is the primary');
    return machine;
  }

  async function queryOn(host: string, text: string, database: string) {
    const login = { host, user: 'postgres', password: SUPERUSER_PASSWORD, database };
    const client = new pg.Client({ ...login, ssl: true, ...PATIENCE });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  const query = async (text: string) => queryOn((await primary()).address, text, 'postgres');

  async function streaming(state: string): Promise<number> {
    const text = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state ~ '${state}'`;
    return (await query(text)).length;
  }
  const seen = () => all.map(machine => `${machine.name}: ${machine.log()}`).join('\n');
  const isWhole = async () =>
    (await members()).filter(({ role }) => role === 'sync_standby').length === 2 &&
    (await streaming('^sync')) === 2;

  const stop = () => {
    for (const machine of all) machine.kill();
  };
  try {
    await until(isWhole, seen, START_MS);
    await query(`CREATE ROLE ${DATABASE} LOGIN PASSWORD '${PASSWORD}'`);
    const empty = `TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C'`;
    await query(`CREATE DATABASE ${DATABASE} OWNER ${DATABASE} ${empty}`);
  } catch (error) {
    stop();
    throw error;
  }

  const hosts = all.map(({ address }) => address).join(',');
  const user = `${DATABASE}:${encodeURIComponent(PASSWORD)}`;
  let sync = isWhole;
  return {
    /** What a node of the service needs. */
    settings: {
      DATABASE_URL: `postgres://${user}@${hosts}:5432/${DATABASE}?sslmode=verify-full&sslrootcert=${authority}`,
    },
    primary,
    /** Of the database there, for its superuser. */
    async primaryUrl() {
      const { address } = await primary();
      return `postgres://postgres:${SUPERUSER_PASSWORD}@${address}:5432/${DATABASE}?sslmode=require`;
    },
    /**
     * On whichever server accepts writes. Patroni is not asked: while it stops, it accepts no connections, and what waits
     * there keeps the standbys from reaching it, which they do before one takes over.
     */
    write: (text: string) => Promise.any(all.map(({ address }) => queryOn(address, text, DATABASE))),
    stop,
    /** Waits until a standby has every write, and all three take part. */
    whole: () => until(() => sync(), seen, REJOIN_MS),
    /** Writes no longer wait for a standby. */
    async makeAsynchronous() {
      const changes = {
        synchronous_mode: false,
        synchronous_mode_strict: false,
        maximum_lag_on_failover: 2 ** 30,
      };
      await ask((await primary()).address, 'PATCH', '/config', changes);
      sync = async () => (await streaming('^async')) === 2;
      await until(sync, seen, REJOIN_MS);
    },
    async switchOver() {
      const { name: leader, address } = await primary();
      await ask(address, 'POST', '/switchover', { leader });
    },
  };
}

/** Writes that the primary acknowledges from now on stay there, unless it waits for a standby. */
export function stopReplication(primary: Machine): void {
  for (const pid of primary.postgres(/walsender/)) kill(pid, 'SIGSTOP');
}

/** `kill -9` of PostgreSQL alone: the server first, so that it tells nobody. */
export function killPostgres(primary: Machine): void {
  for (const pid of primary.postgres()) kill(pid, 'SIGKILL');
}

/** Patroni's own interface. @throws Error unless it agrees */
async function ask(address: string, method: string, path: string, json?: object): Promise<string> {
  const authorization = `Basic ${Buffer.from('patroni:PASSWORD1').toString('base64')}`;
  const answer = await fetch(`http://${address}:8008${path}`, {
    method,
    headers: { authorization, connection: 'close' },
    body: json ? JSON.stringify(json) : null,
    signal: AbortSignal.timeout(path === '/switchover' ? 30_000 : 3_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}
