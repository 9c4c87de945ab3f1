/** Opens the data of a service, for the service itself and for commands. */
import type { Logger } from 'pino';
import type { PostgresLocation } from '../adapters/postgres/open-store.ts';
import type { StoreContext } from '../adapters/sql/store/context.ts';
import { type OpenStore, openedOn } from '../adapters/sql/store.ts';
import type { StoreLocation } from '../adapters/sqlite/location.ts';
import { CannotOpen, openContext } from '../adapters/sqlite/open-store.ts';
import { systemKeyMaker } from '../adapters/system/key-maker.ts';
import { systemClock, systemRandom } from '../adapters/system/system.ts';
import type { Config } from '../config.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { createServiceClock } from '../domain/known-time.ts';
import type { Clock, Random } from '../ports/system.ts';
import { NotAFile } from '../ports/upkeep.ts';
import { DATA_DIR_EXAMPLE, databaseFault, fileOf, vitalFileOf } from '../settings/database.ts';
import { fullDisk } from '../settings/disk.ts';
import { makeFolder } from '../settings/folder.ts';
import type { PostgresUrl } from '../settings/postgres.ts';
import { webhookSender } from './webhooks.ts';

/** Parts that tests replace. */
export interface Parts {
  readonly clock?: Clock;
  readonly log?: Logger;
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

/** @throws NotAFile if the database is on a server */
export function locationOf(config: Config, what: string): StoreLocation {
  const path = fileOf(config.database);
  if (path === null) throw new NotAFile(what);
  return { path, ...secretsAndJournal(config) };
}

const secretsAndJournal = ({ masterSecret, masterSecretFile, erasuresFile }: Config) => ({
  masterSecret,
  masterSecretFile,
  erasuresFile,
});

/** For work below the store's verbs. @throws StoreMisfit, or an Error naming a file that cannot be opened */
export async function openContextOf(config: Config, random: Random): Promise<StoreContext> {
  const { database } = config;
  if (database.kind === 'sqlite')
    return openContext({ path: database.path, ...secretsAndJournal(config) }, random);
  // Its driver takes time to load, and most starts need none.
  const { openPostgresContext } = await import('../adapters/postgres/open-store.ts');
  return openPostgresContext(serverOf(config, database), random);
}

export const serverOf = (config: Config, address: PostgresUrl): PostgresLocation => ({
  address,
  pool: config.databasePool,
  ...secretsAndJournal(config),
});

async function openStoreOf(config: Config, random: Random): Promise<OpenStore> {
  const { database } = config;
  if (database.kind === 'sqlite') return openedOn(await openContextOf(config, random));
  const { openPostgresStore } = await import('../adapters/postgres/open-store.ts');
  return openPostgresStore(serverOf(config, database), random);
}

export async function openCore(config: Config, parts: Parts): Promise<AdminDeps> {
  const random: Random = systemRandom();
  const { store, secrets } = await openStoreOf(config, random).catch(error => {
    const path = fileOf(config.database);
    const full = fullDisk(error, vitalFileOf(config), config.masterSecretFile);
    const fault =
      path !== null && error instanceof CannotOpen && databaseFault(path, config.dataDir, error.cause);
    throw full ?? (fault || error);
  });
  const clock = createServiceClock(parts.clock ?? systemClock);
  // All nodes follow one clock, because they share limits and challenges. A clock of a test is followed as it is.
  if (!parts.clock && store.nodes) clock.correct(await store.nodes.clockOffset(() => systemClock.now()));
  const known = await store.knownTime();
  if (known !== null) clock.follow(known);
  return {
    store,
    secrets,
    clock,
    random,
    keyMaker: systemKeyMaker,
    webhookSender: webhookSender(config),
    settings: {
      plans: config.plans,
      signingKeyDays: config.signingKeyDays,
      clockLeapDays: config.clockLeapDays,
    },
  };
}

export function makeDataDir({ dataDir }: Config): void {
  makeFolder('DATA_DIR', dataDir, DATA_DIR_EXAMPLE);
}
