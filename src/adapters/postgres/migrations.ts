/**
 * The migrations in PostgreSQL's words: the same files, without SQLite's triggers, and then those of this folder with
 * the same number. Held by test/postgres/schema.ts.
 */
import { assetsIn, readText } from '../../assets.ts';
import { type Migration, statementsOf } from '../sql/migrations.ts';

const FOLDER = 'src/adapters/postgres/migrations';

/** `only` is a reserved word here. */
const inOwnWords = (statement: string) => statement.replace(/\bonly\b/g, '"only"');

/** The statements of a migration. Each may hold several commands, and none takes values. */
export function postgresStatements(migration: Migration): string[] {
  const shared = statementsOf(migration).filter(statement => !statement.startsWith('CREATE TRIGGER'));
  const own = assetsIn(FOLDER).includes(migration.name) ? [readText(`${FOLDER}/${migration.name}`)] : [];
  return [...shared.map(inOwnWords), ...own];
}
