/**
 * Exports an app to a file for another deployment, from whatever engine. The rows are copied in one transaction, a
 * server may run meanwhile, and then written one by one, so memory does not grow with the app. The file appears when it
 * is complete, is readable by this user only, and never replaces another. Format: age-file.ts and records.ts. Held by
 * test/transfer/transfer.long.test.ts, test/transfer/crash.long.test.ts and test/postgres/export.ts.
 */
import { closeSync, existsSync, fstatSync, fsyncSync, rmSync, statSync } from 'node:fs';
import type { GalleryKey } from '../../ports/matcher.ts';
import { fileIdIn, publish } from '../journal/files.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { TransferFault, writeLines } from './age-file.ts';
import { eventLine, iso, templateLine, type UserRow, userLine } from './export-lines.ts';
import { type CopiedApp, copyApp, leaveOut, openCopy, openNew, type Rows } from './export-rows.ts';
import { VERSION } from './records.ts';

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

/**
 * @param open opens the database that has the app, on whatever engine
 * @throws TransferFault, Error naming the file; there is no file then
 */
export async function exportApp(open: () => Promise<StoreContext>, request: Exporting): Promise<Exported> {
  const { file } = request;
  if (existsSync(file)) throw new TransferFault(`${file} already exists: choose a file that does not exist`);
  const draft = `${file}.part-${process.pid}`;
  const { driver, vault } = await open();
  try {
    using rows = openCopy(`${file}.rows-${process.pid}`, file);
    const app = await driver.snapshot(sql => copyApp(sql, vault, rows, request), true);
    const handle = openNew(draft, file);
    try {
      const left = leaveOut(rows, app, vault);
      const counts = { users: 0, templates: 0, usage: 0, events: 0 };
      await writeLines(handle, request.passphrase, linesOf(rows, app, counts, request));
      fsyncSync(handle);
      publish(draft, file, fileIdIn(fstatSync(handle)));
      return { file, bytes: statSync(file).size, ...counts, ...left };
    } finally {
      closeSync(handle);
    }
  } finally {
    rmSync(draft, { force: true });
    await driver.close();
  }
}

/** @param counts number of each kind of line; complete after the last line */
function* linesOf(
  rows: Rows,
  { app, encoders, ring }: CopiedApp,
  counts: { users: number; templates: number; usage: number; events: number },
  { now, onProgress = () => undefined }: Exporting,
): Generator<object, void, void> {
  const all = { users: rows.count('users'), templates: rows.count('templates') };
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
  for (const row of rows.of('users')) {
    step('users');
    yield userLine(row as UserRow, String(app.id), ring);
  }
  for (const row of rows.of('templates')) {
    step('templates');
    yield templateLine(row, { appId: String(app.id), mode: row.mode as GalleryKey['mode'] }, ring);
  }
  for (const row of rows.of('usage')) {
    step('usage');
    yield { type: 'usage', ...row };
  }
  for (const row of rows.of('auth_events')) {
    step('events');
    yield eventLine(row, String(app.id), ring);
  }
  yield { type: 'end', ...counts };
  onProgress(counts.users + counts.templates, all.users + all.templates);
}
