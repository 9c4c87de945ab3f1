/** For `doctor`: checks a database on a server without changing it. Held by test/postgres/doctor.ts. */
import type { Finding, Findings } from '../../ports/upkeep.ts';
import { examineOldSecret, examineSecret, mastersOf } from '../journal/examine-keys.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import {
  bad,
  countApps,
  examineAudit,
  examineDataKeys,
  examineGuarded,
  fittingMaster,
  unfinishedImport,
} from '../sql/examine/findings.ts';
import { examineSealed } from '../sql/examine/sealed-rows.ts';
import { checkValue, latestMoment } from '../sql/keys/meta.ts';
import { refuseUnusable } from '../sql/migrate.ts';
import { migrations } from '../sql/migrations.ts';
import { APPLIED, type Applied } from '../sql/schema.ts';
import { openPostgres } from './driver.ts';
import { requireErasures } from './journal.ts';
import { seenNodes } from './nodes.ts';
import { databaseOn, type PostgresLocation } from './open-store.ts';
import { refusePooler } from './refuse-pooler.ts';

const NOT_CHECKED: Finding = { ok: true, warning: true, detail: 'not checked: see "database"' };

export async function examineServer(location: PostgresLocation): Promise<Findings> {
  const driver = openPostgres(location.address, 2);
  try {
    const database = await examineDatabase(driver, location).catch(failed);
    const isOpen = database.ok && database.warning !== true;
    const check = (ask: (sql: Sql) => Promise<Finding>) =>
      isOpen ? driver.snapshot(ask).catch(failed) : NOT_CHECKED;
    const masterFor = (sql: Sql) => fittingMaster(sql, mastersOf(location));
    return {
      database,
      secret: await check(sql => examineSecret(location, () => checkValue(sql))),
      oldSecret: examineOldSecret(location),
      dataKeys: await check(examineDataKeys),
      sealed: await check(async sql => examineSealed(sql, await masterFor(sql))),
      operators: await check(async sql => examineGuarded(sql, await masterFor(sql))),
      audit: await check(async sql => examineAudit(sql, await masterFor(sql))),
      server: {
        erasures: await check(sql => examineErasures(sql, location)),
        connections: await check(sql => examineConnections(sql, location)),
      },
      apps: isOpen ? await driver.snapshot(countApps).catch(() => []) : [],
      latest: isOpen ? await latestMoment(driver.read).catch(() => null) : null,
    };
  } finally {
    await driver.close();
  }
}

async function examineDatabase(driver: Driver, { address }: PostgresLocation): Promise<Finding> {
  const { shown } = address;
  const { read, tables } = driver;
  await refusePooler(address);
  const server = await read.get<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  const names = (await read.all<{ name: string }>(tables)).map(({ name }) => name);
  if (names.length === 0)
    return { ok: true, warning: true, detail: `${shown} is empty: the first start makes its tables` };
  const applied = names.includes('schema_migrations') ? await read.all<Applied>(APPLIED) : [];
  await refuseUnusable(driver, read, applied, databaseOn(address));
  const known = migrations().length;
  if (applied.length < known)
    return {
      ok: true,
      warning: true,
      detail: `${shown}, schema version ${applied.length} of ${known}: the next start of a node migrates it`,
    };
  const found = `${shown}, PostgreSQL ${server?.version}, schema version ${applied.length} of ${known}`;
  return (await unfinishedImport(read)) ?? { ok: true, detail: found };
}

async function examineErasures(read: Sql, { address, erasuresFile }: PostgresLocation): Promise<Finding> {
  await requireErasures({ read }, erasuresFile, address.shown);
  return { ok: true, detail: `the database lists all that ${erasuresFile} knows` };
}

/** Nodes take connections as they need them, so too few show only under load. */
async function examineConnections(sql: Sql, { pool }: PostgresLocation): Promise<Finding> {
  const row = await sql.get<{ offered: number }>(
    `SELECT CAST(current_setting('max_connections') AS INTEGER)
       - CAST(current_setting('superuser_reserved_connections') AS INTEGER) AS offered`,
  );
  const offered = row?.offered ?? 0;
  const nodes = (await seenNodes(sql)).length || 1;
  const detail = `the server offers ${offered}, and DATABASE_POOL ${pool} lets ${nodes === 1 ? 'one node' : `${nodes} nodes`} take ${nodes * pool}`;
  if (nodes * pool <= offered) return { ok: true, detail };
  return {
    ok: true,
    warning: true,
    detail: `${detail}: raise max_connections, or lower DATABASE_POOL on every node`,
  };
}

const failed = (error: Error): Finding => {
  const cause = (error.cause as Error | undefined)?.message;
  return bad(cause ? `${error.message}: ${cause}` : error.message);
};
