/** Opens the data of a service, for the service itself and for commands. */
import type { Logger } from 'pino';
import type { StoreLocation } from '../adapters/sqlite/location.ts';
import { CannotOpen, type OpenStore, openStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemKeyMaker } from '../adapters/system/key-maker.ts';
import { systemRandom } from '../adapters/system/random.ts';
import type { Config } from '../config.ts';
import type { AdminDeps } from '../domain/deps.ts';
import type { Clock, Random } from '../ports/system.ts';
import { DATA_DIR_EXAMPLE, databaseFault } from '../settings/database.ts';
import { fullDisk } from '../settings/disk.ts';
import { makeFolder } from '../settings/folder.ts';

/** Parts that tests replace. */
export interface Parts {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Null: act as if the database were not a file on this machine. */
  readonly file?: null;
  /** Opens another store instead of the one in the database file. */
  readonly openStore?: () => Promise<OpenStore>;
  /** File descriptor for the log. Default: stdout. */
  readonly logTo?: number;
}

export interface Admin {
  readonly deps: AdminDeps;
  close(): Promise<void>;
}

/** For commands that use the store. A server may run at the same time. */
export async function openAdmin(config: Config, parts: Parts = {}): Promise<Admin> {
  makeDataDir(config);
  const deps = await openCore(config, parts);
  return { deps, close: () => deps.store.close() };
}

export function locationOf(config: Config): StoreLocation {
  return {
    path: config.databasePath,
    masterSecret: config.masterSecret,
    masterSecretFile: config.masterSecretFile,
    erasuresFile: config.erasuresFile,
  };
}

export async function openCore(config: Config, parts: Parts): Promise<AdminDeps> {
  const random: Random = systemRandom();
  const location = locationOf(config);
  const open = parts.openStore ?? (() => openStore(location, random));
  const { store, secrets } = await open().catch(error => {
    const full = fullDisk(error, location.path, location.masterSecretFile);
    const fault = error instanceof CannotOpen && databaseFault(location.path, config.dataDir, error.cause);
    throw full ?? (fault || error);
  });
  const deps: AdminDeps = {
    store,
    secrets,
    clock: parts.clock ?? systemClock,
    random,
    keyMaker: systemKeyMaker,
    settings: { plans: config.plans, signingKeyDays: config.signingKeyDays },
  };
  return deps;
}

export function makeDataDir({ dataDir }: Config): void {
  makeFolder('DATA_DIR', dataDir, DATA_DIR_EXAMPLE);
}
