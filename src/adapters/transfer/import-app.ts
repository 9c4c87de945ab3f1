/**
 * Imports an exported app. The whole file is checked first, then written in batches; a server may run meanwhile. The
 * app becomes visible with its last row. If interrupted, the next import or the daily job removes what was written.
 * Users who were erased here are not imported. One import runs at a time. Held by test/transfer/transfer.long.test.ts.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ofApp, SERVICE } from '../sql/scope.ts';
import { type StoreContext, writeAndForget } from '../sql/store/context.ts';
import { discard, discardUnfinished } from '../sql/store/imports.ts';
import { linesIn, TransferFault } from './age-file.ts';
import { type Contents, checkImport, erasedAmong } from './check-import.ts';
import { addRows, beginApp, endApp, type Skipped, type Target } from './import-rows.ts';
import { type AppLine, type Line, type LineOf, linesBy, wrongLine } from './records.ts';

/** Rows per batch, and the pause after it, which is longer than the retry interval of another process. */
const AT_ONCE = 250;
const PAUSE_MS = 10;

export interface Importing {
  readonly file: string;
  readonly passphrase: string;
  /** Check the file and write nothing. */
  readonly checkOnly: boolean;
  /** The app's id here; null: its id in the file. */
  readonly newId: string | null;
  /** Used instead of the values in the file, which are only shown. */
  readonly plan: string;
  readonly firstParty: boolean;
  /** Checks the app by the rules of this deployment. Returns the fault with its field; null: no fault. */
  readonly appFault: (app: { name: string; allowedOrigins: readonly string[] }) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called after the check of the whole file, before anything is written. */
  readonly onChecked?: (what: Incoming) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The contents of a file, and the settings that the app gets here. */
export interface Incoming {
  readonly app: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly plan: string;
  readonly firstParty: boolean;
  /** The values in the file. */
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

/**
 * @param open opens the database that gets the app, on whatever engine
 * @throws TransferFault, Error with the reason; nothing of the app is here then
 */
export async function importApp(open: () => Promise<StoreContext>, request: Importing): Promise<Imported> {
  const { file: path, passphrase, onProgress = () => undefined } = request;
  const file = openRegularFile(path);
  try {
    const context = await open();
    let release: Awaited<ReturnType<StoreContext['lockImports']>> = null;
    try {
      release = await context.lockImports();
      if (!release) throw new TransferFault('another import is running: wait until it has finished');
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
      await release?.();
      await context.driver.close();
    }
  } finally {
    closeSync(file);
  }
}

function openRegularFile(path: string): number {
  let file: number;
  try {
    // Non-blocking: opening a pipe would otherwise wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new TransferFault(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new TransferFault(
    `${path} is not a regular file, which an import needs because it reads it twice: choose a file made by "app export"`,
  );
}

async function mustFit(
  here: Parameters<typeof erasedAmong>[0],
  app: AppLine,
  { appFault, newId }: Importing,
): Promise<void> {
  const fault = appFault({ name: app.name, allowedOrigins: app.allowed_origins });
  if (fault !== null) throw wrongLine(1, `(app) ${fault}`);
  if (newId) return;
  if (await here.sql.get('SELECT 1 FROM apps WHERE id = $1 AND importing = 0', app.id))
    throw new TransferFault(
      `the app ${app.id} already exists here: first delete it, because an import keeps the ids of its users, also with --as-new`,
    );
  if ((await erasedAmong(here, [app.id])).size > 0)
    throw new TransferFault(
      `the app ${app.id} was erased here with all its users: to bring them back under a new app id, use --as-new`,
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
  await target.driver.write(ofApp(appId), sql =>
    beginApp(sql, target.vault, contents.app, appId, { plan, firstParty }),
  );
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
    await writeAndForget(target, SERVICE, sql => endApp(sql, appId));
    return skipped;
  } catch (error) {
    // If this fails, the next import removes the rows.
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
