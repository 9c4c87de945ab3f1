/**
 * For the start, doctor, backup and restore: reads a database that may be in use, without changing it, and refuses one
 * whose schema does not fit. Held by test/sqlite/schema.test.ts and test/sqlite/opening.test.ts.
 */
import { existsSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Finding } from '../../ports/upkeep.ts';
import type { Sql } from '../sql/driver.ts';
import { bad } from '../sql/examine/findings.ts';
import {
  APPLIED,
  type Applied,
  databaseAt,
  refuseMisfit,
  SchemaMisfit,
  type Subject,
  schemaOf,
} from '../sql/schema.ts';
import { distrustSchema } from './distrust-schema.ts';
import { objectsIn, refuseComputed, refuseForeignObjects } from './objects.ts';
import { sqliteStatements } from './statements.ts';

export const PATIENCE_MS = 2_000;

/** Not opened read-only: if closed last, such a connection leaves the -wal and -shm files behind. */
const opened = (path: string, timeout = PATIENCE_MS) => new Database(path, { fileMustExist: true, timeout });

/** Opens a file whatever its schema is. */
export function withFile<Answer>(
  path: string,
  ask: (database: Database.Database) => Answer,
  patience?: number,
): Answer {
  return using(opened(path, patience), ask);
}

/** Asks, and closes the connection. */
function using<Answer>(database: Database.Database, ask: (database: Database.Database) => Answer): Answer {
  try {
    distrustSchema(database).pragma('query_only = ON');
    return ask(database);
  } finally {
    database.close();
  }
}

/** For a file that other programs may open at the same time. */
export function withUnchanged<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  // Whoever closes last copies a log into the database and removes it, unless the connection was read-only. But such a
  // connection would leave a log where there was none.
  if (!existsSync(`${path}-wal`)) return withFile(path, ask);
  return using(new Database(path, { fileMustExist: true, readonly: true, timeout: PATIENCE_MS }), ask);
}

/** For a copy from elsewhere, which no other program has open unless there is a -shm file. */
export function withCopy<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  const shared = `${path}-shm`;
  const isNew = !existsSync(shared);
  try {
    return withUnchanged(path, ask);
  } finally {
    if (isNew) rmSync(shared, { force: true });
  }
}

/** @throws SchemaMisfit */
export function withDatabase<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  return withFile(path, database => {
    requireSchema(database, databaseAt(path));
    return ask(database);
  });
}

/** The same, with the statements of the store. @param ask gets the version of the schema too. @throws SchemaMisfit */
export async function withSql<Answer>(
  path: string,
  ask: (sql: Sql, database: Database.Database, version: number) => Promise<Answer>,
): Promise<Answer> {
  const database = opened(path);
  try {
    distrustSchema(database).pragma('query_only = ON');
    const version = requireSchema(database, databaseAt(path));
    return await ask(sqliteStatements(database), database, version);
  } finally {
    database.close();
  }
}

/**
 * Call it before anything else is read. Schemas only grow, so what this program knows can be read in a newer one too.
 * @returns the schema version. @throws SchemaMisfit
 */
export function requireSchema(database: Database.Database, subject: Subject, acceptNewer = false): number {
  // At one moment: a migration may run meanwhile.
  return database.transaction(() => {
    const objects = objectsIn(database);
    // A view of that name would be code from the file.
    const hasVersions = objects.some(({ type, name }) => type === 'table' && name === 'schema_migrations');
    const applied = hasVersions ? (database.prepare(APPLIED).all() as Applied[]) : [];
    refuseMisfit(applied, subject, { acceptNewer });
    if (schemaOf(applied) === 'newer') refuseComputed(objects, subject);
    else refuseForeignObjects(objects, applied.length, subject);
    return applied.length;
  })();
}

/** A check failed because of this error. Only the check of the database itself explains a schema that does not fit. */
export function failed(error: unknown): Finding {
  return bad(
    error instanceof SchemaMisfit
      ? 'not checked: the database does not fit this program'
      : (error as Error).message,
  );
}
