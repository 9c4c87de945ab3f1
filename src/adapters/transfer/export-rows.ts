/**
 * Copies an app's rows at one moment, with everything that is sealed as it is, to a nameless file that only this
 * process has open. It lies beside the export, because a folder for temporary files may be small. Copying is much
 * faster than decrypting and writing: on a database file erasures by a server must wait for readers, and on a server an
 * open transaction keeps dead rows. Each page is read by the key of an index, so memory does not grow with the app.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { GalleryKey } from '../../ports/matcher.ts';
import { type KeyRing, opens } from '../secrets/sealing.ts';
import type { Sql, Value } from '../sql/driver.ts';
import type { Vault } from '../sql/keys/vault.ts';
import { sealContext } from '../sql/store/sealed-templates.ts';
import { emailHash } from '../sql/store/users.ts';
import { TransferFault } from './age-file.ts';
import { fieldsOf, type Row, type UserRow } from './export-lines.ts';

const PAGE = 1_000;
const CACHE_KIB = 2_048;

interface Copied {
  readonly columns: readonly string[];
  readonly from: string;
  /** Columns of an index, after the app. */
  readonly key: readonly string[];
  /** Before the first key. */
  readonly start: readonly Value[];
  /** In the file. */
  readonly order: string;
}

/** In the order of the file. */
const TABLES = {
  users: {
    columns: [
      ...['id', 'mode', 'email_hash', 'email_verified', 'created_at', 'last_sign_in_at'],
      ...['users.sealed AS sealed', 'policy_version', 'accepted_at', 'consents.sealed AS consent'],
    ],
    from: 'users LEFT JOIN consents ON consents.user_id = users.id',
    key: ['mode', 'created_at', 'id'],
    start: ['', 0, ''],
    order: 'mode, created_at, id',
  },
  templates: {
    columns: ['id', 'mode', 'user_id', 'sequence', 'origin', 'sealed', 'created_at'],
    from: 'templates',
    key: ['mode', 'sequence'],
    start: ['', 0],
    order: 'mode, sequence',
  },
  usage: {
    columns: ['mode', 'month', 'auths', 'enrolls', 'matches_ok', 'matches_failed'],
    from: 'usage',
    key: ['mode', 'month'],
    start: ['', ''],
    order: 'mode, month',
  },
  auth_events: {
    columns: ['id', 'mode', 'user_id', 'type', 'at', 'sealed'],
    from: 'auth_events',
    key: ['mode', 'type', 'at', 'id'],
    start: ['', '', 0, ''],
    order: 'at, id',
  },
} as const satisfies Record<string, Copied>;
type Table = keyof typeof TABLES;

/** The data that is not copied row by row. */
export interface CopiedApp {
  readonly app: Row;
  /** By mode. */
  readonly encoders: Readonly<Record<string, string | null>>;
  readonly ring: KeyRing;
}

export interface Rows extends Disposable {
  readonly database: Database.Database;
  count(table: Table): number;
  of(table: Table): IterableIterator<Row>;
}

/** A place for the rows. @throws TransferFault */
export function openCopy(path: string, file: string): Rows {
  closeSync(openNew(path, file));
  let database: Database.Database;
  try {
    database = new Database(path);
  } finally {
    // The name is removed before anything is written, so the system deletes the rows however this process ends.
    rmSync(path);
  }
  database.pragma('journal_mode = MEMORY');
  database.pragma('synchronous = OFF');
  // It is written and read from one end to the other.
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return {
    database,
    count: table => Number(database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get()),
    of: table =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY ${TABLES[table].order}`)
        .iterate() as IterableIterator<Row>,
    [Symbol.dispose]: () => void database.close(),
  };
}

/** Never a file that is there: another user's would get the data. @throws TransferFault naming the export */
export function openNew(path: string, file: string): number {
  try {
    rmSync(path, { force: true });
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw new TransferFault(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** @param sql reads one moment. @throws TransferFault: there is no such app */
export async function copyApp(
  sql: Sql,
  vault: Vault,
  { database }: Rows,
  { appId, events }: { readonly appId: string; readonly events: boolean },
): Promise<CopiedApp> {
  const app = await sql.get<Row>('SELECT * FROM apps WHERE id = $1 AND importing = 0', appId);
  if (!app) throw new TransferFault(`there is no app "${appId}": "app list" shows them`);
  const galleries = await sql.all<{ mode: string; encoder: string | null }>(
    'SELECT mode, encoder FROM galleries WHERE app_id = $1',
    appId,
  );
  const encoders = Object.fromEntries(galleries.map(({ mode, encoder }) => [mode, encoder]));
  const ring = await vault.keys(sql, appId)(true);
  database.exec('BEGIN');
  for (const [name, table] of Object.entries(TABLES)) {
    const names = table.columns.map(column => column.replace(/.* AS /, ''));
    database.exec(`CREATE TABLE ${name} (${names.join()}, UNIQUE (${table.order}))`);
    if (name === 'auth_events' && !events) continue;
    const add = database.prepare(`INSERT INTO ${name} VALUES (${names.map(() => '?').join()})`);
    for await (const row of rowsOf(sql, table, appId)) add.run(names.map(column => row[column]));
  }
  database.exec('COMMIT');
  return { app, encoders, ring };
}

async function* rowsOf(sql: Sql, { columns, from, key, start }: Copied, appId: string) {
  const after = key.map((_, place) => `$${place + 2}`);
  const text = `SELECT ${columns.join()} FROM ${from} WHERE app_id = $1 AND (${key.join()}) > (${after.join()})
    ORDER BY ${key.join()} LIMIT ${PAGE}`;
  for (let last = start; ; ) {
    const rows: Record<string, Value>[] = await sql.all(text, appId, ...last);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    last = key.map(column => end[column] as Value);
  }
}

/**
 * Removes copied rows that were altered outside the service, as a gallery does, because an import would accept them.
 * This comes before writing, because the file begins with the counts.
 * @returns how many users, and how many templates of others
 */
export function leaveOut(
  { database }: Rows,
  { app, ring }: CopiedApp,
  vault: Vault,
): { readonly altered: number; readonly unreadable: number } {
  const appId = String(app.id);
  /** @returns the ids of what was removed */
  const remove = (table: 'users' | 'templates', isWrong: (row: Row) => boolean): string[] => {
    const found: { readonly id: string; readonly place: unknown }[] = [];
    const all = database.prepare(`SELECT rowid AS place, * FROM ${table}`);
    for (const row of all.iterate() as IterableIterator<Row>)
      if (isWrong(row)) found.push({ id: row.id, place: row.place });
    const one = database.prepare(`DELETE FROM ${table} WHERE rowid = ?`);
    for (const { place } of found) one.run(place);
    return found.map(({ id }) => id);
  };
  const altered = remove('users', row => {
    const { email_hash } = row as UserRow;
    const { person, client } = fieldsOf(row as UserRow, appId, ring);
    return !person || !client || emailHash(vault, person[0]) !== email_hash;
  });
  const users = new Set(altered);
  remove('templates', ({ user_id }) => users.has(String(user_id)));
  for (const id of users) database.prepare('UPDATE auth_events SET user_id = NULL WHERE user_id = ?').run(id);
  const unreadable = remove('templates', ({ id, user_id, mode, sealed }) => {
    const gallery = { appId, mode: mode as GalleryKey['mode'] };
    return !opens({ ring, isLast: true }, sealContext(gallery, { id, userId: String(user_id) }), sealed);
  });
  return { unreadable: unreadable.length, altered: altered.length };
}
