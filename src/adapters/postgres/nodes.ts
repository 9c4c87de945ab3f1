/** Who works on this database: each node renews a row. Held by test/postgres/nodes.ts. */
import type { NodeRecord, Nodes } from '../../ports/nodes.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import { NOW } from './own-words.ts';

const SEEN_MS = 60_000;
/** A node that died leaves its row, for somebody who asks what became of it. */
const KEPT_MS = 24 * 3_600_000;

/** A busy process sees the answer late: then it asks again, and takes the quickest answer. */
const TRIES = 3;
const QUICK_MS = 20;

interface Row {
  readonly name: string;
  readonly version: string;
  readonly started_at: number;
  readonly seen_at: number;
  readonly lag: number | null;
  readonly clock_offset: number;
  readonly settings: string | null;
}

/** @param id of this node, unlike its name only its own */
export function createNodes(driver: Driver, id: string): Nodes {
  return {
    async report({ name, version, lagMs, settings }, clock) {
      const measured = await measure(driver.read, clock);
      await driver.write(ROWS, async sql => {
        await sql.run(
          `INSERT INTO nodes (id, name, version, started_at, seen_at, lag, clock_offset, settings)
           VALUES ($1, $2, $3, ${NOW}, ${NOW}, $4, $5, $6)
           ON CONFLICT (id) DO UPDATE SET seen_at = ${NOW}, lag = $4, clock_offset = $5, settings = $6`,
          id,
          name,
          version,
          lagMs,
          atLeast(measured),
          settings && JSON.stringify(settings),
        );
        await sql.run(`DELETE FROM nodes WHERE seen_at < ${NOW} - $1`, KEPT_MS);
      });
      return Math.round(measured.offset);
    },

    clockOffset: async clock => Math.round((await measure(driver.read, clock)).offset),

    seen: () => seenNodes(driver.read),

    async leave() {
      await driver.write(ROWS, sql => sql.run('DELETE FROM nodes WHERE id = $1', id));
    },
  };
}

/** Those seen in the last minute, by name. */
export async function seenNodes(sql: Sql): Promise<NodeRecord[]> {
  const rows = await sql.all<Row>(
    `SELECT name, version, started_at, seen_at, lag + ${NOW} - seen_at AS lag, clock_offset, settings FROM nodes
     WHERE seen_at >= ${NOW} - $1 ORDER BY name, started_at`,
    SEEN_MS,
  );
  return rows.map(row => ({
    name: row.name,
    version: row.version,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    lagMs: row.lag,
    clockOffsetMs: row.clock_offset,
    settings: row.settings === null ? null : JSON.parse(row.settings),
  }));
}

interface Measured {
  readonly offset: number;
  readonly took: number;
}

/** By how much the clock is ahead of the database's, by the quickest answer. */
async function measure(sql: Sql, clock: () => number): Promise<Measured> {
  let best: Measured = { took: Number.POSITIVE_INFINITY, offset: 0 };
  for (let tries = 0; tries < TRIES && best.took > QUICK_MS; tries++) {
    const [began, asked] = [performance.now(), clock()];
    const row = await sql.get<{ now: number }>(`SELECT ${NOW} AS now`);
    const took = performance.now() - began;
    if (took < best.took) best = { took, offset: asked + took / 2 - Number(row?.now) };
  }
  return best;
}

/** The server read its clock at some moment between question and answer: half of that may be no difference at all. */
const atLeast = ({ offset, took }: Measured) =>
  Math.round(Math.sign(offset) * Math.max(0, Math.abs(offset) - took / 2));
