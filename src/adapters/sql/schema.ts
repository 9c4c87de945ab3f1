/**
 * Answers which schema a database or backup has, and refuses one that this program cannot use. Whoever opens one asks
 * here: the start, doctor, backup and restore. Held by test/sqlite/schema.test.ts.
 */
import { StoreMisfit } from '../../ports/store.ts';
import { type Migration, migrations } from './migrations.ts';

export const APPLIED = 'SELECT * FROM schema_migrations ORDER BY 1';

/** A row of schema_migrations. */
export interface Applied {
  readonly version: number;
  readonly name: string;
}

/** `fits`: this program wrote it, or can migrate it. `development`: with migrations that no release has. */
export type Schema = 'fits' | 'development' | 'newer' | 'none';

export interface Subject {
  readonly file: string;
  readonly fix: { readonly [fault in 'development' | 'none' | 'altered']: string };
}

export class SchemaMisfit extends StoreMisfit {}

export function databaseAt(file: string): Subject {
  return {
    file,
    fix: {
      development: 'start with an empty DATA_DIR',
      none: 'check DATA_DIR, or restore a backup',
      altered: 'undo that change if you made it, otherwise restore a backup that only you can write to',
    },
  };
}

export function backupAt(file: string): Subject {
  const fix = 'choose a file that "backup" of a release has made';
  return {
    file,
    fix: { development: fix, none: fix, altered: 'choose a backup that only you can write to' },
  };
}

/** @param applied all rows, by version; none if there is no such table */
export function schemaOf(applied: readonly Applied[], known: readonly Migration[] = migrations()): Schema {
  if (applied.length === 0) return 'none';
  const isKnown = ({ version, name }: Applied, at: number) =>
    version === known[at]?.number && name === known[at]?.name;
  if (!applied.slice(0, known.length).every(isKnown)) return 'development';
  return applied.length > known.length ? 'newer' : 'fits';
}

interface Expected {
  readonly known?: readonly Migration[];
  /** Schemas only grow, so what this program knows can be read in a newer one too. */
  readonly acceptNewer?: boolean;
}

/** @throws SchemaMisfit */
export function refuseMisfit(
  applied: readonly Applied[],
  { file, fix }: Subject,
  { known = migrations(), acceptNewer = false }: Expected = {},
): void {
  const schema = schemaOf(applied, known);
  if (schema === 'fits') return;
  if (schema === 'newer') {
    if (acceptNewer) return;
    throw new SchemaMisfit(
      `${file} has schema version ${applied.at(-1)?.version}, but this program knows only ${known.length}: use a newer program`,
    );
  }
  const reason =
    schema === 'none'
      ? 'has no schema version (its table schema_migrations is missing or empty), so it was altered or is of another program'
      : 'was created by a development version before the first release, which no release can read';
  throw new SchemaMisfit(`${file} ${reason}: ${fix[schema]}`);
}
