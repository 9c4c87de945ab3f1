/**
 * Sets a connection not to trust the file: what its schema contains may call no function that does more than compute.
 * A second line of defence behind objects.ts. Held by test/sqlite/opening.test.ts.
 */
import type Database from 'better-sqlite3';

export function distrustSchema(database: Database.Database): Database.Database {
  database.pragma('trusted_schema = OFF');
  return database;
}
