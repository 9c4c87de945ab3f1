/**
 * Opens the SQL store: engine, schema, master secret. Refuses a database that another master secret has sealed.
 */
import { existsSync } from 'node:fs';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { type Store, StoreMisfit } from '../../ports/store.ts';
import { findMasterSecret } from '../secrets/master-secret.ts';
import { createVault } from '../secrets/vault.ts';
import type { Driver } from './driver.ts';
import { fileIdOf } from './file-id.ts';
import { createMemory } from './memory.ts';
import { migrate } from './migrate.ts';
import { createGalleryReader } from './reader/reader.ts';
import { openSqlite } from './sqlite.ts';
import { appStore } from './store/apps.ts';
import { codeStore } from './store/codes.ts';
import type { StoreContext } from './store/context.ts';
import { journalWriter, unjournaled } from './store/journal.ts';
import { operatingStore } from './store/operating.ts';
import { profileStore } from './store/profile.ts';
import { retentionStore } from './store/retention.ts';
import { signInStore } from './store/sign-in.ts';
import { tokenStore } from './store/tokens.ts';

export interface OpenStore {
  readonly store: Store;
  readonly secrets: Secrets;
}

export interface StoreLocation {
  /** Database file. */
  readonly path: string;
  /** The master secret, where the settings hold it; else it is in the file. */
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
  /** Where erasures are noted, beside the database. */
  readonly erasuresFile: string;
}

/** The message names the file, the cause is the system's or the engine's. */
export class CannotOpen extends Error {}

/** @throws StoreMisfit, CannotOpen */
export async function openStore(location: StoreLocation, random: Random): Promise<OpenStore> {
  const context = await openContext(location, random);
  const { driver, reader } = context;
  // A journal that cannot be written now does not stop the start: it is tried again.
  await context.writeJournal().catch(() => undefined);
  const store: Store = {
    ...appStore(context),
    ...signInStore(context),
    ...codeStore(context),
    ...profileStore(context),
    ...tokenStore(context),
    ...retentionStore(context),
    ...operatingStore(context),
    ping: () => driver.ping(),
    probe: () => driver.probe(),
    figures: async () => ({ ...driver.figures(), unjournaled: await unjournaled(driver.read) }),
    async close() {
      await reader.close();
      await driver.close();
    },
  };
  return { store, secrets: context.vault };
}

/** @throws StoreMisfit, or an Error naming the file when it cannot be opened */
export async function openContext(location: StoreLocation, random: Random): Promise<StoreContext> {
  const master = findMasterSecret(
    location.masterSecret,
    location.masterSecretFile,
    existsSync(location.path),
    random,
  );
  const vault = createVault(master, random);
  const driver = openEngine(location.path);
  try {
    await migrate(driver);
    await checkMasterSecret(driver, vault.checkValue);
    const memory = createMemory(driver.foreignVersion);
    const { path } = location;
    const reader = createGalleryReader({ path, fileId: fileIdOf(path) });
    const writeJournal = journalWriter(driver, location.erasuresFile);
    return { driver, vault, random, memory, reader, writeJournal };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

function openEngine(path: string): Driver {
  try {
    return openSqlite(path);
  } catch (error) {
    throw new CannotOpen(`cannot open the database ${path}: ${(error as Error).message}`, { cause: error });
  }
}

async function checkMasterSecret(driver: Driver, value: string): Promise<void> {
  const stored = await driver.write(async sql => {
    await sql.run(
      `INSERT INTO meta (name, value) VALUES ('master_secret_check', $1) ON CONFLICT (name) DO NOTHING`,
      value,
    );
    return sql.get<{ value: string }>(`SELECT value FROM meta WHERE name = 'master_secret_check'`);
  });
  if (stored?.value !== value) {
    throw new StoreMisfit(
      'the master secret is not the one that this database was made with: set MASTER_SECRET or master.key to the right one',
    );
  }
}
