/** The data of a service, opened: for the service itself, for commands beside it, and for work on the files. */
import type { Logger } from 'pino';
import type { StoreLocation } from '../adapters/sqlite/location.ts';
import { CannotOpen, openStore } from '../adapters/sqlite/open-store.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemKeyMaker } from '../adapters/system/key-maker.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { createUpkeep, type Upkeep } from '../adapters/upkeep.ts';
import type { Config } from '../config.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { newId } from '../domain/ids.ts';
import { checked, nameFault } from '../domain/operating/apps.ts';
import { originFault } from '../domain/origins.ts';
import { DEFAULT_PLAN } from '../domain/plans.ts';
import type { Clock, Random } from '../ports/system.ts';
import { DATA_DIR_EXAMPLE, databaseFault } from '../settings/database.ts';
import { fullDisk } from '../settings/disk.ts';
import { makeFolder } from '../settings/folder.ts';
import { AlreadyServed, takeInstance } from './instance.ts';

export type { Incoming } from '../adapters/transfer/import-app.ts';

/** Parts that tests replace. */
export interface Parts {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Null: as where the database is not a file of this machine. */
  readonly file?: null;
  /** Where the log goes: the number of an open file, else stdout. */
  readonly logTo?: number;
}

export interface Admin {
  readonly deps: AdminDeps;
  close(): Promise<void>;
}

/** Enough for commands that work beside a running server. */
export async function openAdmin(config: Config, parts: Parts = {}): Promise<Admin> {
  makeDataDir(config);
  const deps = await openCore(config, parts);
  return { deps, close: () => deps.store.close() };
}

type Importing = Parameters<Upkeep['importApp']>[0];

export interface ServiceUpkeep extends Omit<Upkeep, 'importApp'> {
  /** @param request `asNew`: the app gets an id of its own */
  importApp(
    request: Omit<Importing, 'newId' | 'appFault' | 'plan'> & {
      readonly asNew: boolean;
      /** Null: the plan of new apps. */
      readonly plan: string | null;
    },
  ): ReturnType<Upkeep['importApp']>;
}

/** For commands on the data itself, whether or not a server runs. */
export function openUpkeep(config: Config, parts: Parts = {}): ServiceUpkeep {
  const random = systemRandom();
  const upkeep = createUpkeep(locationOf(config), parts.clock ?? systemClock, random);
  return {
    ...upkeep,
    async rotateMaster(secret) {
      if (!config.masterSecret) return upkeep.rotateMaster(secret);
      // Nobody can give a running process another environment: it would stand there with a secret that fits no more.
      const giveBack = serverless(config);
      try {
        return await upkeep.rotateMaster(secret);
      } finally {
        giveBack();
      }
    },
    async importApp({ asNew, ...request }) {
      const { plan } = checked({ plan: request.plan ?? DEFAULT_PLAN }, config.plans);
      return upkeep.importApp({
        ...request,
        plan,
        newId: asNew ? newId(random, 'app') : null,
        appFault: ({ name, allowedOrigins }) => {
          const fault = nameFault(name);
          if (fault) return `name: ${fault}`;
          const faults = allowedOrigins.map(originFault);
          const at = faults.findIndex(each => each !== null);
          return at < 0 ? null : `allowed_origins[${at}]: ${faults[at]}`;
        },
      });
    },
  };
}

/** Keeps servers off meanwhile. @throws AlreadyServed */
function serverless(config: Config): () => void {
  makeDataDir(config);
  try {
    return takeInstance(config);
  } catch (error) {
    if (!(error instanceof AlreadyServed)) throw error;
    throw new AlreadyServed(
      'a server runs with MASTER_SECRET in its environment: stop it, run this again, and start it with the new secret',
      { cause: error },
    );
  }
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
  const { store, secrets } = await openStore(location, random).catch(error => {
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
