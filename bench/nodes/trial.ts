/**
 * One node on PostgreSQL beside one on SQLite, and what only several nodes on a server have. Everything shares the
 * cores of this machine: the node has the first one, the load generator the second, PostgreSQL what they leave. Use:
 * npm run bench -- nodes
 */
import { startPostgres } from '../../test/support/postgres.ts';
import type { Row } from '../table.ts';
import { hotApp } from './hot-app.ts';
import { loadingByNode } from './loading.ts';
import { roundTrips } from './round-trips.ts';
import { rowOf } from './row.ts';
import { signIns } from './sign-ins.ts';

export async function nodes(): Promise<Row[]> {
  // Durable, unlike the server of the tests: a commit waits for the disk.
  const server = await startPostgres(['jit=off', 'shared_buffers=512MB']);
  try {
    const parts = [signIns, roundTrips, hotApp, loadingByNode];
    const rows: Row[] = [];
    for (const part of parts) rows.push(...(await part(server)).map(rowOf));
    return rows;
  } finally {
    server.stop();
  }
}
