/** Who works on this database, by rows that each node renews. Held by test/postgres/nodes.ts. */
import type { NodeRecord, Nodes } from '../../ports/nodes.ts';
import type { Driver } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import { NOW } from './now.ts';

const SEEN_MS = 60_000;
/** A node that died leaves its row, for somebody who asks what became of it. */
const KEPT_MS = 24 * 3_600_000;

interface Row {
  readonly name: string;
  readonly version: string;
  readonly started_at: number;
  readonly seen_at: number;
  readonly lag: number | null;
  readonly clock_offset: number;
}

/** @param id of this node, unlike its name only its own */
export function createNodes(driver: Driver, id: string): Nodes {
  return {
    async report({ name, version, lagMs }, clock) {
      const asked = clock();
      const { now } = (await driver.read.get<{ now: number }>(`SELECT ${NOW} AS now`)) as { now: number };
      // The server read its clock somewhere in between.
      const offset = Math.round((asked + clock()) / 2) - now;
      await driver.write(ROWS, async sql => {
        await sql.run(
          `INSERT INTO nodes (id, name, version, started_at, seen_at, lag, clock_offset)
           VALUES ($1, $2, $3, ${NOW}, ${NOW}, $4, $5)
           ON CONFLICT (id) DO UPDATE SET seen_at = ${NOW}, lag = $4, clock_offset = $5`,
          id,
          name,
          version,
          lagMs,
          offset,
        );
        await sql.run(`DELETE FROM nodes WHERE seen_at < ${NOW} - $1`, KEPT_MS);
      });
    },

    async seen() {
      const rows = await driver.read.all<Row>(
        `SELECT name, version, started_at, seen_at, lag + ${NOW} - seen_at AS lag, clock_offset FROM nodes
         WHERE seen_at >= ${NOW} - $1 ORDER BY name, started_at`,
        SEEN_MS,
      );
      return rows.map(
        (row): NodeRecord => ({
          name: row.name,
          version: row.version,
          startedAt: row.started_at,
          seenAt: row.seen_at,
          lagMs: row.lag,
          clockOffsetMs: row.clock_offset,
        }),
      );
    },

    async leave() {
      await driver.write(ROWS, sql => sql.run('DELETE FROM nodes WHERE id = $1', id));
    },
  };
}
