/**
 * Takes an exported app in: the whole file is checked first, then it is written in batches beside a running server. Nobody
 * sees the app before its last row is there. Killed halfway, the next import removes what was left and starts clean; so does the daily job. Users
 * who were erased here do not come back. One import at a time. test/cli/transfer.test.ts holds it.
 */
import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../ports/random.ts';
import { LockHeld } from '../sql/instance-lock.ts';
import type { StoreLocation } from '../sql/location.ts';
import { openContext } from '../sql/open-store.ts';
import { discard, discardUnfinished } from '../sql/store/imports.ts';
import { type Contents, checkImport, isErased } from './check-import.ts';
import { addRows, beginApp, endApp, type Target } from './import-rows.ts';
import { type AppLine, type Line, lineOf } from './records.ts';
import { linesIn, TransferFault } from './sealed-file.ts';

/** Rows of a batch, and the pause after it: longer than another process waits before it asks for its turn again. */
const AT_ONCE = 250;
const PAUSE_MS = 10;

export interface Importing {
  readonly file: string;
  readonly passphrase: string;
  /** Looks, and writes nothing. */
  readonly checkOnly: boolean;
  /** The app's id here; null: the one that it had. */
  readonly newId: string | null;
  /** In place of the plan that it had. */
  readonly plan: string | null;
  /** Refuses what no app of this deployment may be. @throws Error naming the field and the mend */
  readonly checkApp: (app: { name: string; allowedOrigins: string[]; plan: string }) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Imported {
  readonly app: string;
  readonly users: number;
  readonly templates: number;
  readonly usage: number;
  readonly events: number;
  readonly skippedErased: number;
}

/** @throws TransferFault, Error naming what is wrong; then nothing of the app is here */
export async function importApp(
  location: StoreLocation,
  request: Importing,
  random: Random,
): Promise<Imported> {
  const { file: path, passphrase, newId, onProgress = () => undefined } = request;
  if (request.checkOnly && !existsSync(location.path))
    throw new TransferFault(
      `there is no database ${location.path} to check against: check DATA_DIR, or start the service once`,
    );
  const file = opened(path);
  try {
    const context = await openContext(location, random);
    const release = taken(context.lockImports, () => context.driver.close());
    try {
      const { driver, vault } = context;
      if (!request.checkOnly) await discardUnfinished(context);
      const lines = linesIn(file, passphrase);
      const here = { sql: driver.read, secrets: vault, onProgress };
      const idOf = (app: AppLine) => newId ?? app.id;
      const planOf = (app: AppLine) => request.plan ?? app.plan;
      const contents = await checkImport(lines(), {
        ...here,
        mustFit: app => mustFit(here, app, idOf(app), planOf(app), request),
      });
      const appId = idOf(contents.app);
      if (!request.checkOnly)
        return await write(context, contents, appId, planOf(contents.app), lines(), onProgress);
      return summary(appId, contents, contents.skippedErased, contents.skippedTemplates);
    } finally {
      release();
      await context.driver.close();
    }
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  let file: number;
  try {
    // A pipe would hold up the opening until somebody writes.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new TransferFault(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new TransferFault(`${path} is not a file, which is read twice: name one that "app export" has made`);
}

function taken(lock: () => () => void, otherwise: () => Promise<void>): () => void {
  try {
    return lock();
  } catch (error) {
    void otherwise();
    if (!(error instanceof LockHeld)) throw error;
    throw new TransferFault('another import is under way: wait for its end', { cause: error });
  }
}

async function mustFit(
  here: Parameters<typeof isErased>[0],
  app: AppLine,
  appId: string,
  plan: string,
  { checkApp, newId }: Importing,
): Promise<void> {
  checkApp({ name: app.name, allowedOrigins: app.allowed_origins, plan });
  if (newId) return;
  if (await here.sql.get('SELECT 1 FROM apps WHERE id = $1 AND importing = 0', appId))
    throw new TransferFault(
      `the app ${appId} exists here already: give --as-new to take it in under a new id`,
    );
  if (await isErased(here, appId))
    throw new TransferFault(
      `the app ${appId} was erased here with all of its users: give --as-new if they are to come back, under a new id of the app`,
    );
}

async function write(
  target: Target,
  contents: Contents,
  appId: string,
  plan: string,
  values: Iterable<unknown>,
  onProgress: (done: number, total: number) => void,
): Promise<Imported> {
  const total = contents.users + contents.templates + contents.usage + contents.events;
  const skipped = { users: 0, templates: 0 };
  let done = 0;
  await target.driver.write(sql => beginApp(sql, contents.app, appId, plan));
  try {
    let batch: Line[] = [];
    const flush = async () => {
      const left = await addRows(target, appId, batch);
      skipped.users += left.users;
      skipped.templates += left.templates;
      done += batch.length;
      batch = [];
      onProgress(Math.min(done, total), total);
      await delay(PAUSE_MS);
    };
    let number = 0;
    for (const value of values) {
      const line = lineOf(value, ++number);
      if (line.type === 'app' || line.type === 'end') continue;
      batch.push(line);
      if (batch.length === AT_ONCE) await flush();
    }
    if (batch.length > 0) await flush();
    await target.driver.write(sql => endApp(sql, appId));
    return summary(appId, contents, skipped.users, skipped.templates);
  } catch (error) {
    // What cannot be removed now is removed by the next import.
    await discard(target, appId).catch(() => undefined);
    throw error;
  }
}

function summary(
  appId: string,
  contents: Contents,
  skippedUsers: number,
  skippedTemplates: number,
): Imported {
  const { users, templates, usage, events } = contents;
  return {
    app: appId,
    users: users - skippedUsers,
    templates: templates - skippedTemplates,
    usage,
    events,
    skippedErased: skippedUsers,
  };
}
