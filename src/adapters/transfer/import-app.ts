/**
 * Takes an exported app in: the whole file is checked first, then it is written in batches beside a running server. Nobody
 * sees the app before its last row is there. Killed halfway, the next import removes what was left and starts clean; so does the daily job. Users
 * who were erased here do not come back. One import at a time. test/cli/transfer.long.test.ts holds it.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../ports/system.ts';
import { LockHeld } from '../sql/lock-held.ts';
import { ofApp, SERVICE } from '../sql/scope.ts';
import { discard, discardUnfinished } from '../sql/store/imports.ts';
import type { StoreLocation } from '../sqlite/location.ts';
import { openContext } from '../sqlite/open-store.ts';
import { linesIn, TransferFault } from './age-file.ts';
import { type Contents, checkImport, isErased } from './check-import.ts';
import { addRows, beginApp, endApp, type Skipped, type Target } from './import-rows.ts';
import { type AppLine, type Line, type LineOf, linesBy, wrongLine } from './records.ts';

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
  /** What the file says of them is shown, and not believed. */
  readonly plan: string;
  readonly firstParty: boolean;
  /** What no app of this deployment may be, with the field; null: nothing is wrong. */
  readonly appFault: (app: { name: string; allowedOrigins: readonly string[] }) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Told what comes in when all of the file was checked, before anything of it is written. */
  readonly onChecked?: (what: Incoming) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a file brings, and how the app will stand here. */
export interface Incoming {
  readonly app: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly plan: string;
  readonly firstParty: boolean;
  /** What the file says. */
  readonly inFile: { readonly plan: string; readonly firstParty: boolean };
  readonly modes: Contents['modes'];
}

export interface Imported extends Incoming {
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
  const { file: path, passphrase, onProgress = () => undefined } = request;
  const file = opened(path);
  try {
    const context = await openContext(location, random);
    const release = taken(context.lockImports, () => context.driver.close());
    try {
      const { driver, vault } = context;
      if (!request.checkOnly) await discardUnfinished(context);
      const lines = await linesIn(file, passphrase);
      const here = { sql: driver.read, secrets: vault, onProgress };
      const lineOf = linesBy(request.now);
      const contents = await checkImport(lines(), {
        ...here,
        lineOf,
        mustFit: app => mustFit(here, app, request),
      });
      const incoming = incomingOf(contents, request);
      request.onChecked?.(incoming);
      const skipped = request.checkOnly
        ? { users: contents.skippedErased, templates: contents.skippedTemplates }
        : await write(context, contents, incoming, linesOf(lines(), lineOf), onProgress);
      return summary(incoming, contents, skipped);
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
  { appFault, newId }: Importing,
): Promise<void> {
  const fault = appFault({ name: app.name, allowedOrigins: app.allowed_origins });
  if (fault !== null) throw wrongLine(1, `(app) ${fault}`);
  if (newId) return;
  if (await here.sql.get('SELECT 1 FROM apps WHERE id = $1 AND importing = 0', app.id))
    throw new TransferFault(
      `the app ${app.id} exists here already: give --as-new to take it in under a new id`,
    );
  if (await isErased(here, app.id))
    throw new TransferFault(
      `the app ${app.id} was erased here with all of its users: give --as-new if they are to come back, under a new id of the app`,
    );
}

function incomingOf({ app, modes }: Contents, { newId, plan, firstParty }: Importing): Incoming {
  return {
    app: newId ?? app.id,
    name: app.name,
    allowedOrigins: app.allowed_origins,
    plan,
    firstParty,
    inFile: { plan: app.plan, firstParty: app.first_party },
    modes,
  };
}

async function* linesOf(values: AsyncIterable<unknown>, lineOf: LineOf): AsyncGenerator<Line, void, void> {
  let number = 0;
  for await (const value of values) yield lineOf(value, ++number);
}

async function write(
  target: Target,
  contents: Contents,
  { app: appId, plan, firstParty }: Incoming,
  lines: AsyncIterable<Line>,
  onProgress: (done: number, total: number) => void,
): Promise<Skipped> {
  const total = contents.users + contents.templates + contents.usage + contents.events;
  const skipped = { users: 0, templates: 0 };
  let done = 0;
  await target.driver.write(ofApp(appId), sql => beginApp(sql, contents.app, appId, { plan, firstParty }));
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
    for await (const line of lines) {
      if (line.type === 'app' || line.type === 'end') continue;
      batch.push(line);
      if (batch.length === AT_ONCE) await flush();
    }
    if (batch.length > 0) await flush();
    await target.driver.write(SERVICE, sql => endApp(sql, appId));
    return skipped;
  } catch (error) {
    // What cannot be removed now is removed by the next import.
    await discard(target, appId).catch(() => undefined);
    throw error;
  }
}

function summary(incoming: Incoming, contents: Contents, skipped: Skipped): Imported {
  const { users, templates, usage, events } = contents;
  return {
    ...incoming,
    users: users - skipped.users,
    templates: templates - skipped.templates,
    usage,
    events,
    skippedErased: skipped.users,
  };
}
