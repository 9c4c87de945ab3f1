/** Opens the SQL store on a file: engine, schema, master secret. Refuses a database of another master secret. */
import { closeSync, existsSync, openSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { StoreMisfit } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { lockFile } from '../journal/instance-lock.ts';
import { pruneJournal } from '../journal/prune-journal.ts';
import { type Rotating, settleMasterFile } from '../journal/rotation.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import { findMasterSecrets, secretsOnDisk } from '../secrets/master-secret.ts';
import type { Sql } from '../sql/driver.ts';
import { type Prepared, prepareKeys, WrongMaster } from '../sql/keys/prepare.ts';
import { createMemory } from '../sql/memory.ts';
import { migrate } from '../sql/migrate.ts';
import { databaseAt } from '../sql/schema.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { galleryState } from '../sql/store/galleries.ts';
import { type OpenStore, openedOn } from '../sql/store.ts';
import { openSqlite, type SqliteDriver } from './driver.ts';
import { requireSchema, withUnchanged } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';
import { lossOf } from './new-database.ts';
import { journalWriter } from './write-journal.ts';

/** The message names the file. The cause is an error of the system or the engine. */
export class CannotOpen extends Error {}

/** @throws StoreMisfit, CannotOpen */
export async function openStore(location: StoreLocation, random: Random): Promise<OpenStore> {
  return openedOn(await openContext(location, random));
}

/** @throws StoreMisfit, or an Error naming a file that cannot be opened */
export async function openContext(
  location: StoreLocation,
  random: Random,
  { settle = true } = {},
): Promise<StoreContext> {
  const { path } = location;
  const { driver, vault } = await openKeyed(location, random);
  try {
    if (settle) await settleMasterFile(rotatingIn(location), driver.read);
    const memory = createMemory(driver.mark, gallery => galleryState(driver.read, gallery));
    return {
      driver,
      vault,
      random,
      memory,
      minutes: null,
      nodes: null,
      takeLease: async () => ({ signal: new AbortController().signal, release: async () => undefined }),
      writeJournal: journalWriter(driver, location.erasuresFile),
      pruneJournal: before => pruneJournal(location.erasuresFile, before),
      lockImports: async () => lockFile(`${path}.import.lock`),
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

export const rotatingIn = ({ path, masterSecret, masterSecretFile }: StoreLocation): Rotating => ({
  masterSecret,
  masterSecretFile,
  lock: async () => lockFile(`${path}.rotation.lock`),
});

export interface Keyed extends Prepared {
  readonly driver: SqliteDriver;
}

/** Opens the engine, and finds the master secret that fits. @throws StoreMisfit, or an Error naming the file */
export async function openKeyed(location: StoreLocation, random: Random): Promise<Keyed> {
  const { path, masterSecret, masterSecretFile } = location;
  refuseUnfit(location);
  const find = () => findMasterSecrets(masterSecret, masterSecretFile, existsSync(path), random);
  const secrets = find();
  try {
    return await openUnder(secrets, location, random);
  } catch (error) {
    if (!(error instanceof WrongMaster)) throw error;
    // A rotation may have happened after the files were read.
    const now = find();
    if (now.every(one => secrets.some(before => before.equals(one)))) throw error;
    return await openUnder(now, location, random);
  }
}

/** Before anything changes the file or what is beside it. @throws StoreMisfit, CannotOpen */
function refuseUnfit(location: StoreLocation): void {
  const { path } = location;
  if (!existsSync(path)) return;
  const loss = lossOf(location);
  if (loss) throw new StoreMisfit(loss);
  try {
    // The system explains better than the engine why a file cannot be opened.
    closeSync(openSync(path, 'r+'));
    withUnchanged(path, database => {
      // Another process may be creating it.
      if (!isEmpty(database)) requireSchema(database, databaseAt(path));
    });
  } catch (error) {
    throw error instanceof StoreMisfit ? error : cannotOpen(path, error);
  }
}

function isEmpty(database: Database.Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

async function openUnder(
  [first, ...others]: [Buffer, ...Buffer[]],
  { path, masterSecretFile }: StoreLocation,
  random: Random,
): Promise<Keyed> {
  const driver = openEngine(path);
  try {
    const masters: [Master, ...Master[]] = [masterOf(first), ...others.map(masterOf)];
    const later = () => secretsOnDisk(masterSecretFile).map(masterOf);
    const open = (sql: Sql) => prepareKeys(sql, masters, later, random);
    return { driver, ...(await migrate(driver, databaseAt(path), open)) };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

function openEngine(path: string): SqliteDriver {
  try {
    return openSqlite(path);
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

function cannotOpen(path: string, cause: unknown): CannotOpen {
  return new CannotOpen(`cannot open the database ${path}: ${(cause as Error).message}`, { cause });
}
