/** A pooler between node and server: one that shares sessions is refused at the start, one that does not is not. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { freePort } from '../support/free-port.ts';
import {
  asPostgres,
  giveToPostgres,
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('postgres: pooler');
const PGBOUNCER = '/usr/sbin/pgbouncer';
const isThere = process.env.TEST_LIST === '1' || (hasPostgres() && existsSync(PGBOUNCER));

/** How sessions are given out, how many there are, and in which order. */
const CASES = [
  ['transaction', 20, 0, 'refused'],
  ['transaction', 20, 1, 'refused'],
  ['transaction', 1, 0, 'refused'],
  ['session', 20, 0, 'accepted'],
] as const;

async function pooler(server: PostgresServer, mode: string, size: number, roundRobin: number) {
  const folder = tempFolder();
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: size,
    server_round_robin: roundRobin,
    ignore_startup_parameters:
      'extra_float_digits,options,lock_timeout,statement_timeout,idle_in_transaction_session_timeout',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const database = `face = host=127.0.0.1 port=${server.port} dbname=face user=postgres`;
  writeFileSync(join(folder, 'pooler.ini'), `[databases]\n${database}\n[pgbouncer]\n${lines.join('\n')}\n`);
  giveToPostgres(folder);
  const [program = '', ...words] = [...asPostgres('KILL'), PGBOUNCER, '-q', join(folder, 'pooler.ini')];
  const child = spawn(program, words, { stdio: 'ignore' });
  const answers = () =>
    new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  while (!(await answers())) {
    assert.is(child.exitCode, null, 'PgBouncer ended');
    await delay(20);
  }
  return {
    url: server.urlOf('face').replace(`:${server.port}`, `:${port}`),
    stop: () => child.kill('SIGKILL'),
  };
}

let server: PostgresServer;
if (isThere) {
  test.before(async () => {
    server = await startPostgres();
    await server.query(`CREATE DATABASE face TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`);
  });
  test.after(() => server?.stop());
  for (const [mode, size, roundRobin, outcome] of CASES)
    test(`PgBouncer with pool_mode=${mode}, ${size} sessions, server_round_robin=${roundRobin}: ${outcome}`, async () => {
      const { url, stop } = await pooler(server, mode, size, roundRobin);
      try {
        const opened = await openPostgresStore(locationAt(url, tempFolder()), systemRandom()).catch(
          error => error,
        );
        if (outcome === 'accepted') {
          await opened.store?.close();
          return assert.not.instance(opened, Error, `${opened.message}`);
        }
        assert.instance(opened, StoreMisfit, `${opened.message ?? 'was opened'}`);
        assert.match(
          opened.message,
          /^between this node and .* PgBouncer .*pool_mode=session there, or name the server itself in DATABASE_URL$/,
        );
      } finally {
        stop();
      }
    });
} else test('PgBouncer is not installed', () => console.log('left out: a pooler before the database'));
test.run();
