/**
 * Leases: work that one node does at a time, and another one when that node dies. A row per piece of work, by the clock
 * of the database. Its holder renews it; if it cannot, the lease ends by itself. Held by test/postgres/leases.ts.
 */
import type { Driver } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import type { Lease } from '../sql/store/context.ts';
import { NOW } from './own-words.ts';

const LENGTH_MS = 30_000;
const RENEW_MS = 10_000;

type Writer = Pick<Driver, 'write'>;

/** @returns null: another node holds it */
export async function takeLease(
  driver: Writer,
  name: string,
  owner: string,
  lengthMs = LENGTH_MS,
): Promise<Lease | null> {
  if (!(await take(driver, name, owner, lengthMs))) return null;
  const lost = new AbortController();
  let renewedAt = performance.now();
  const renew = () =>
    take(driver, name, owner, lengthMs).then(
      isOurs => {
        if (isOurs) renewedAt = performance.now();
        else lost.abort(new Error(`the lease of ${name} was lost`));
      },
      error => {
        // It may still be ours, but not for certain.
        if (performance.now() - renewedAt >= lengthMs) lost.abort(error);
      },
    );
  const timer = setInterval(renew, Math.min(RENEW_MS, lengthMs / 3)).unref();
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      await driver
        .write(ROWS, sql => sql.run('DELETE FROM leases WHERE name = $1 AND owner = $2', name, owner))
        // It ends by itself.
        .catch(() => undefined);
    },
  };
}

async function take(driver: Writer, name: string, owner: string, lengthMs: number): Promise<boolean> {
  const rows = await driver.write(ROWS, sql =>
    sql.run(
      `INSERT INTO leases (name, owner, until) VALUES ($1, $2, ${NOW} + $3)
       ON CONFLICT (name) DO UPDATE SET owner = $2, until = ${NOW} + $3
       WHERE leases.owner = $2 OR leases.until <= ${NOW}`,
      name,
      owner,
      lengthMs,
    ),
  );
  return rows === 1;
}
