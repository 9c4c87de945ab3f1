/** Work on the data as a whole: import, export, copies, restored servers, and changes of the master secret. */
import { mastersOf } from '../adapters/journal/examine-keys.ts';
import type { Rotated } from '../adapters/journal/rotation.ts';
import type { AfterRestore } from '../adapters/postgres/after-restore.ts';
import { knownIn } from '../adapters/sqlite/given-erasures.ts';
import { openContext } from '../adapters/sqlite/open-store.ts';
import { destroyOldOfFile, rotateFile } from '../adapters/sqlite/upkeep.ts';
import { systemClock, systemRandom } from '../adapters/system/system.ts';
import { type Exported, type Exporting, exportApp } from '../adapters/transfer/export-app.ts';
import { type Imported, importApp } from '../adapters/transfer/import-app.ts';
import type { Config } from '../config.ts';
import { newId } from '../domain/ids.ts';
import { checked, nameFault } from '../domain/operating/apps.ts';
import { originFault } from '../domain/origins.ts';
import { DEFAULT_PLAN } from '../domain/plans.ts';
import type { Restored } from '../ports/upkeep.ts';
import { DATABASE_EXAMPLE } from '../settings/database.ts';
import type { PostgresUrl } from '../settings/postgres.ts';
import { SettingFault } from '../settings/values.ts';
import { locationOf, makeDataDir, openContextOf, type Parts, serverOf } from './data.ts';
import { AlreadyServed, takeInstance } from './instance.ts';

export type { Incoming } from '../adapters/transfer/import-app.ts';

type Importing = Omit<Parameters<typeof importApp>[1], 'now'>;

interface ServiceUpkeep {
  /**
   * Replaces the master secret.
   * @param secret the new one; null: a random one
   * @throws Error with the reason; nothing has changed then
   */
  rotateMaster(secret: Buffer | null): Promise<Rotated>;
  /** Destroys the secret before the last rotation. @returns its file. @throws Error with the reason */
  destroyOldSecret(): Promise<string>;
  /** Exports an app to a file for another deployment. @throws Error with the reason; there is no file then */
  exportApp(request: Omit<Exporting, 'now'>): Promise<Exported>;
  /**
   * Imports an app, on whatever engine.
   * @param request `asNew`: the app gets a new id
   * @throws Error with the reason; nothing is imported then
   */
  importApp(
    request: Omit<Importing, 'newId' | 'appFault' | 'plan'> & {
      readonly asNew: boolean;
      /** Null: the plan of new apps. */
      readonly plan: string | null;
    },
  ): Promise<Imported>;
}

export interface Copied {
  readonly rows: number;
  readonly from: string;
  readonly to: string;
}

/**
 * Copies the deployment from its database file to an empty database on a server.
 * @throws Error with the reason; nothing was copied then
 */
export async function copyToServer(
  config: Config,
  to: PostgresUrl,
  onProgress: (done: number, total: number) => void,
): Promise<Copied> {
  if (config.database.kind !== 'sqlite')
    throw new SettingFault(
      'DATABASE_URL',
      'names a server, but "db copy" reads the database file: run it with DATABASE_URL= (empty), or with the file',
      DATABASE_EXAMPLE,
    );
  const location = locationOf(config, 'db copy');
  const random = systemRandom();
  await using opened = new AsyncDisposableStack();
  opened.defer(
    lockOut(config, 'a server runs on this database: stop it, so that nothing is written after the copy'),
  );
  const source = await openContext(location, random);
  opened.defer(() => source.driver.close());
  const { openPostgresContext } = await import('../adapters/postgres/open-store.ts');
  const { copyDatabase } = await import('../adapters/postgres/copy-database.ts');
  const target = await openPostgresContext(serverOf(config, to), random);
  opened.defer(() => target.driver.close());
  const rows = await copyDatabase({
    from: source.driver,
    to: target.driver,
    shown: to.shown,
    masters: mastersOf(location),
    onProgress,
  });
  return { rows, from: location.path, to: to.shown };
}

/**
 * After the tools of a PostgreSQL server have restored a database, which this also migrates.
 * @throws Error with the reason; nobody was erased and nothing revoked then
 */
export async function settleServer(
  config: Config,
  parts: Parts,
  request: Omit<AfterRestore, 'now'>,
): Promise<Restored> {
  if (config.database.kind === 'sqlite')
    throw new Error('"after-restore" is for a PostgreSQL server: for a database file use "restore"');
  makeDataDir(config);
  const context = await openContextOf(config, systemRandom());
  try {
    const { afterRestore } = await import('../adapters/postgres/after-restore.ts');
    const now = (parts.clock ?? systemClock).now();
    const { erasuresFile } = config;
    return await afterRestore(context, config.database.shown, erasuresFile, { ...request, now }, knownIn);
  } finally {
    await context.driver.close();
  }
}

export function openUpkeep(config: Config, parts: Parts = {}): ServiceUpkeep {
  const random = systemRandom();
  return {
    async destroyOldSecret() {
      if (config.database.kind === 'sqlite')
        return destroyOldOfFile(locationOf(config, 'master-secret destroy-old'));
      const { destroyOldOfServer } = await import('../adapters/postgres/rotation.ts');
      return destroyOldOfServer(serverOf(config, config.database));
    },
    exportApp: request =>
      exportApp(() => openContextOf(config, random), {
        ...request,
        now: (parts.clock ?? systemClock).now(),
      }),
    async rotateMaster(secret) {
      if (config.database.kind !== 'sqlite') {
        const { rotateServer } = await import('../adapters/postgres/rotation.ts');
        return rotateServer(serverOf(config, config.database), secret, random);
      }
      const location = locationOf(config, 'master-secret rotate');
      if (!config.masterSecret) return rotateFile(location, secret, random);
      // The environment of a running server cannot be changed: it would keep a secret that is no longer valid.
      const release = lockOut(
        config,
        'a server runs with MASTER_SECRET in its environment: stop it, run this again, and start it with the new secret',
      );
      try {
        return await rotateFile(location, secret, random);
      } finally {
        release();
      }
    },
    async importApp({ asNew, ...request }) {
      const { plan } = checked({ plan: request.plan ?? DEFAULT_PLAN }, config.plans);
      const now = (parts.clock ?? systemClock).now();
      return importApp(() => openContextOf(config, random), {
        now,
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

/** @returns a function that lets servers start again. @throws AlreadyServed */
function lockOut(config: Config, refusal: string): () => void {
  makeDataDir(config);
  try {
    return takeInstance(config);
  } catch (error) {
    if (!(error instanceof AlreadyServed)) throw error;
    throw new AlreadyServed(refusal, { cause: error });
  }
}
