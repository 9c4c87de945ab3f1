/**
 * The migrations, in order. A published migration never changes, not even a space: databases are compared with what it
 * creates (../sqlite/objects.ts).
 */
import { assetsIn, readText } from '../../assets.ts';

/** The table that lists the migrations of a database. */
export const SCHEMA_MIGRATIONS =
  'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)';

const FOLDER = 'src/adapters/sql/migrations';

export interface Migration {
  readonly number: number;
  readonly name: string;
  /** The SQL statements. */
  readonly text: () => string;
}

export function migrations(): Migration[] {
  return assetsIn(FOLDER)
    .filter(name => /^\d+-.*\.sql$/.test(name))
    .map(name => ({ number: Number.parseInt(name, 10), name, text: () => readText(`${FOLDER}/${name}`) }));
}

/** A trigger up to its END, or anything else up to a semicolon. Migrations contain no strings with semicolons. */
const STATEMENT = /\s*(?:CREATE TRIGGER.*?\bEND(?=;)|[^;]+)/gs;

export function statementsOf({ text }: Migration): string[] {
  const bare = text().replace(/^\s*--.*$/gm, '');
  return [...bare.matchAll(STATEMENT)].map(([part]) => part.trim()).filter(part => part !== '');
}
