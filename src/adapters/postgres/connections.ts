/**
 * Connections to the one host that accepts writes. With several hosts each is tried in turn, and again whenever the one
 * in use is lost or becomes a standby. A database that the service cannot work with is refused by name.
 * Held by test/postgres/connections.ts.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { StoreMisfit, StoreUnavailable } from '../../ports/store.ts';
import type { PostgresAddress } from './address.ts';
import { isServerFault } from './faults.ts';

/** A connection must come within this time, or the request is refused. */
const CONNECT_MS = 5_000;
/** Longer ones are broken off, and their connection is dropped. */
const QUERY_MS = 10_000;
const LOCK_MS = 8_000;
/** A node that is frozen in a transaction holds its rows for at most this time. */
const IDLE_IN_TRANSACTION_MS = 2_000;
const IDLE_MS = 30_000;
const OLDEST_VERSION = 15;
const BIGINT = 20;
const NO_PASSWORD = '-';
/** What the pool says of whoever waited too long for a connection that others use. */
const QUEUE = /^timeout exceeded when trying to connect/;

export interface Connections {
  /** @throws StoreMisfit, StoreUnavailable */
  take(): Promise<pg.PoolClient>;
  /** The host in use leaves writes without an answer: the next connections are new ones, and begin at the next host. */
  failOver(): void;
  close(): Promise<void>;
}

interface Facts {
  readonly standby: boolean;
  readonly read_only: string;
  readonly version: number;
  readonly encoding: string;
  readonly collation: string;
  /** `c` the system's, `i` ICU's, `b` the server's own. */
  readonly provider: string;
}

/** A commit waits for the disk, whatever the database's own settings say. */
const FACTS = `SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
    THEN set_config('synchronous_commit', 'on', FALSE) END,
  pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS read_only,
  CAST(current_setting('server_version_num') AS INTEGER) / 10000 AS version,
  pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, datlocprovider AS provider
  FROM pg_database WHERE datname = current_database()`;

/** The host does not accept writes. */
class NotPrimary extends Error {}

export function createConnections(address: PostgresAddress, most: number): Connections {
  const { hosts, port, user, password, database } = address;
  const types = new pg.TypeOverrides();
  // Times and counts are safe integers.
  types.setTypeParser(BIGINT, Number);
  let at = 0;
  const options: pg.PoolConfig = {
    port,
    user,
    // Without any, the driver would leave the connection open once the server asks for it.
    password: password || NO_PASSWORD,
    database,
    ssl: encryption(address),
    types,
    max: most,
    keepAlive: true,
    // A transaction begins and locks in one round trip.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: QUERY_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'face-sign-in',
    // Whatever the database's own settings say: locks and limits are right at this level only, and a warning tells that
    // a commit has not waited for a standby.
    options: '-c default_transaction_isolation=read\\ committed -c client_min_messages=warning',
    onConnect: requireFit,
  };
  let pool = newPool();

  function newPool(): pg.Pool {
    const made = new pg.Pool({ ...options, host: hosts[at] });
    // Without a listener, the loss of an idle connection would end the process.
    made.on('error', () => undefined);
    made.on('connect', client => client.on('error', () => undefined));
    return made;
  }

  function nextHost(): void {
    at = (at + 1) % hosts.length;
    // The pool reads its options anew for each connection.
    (pool as unknown as { options: pg.PoolConfig }).options.host = hosts[at];
  }

  return {
    async take() {
      for (let tried = 0; ; tried++) {
        const host = at;
        const used = pool;
        try {
          return await used.connect();
        } catch (error) {
          if (error instanceof StoreMisfit) throw error;
          // All connections are in use: no other host would help.
          if (QUEUE.test((error as Error).message)) throw new StoreUnavailable(error);
          // Others may have moved on meanwhile.
          if (host === at && used === pool) nextHost();
          if (tried + 1 < hosts.length) continue;
          throw isServerFault(error) || error instanceof NotPrimary ? new StoreUnavailable(error) : error;
        }
      }
    },
    failOver() {
      const left = pool;
      nextHost();
      pool = newPool();
      // Once what it has begun has ended.
      left.end().catch(() => undefined);
    },
    close: async () => {
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/** @throws StoreMisfit */
function encryption({ ssl, authorityFile, setting }: PostgresAddress): pg.PoolConfig['ssl'] {
  if (!ssl || authorityFile === null) return ssl;
  try {
    return { ...ssl, ca: readFileSync(authorityFile) };
  } catch (error) {
    throw new StoreMisfit(
      `the sslrootcert of ${setting} cannot be read (${(error as Error).message}): check the path, and that this user can read the file`,
    );
  }
}

/** @throws StoreMisfit, NotPrimary */
async function requireFit(client: pg.ClientBase): Promise<void> {
  const [facts] = (await client.query<Facts>(FACTS)).rows;
  if (!facts) throw new NotPrimary('the server reports nothing about its database');
  if (facts.standby || facts.read_only === 'on') throw new NotPrimary('the server accepts no writes');
  if (facts.version < OLDEST_VERSION)
    throw new StoreMisfit(
      `the database server is PostgreSQL ${facts.version}: use ${OLDEST_VERSION} or newer`,
    );
  if (facts.encoding !== 'UTF8')
    throw new StoreMisfit(`the database has the encoding ${facts.encoding}: create it with ENCODING 'UTF8'`);
  const collation = facts.provider === 'i' ? 'ICU' : facts.collation;
  if (!['C', 'POSIX'].includes(collation))
    throw new StoreMisfit(
      `the database sorts by ${collation}, which changes with the system: create it with LC_COLLATE 'C', LOCALE_PROVIDER libc and TEMPLATE template0`,
    );
}
