/** A server of these tests' own, with two drivers on one database, as two nodes have them. */
import { openPostgres } from '../../src/adapters/postgres/driver.ts';
import type { Driver } from '../../src/adapters/sql/driver.ts';
import type { Scope } from '../../src/adapters/sql/scope.ts';
import type { Store } from '../../src/ports/store.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import { contractOn, type TestDatabase } from '../contract/engine.ts';
import { postgresEngine } from '../contract/postgres-engine.ts';
import type { Suite } from '../support/suite.ts';

/** Whether anybody waits for a lock. */
export const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** @param pool connections at most */
export const driverAt = (url: string, pool = 4): Driver =>
  openPostgres(postgresUrl('DATABASE_URL', url), pool);

export interface TwoNodes {
  readonly db: TestDatabase;
  readonly store: Store;
  readonly one: Driver;
  readonly two: Driver;
}

export function nodesOn(test: Suite) {
  const check = contractOn(test, postgresEngine());
  return (name: string, body: (nodes: TwoNodes) => Promise<void>) =>
    check(name, async ({ db, store }) => {
      const [one, two] = [driverAt(db.address), driverAt(db.address)];
      try {
        await body({ db, store, one, two });
      } finally {
        await Promise.all([one.close(), two.close()]);
      }
    });
}

/** Begins a write, which holds what its scope locks. @returns a function that ends it, with its answer */
export async function holding(driver: Driver, scope: Scope): Promise<() => Promise<void>> {
  const holds = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const write = driver.write(scope, async sql => {
    await sql.get('SELECT 1');
    holds.resolve();
    await release.promise;
  });
  // It may fail before anybody ends it.
  write.catch(() => undefined);
  await holds.promise;
  return () => {
    release.resolve();
    return write;
  };
}
