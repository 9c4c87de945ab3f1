/** For `doctor`, backup and restore: reads a database that may be in use, without changing it. */
import Database from 'better-sqlite3';
import type { Finding } from '../../ports/upkeep.ts';
import {
  APPLIED,
  type Applied,
  databaseAt,
  refuseMisfit,
  SchemaMisfit,
  type Subject,
} from '../sql/schema.ts';

export const PATIENCE_MS = 2_000;

/** Opens a file whatever its schema is. */
export function withFile<Answer>(
  path: string,
  ask: (database: Database.Database) => Answer,
  patience = PATIENCE_MS,
): Answer {
  // Not opened read-only: if closed last, such a connection leaves the -wal and -shm files behind.
  const database = new Database(path, { fileMustExist: true, timeout: patience });
  try {
    database.pragma('query_only = ON');
    return ask(database);
  } finally {
    database.close();
  }
}

/** @throws SchemaMisfit */
export function withDatabase<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  return withFile(path, database => {
    requireSchema(database, databaseAt(path));
    return ask(database);
  });
}

/** @returns the schema version. @throws SchemaMisfit */
export function requireSchema(database: Database.Database, subject: Subject, acceptNewer = false): number {
  const hasVersions = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get();
  const applied = hasVersions ? (database.prepare(APPLIED).all() as Applied[]) : [];
  refuseMisfit(applied, subject, { acceptNewer });
  return applied.length;
}

export function bad(detail: string): Finding {
  return { ok: false, detail };
}

/** A check failed because of this error. Only the check of the database itself explains a schema that does not fit. */
export function failed(error: unknown): Finding {
  return bad(
    error instanceof SchemaMisfit
      ? 'not checked: the database does not fit this program'
      : (error as Error).message,
  );
}
