/**
 * Exports an app to a file for another deployment. The rows are copied in one transaction, a server may run meanwhile,
 * and then written one by one, so memory does not grow with the app. The file appears when it is complete, is readable
 * by this user only, and never replaces another. Format: age-file.ts and records.ts. Held by
 * test/transfer/transfer.long.test.ts and test/transfer/crash.long.test.ts.
 */
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Random } from '../../ports/system.ts';
import { type KeyRing, openedOrNull } from '../secrets/sealing.ts';
import type { Vault } from '../sql/keys/vault.ts';
import { sealContext } from '../sql/store/sealed-templates.ts';
import { emailHash } from '../sql/store/users.ts';
import { publish } from '../sqlite/backup.ts';
import { distrustful } from '../sqlite/distrustful.ts';
import { fileIdIn } from '../sqlite/file-id.ts';
import type { StoreLocation } from '../sqlite/location.ts';
import { openContext } from '../sqlite/open-store.ts';
import { sqliteStatements } from '../sqlite/statements.ts';
import { TransferFault, writeLines } from './age-file.ts';
import { eventLine, fieldsOf, iso, type Row, templateLine, type UserRow, userLine } from './export-lines.ts';
import { VERSION } from './records.ts';

const TIMEOUT_MS = 10_000;
/** The exported rows, by table, in the order of the file. */
const ROWS = {
  users: `SELECT u.*, c.policy_version, c.accepted_at, c.sealed AS consent FROM users u
     LEFT JOIN consents c ON c.user_id = u.id WHERE u.app_id = ? ORDER BY u.mode, u.created_at, u.id`,
  templates: 'SELECT * FROM templates WHERE app_id = ? ORDER BY mode, sequence',
  usage: 'SELECT * FROM usage WHERE app_id = ? ORDER BY mode, month',
  auth_events: 'SELECT * FROM auth_events WHERE app_id = ? ORDER BY at, id',
} as const;

export interface Exporting {
  readonly appId: string;
  readonly file: string;
  readonly passphrase: string;
  readonly events: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Exported {
  readonly file: string;
  readonly bytes: number;
  readonly users: number;
  readonly templates: number;
  readonly usage: number;
  readonly events: number;
  /** Templates that do not open. They are not in the file. */
  readonly unreadable: number;
  /** Users whose row was altered outside the service. They and their templates are not in the file. */
  readonly altered: number;
}

/** The data that is not copied row by row. */
interface Copied {
  readonly app: Row;
  /** By mode. */
  readonly encoders: Readonly<Record<string, string | null>>;
  readonly ring: KeyRing;
}

/** @throws TransferFault, Error naming the file; there is no file then */
export async function exportApp(
  location: StoreLocation,
  request: Exporting,
  random: Random,
): Promise<Exported> {
  const { file } = request;
  if (!existsSync(location.path))
    throw new TransferFault(`there is no database ${location.path}: check DATA_DIR`);
  if (existsSync(file)) throw new TransferFault(`${file} already exists: choose a file that does not exist`);
  const draft = `${file}.part-${process.pid}`;
  const { driver, vault } = await openContext(location, random);
  const database = distrustful(new Database(location.path, { fileMustExist: true, timeout: TIMEOUT_MS }));
  try {
    const copied = await copyRows(database, vault, `${file}.rows-${process.pid}`, request);
    const handle = openDraft(draft, file);
    try {
      const left = leaveOut(database, copied, request.appId, vault);
      const counts = { users: 0, templates: 0, usage: 0, events: 0 };
      await writeLines(handle, request.passphrase, linesOf(database, copied, counts, request));
      fsyncSync(handle);
      publish(draft, file, fileIdIn(fstatSync(handle)));
      return { file, bytes: statSync(file).size, ...counts, ...left };
    } finally {
      closeSync(handle);
    }
  } finally {
    rmSync(draft, { force: true });
    database.close();
    await driver.close();
  }
}

/**
 * Copies the app's rows at one moment, with templates still sealed, to a nameless file that only this process has open.
 * It lies beside the export, because a folder for temporary files may be small. Copying is much faster than decrypting
 * and writing, and erasures by a server must wait for readers.
 */
async function copyRows(
  database: Database.Database,
  vault: Vault,
  copy: string,
  { appId, events, file }: Exporting,
): Promise<Copied> {
  try {
    closeSync(openDraft(copy, file));
    database.prepare('ATTACH ? AS copy').run(copy);
    // The name is removed before anything is written, so the system deletes the rows however this process ends.
    rmSync(copy);
    database.pragma('copy.journal_mode = MEMORY');
    database.pragma('copy.synchronous = OFF');
    database.exec('BEGIN');
    const app = database.prepare('SELECT * FROM apps WHERE id = ? AND importing = 0').get(appId) as
      | Row
      | undefined;
    if (!app) throw new TransferFault(`there is no app "${appId}": "app list" shows them`);
    const encoders = Object.fromEntries(
      database.prepare('SELECT mode, encoder FROM galleries WHERE app_id = ?').raw().all(appId) as [
        string,
        string | null,
      ][],
    );
    const ring = await vault.keys(sqliteStatements(database), appId)(true);
    for (const [table, text] of Object.entries(ROWS)) {
      database.exec(`CREATE TABLE copy.${table}_here AS ${text} LIMIT 0`.replace('?', "''"));
      if (table !== 'auth_events' || events)
        database.prepare(`INSERT INTO copy.${table}_here ${text}`).run(appId);
    }
    database.exec('COMMIT');
    return { app, encoders, ring };
  } finally {
    rmSync(copy, { force: true });
  }
}

/**
 * Removes copied rows that were altered outside the service, as a gallery does, because an import would accept them.
 * This comes before writing, because the file begins with the counts.
 */
function leaveOut(
  database: Database.Database,
  { ring }: Copied,
  appId: string,
  vault: Vault,
): Pick<Exported, 'unreadable' | 'altered'> {
  const remove = (table: keyof typeof ROWS, rowids: readonly number[]) => {
    const one = database.prepare(`DELETE FROM copy.${table}_here WHERE rowid = ?`);
    for (const rowid of rowids) one.run(rowid);
  };
  const rowids = (table: keyof typeof ROWS, isWanted: (row: Row) => boolean): number[] => {
    const found: number[] = [];
    for (const row of database
      .prepare(`SELECT rowid AS at, * FROM copy.${table}_here`)
      .iterate() as IterableIterator<Row>)
      if (isWanted(row)) found.push(Number(row.at));
    return found;
  };
  const users = new Set<unknown>();
  const altered = rowids('users', row => {
    const { id, email_hash } = row as UserRow;
    const { person, client } = fieldsOf(row as UserRow, appId, ring);
    const isAltered = !person || !client || emailHash(vault, person[0]) !== email_hash;
    if (isAltered) users.add(id);
    return isAltered;
  });
  remove('users', altered);
  remove(
    'templates',
    rowids('templates', ({ user_id }) => users.has(user_id)),
  );
  for (const id of users)
    database.prepare('UPDATE copy.auth_events_here SET user_id = NULL WHERE user_id = ?').run(id);
  const unreadable = rowids('templates', ({ id, user_id, mode, sealed }) => {
    const gallery = { appId, mode: mode as GalleryKey['mode'] };
    const clear = openedOrNull(
      ring,
      sealContext(gallery, { id: String(id), userId: String(user_id) }),
      sealed,
      true,
    );
    clear?.fill(0);
    return clear === null;
  });
  remove('templates', unreadable);
  return { unreadable: unreadable.length, altered: altered.length };
}

function openDraft(draft: string, file: string): number {
  try {
    rmSync(draft, { force: true });
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    throw new TransferFault(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** @param counts number of each kind of line; complete after the last line */
function* linesOf(
  database: Database.Database,
  { app, encoders, ring }: Copied,
  counts: { users: number; templates: number; usage: number; events: number },
  { now, onProgress = () => undefined }: Exporting,
): Generator<object, void, void> {
  const of = (table: keyof typeof ROWS) =>
    database.prepare(`SELECT * FROM copy.${table}_here ORDER BY rowid`).iterate() as IterableIterator<Row>;
  const total = (table: keyof typeof ROWS) =>
    Number(database.prepare(`SELECT COUNT(*) FROM copy.${table}_here`).pluck().get());
  const all = { users: total('users'), templates: total('templates') };
  const step = (what: keyof typeof counts) => {
    counts[what] += 1;
    const done = counts.users + counts.templates;
    if (done % 1_000 === 0) onProgress(done, all.users + all.templates);
  };
  yield {
    type: 'app',
    version: VERSION,
    id: app.id,
    name: app.name,
    allowed_origins: JSON.parse(String(app.allowed_origins)),
    first_party: app.first_party === 1,
    plan: app.plan,
    created_at: iso(app.created_at),
    exported_at: iso(now),
    ...all,
    encoders: { live: encoders.live ?? null, test: encoders.test ?? null },
  };
  for (const row of of('users')) {
    step('users');
    yield userLine(row as UserRow, String(app.id), ring);
  }
  for (const row of of('templates')) {
    step('templates');
    yield templateLine(row, { appId: String(app.id), mode: row.mode as GalleryKey['mode'] }, ring);
  }
  for (const { app_id: _, ...row } of of('usage')) {
    step('usage');
    yield { type: 'usage', ...row };
  }
  for (const row of of('auth_events')) {
    step('events');
    yield eventLine(row, String(app.id), ring);
  }
  yield { type: 'end', ...counts };
  onProgress(counts.users + counts.templates, all.users + all.templates);
}
