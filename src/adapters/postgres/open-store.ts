/**
 * Opens the SQL store on PostgreSQL: schema, master secret, memory of a node. All nodes need the same master secret,
 * so it is never made here. Refuses a database of another one.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { StoreMisfit, StoreUnavailable } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import { findMasterSecrets, secretsOnDisk } from '../secrets/master-secret.ts';
import type { Driver } from '../sql/driver.ts';
import { type Prepared, prepareKeys } from '../sql/keys/prepare.ts';
import { migrate } from '../sql/migrate.ts';
import type { Subject } from '../sql/schema.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { type OpenStore, openedOn } from '../sql/store.ts';
import { pruneJournal } from '../sqlite/prune-journal.ts';
import { type Rotating, settleMasterFile } from '../sqlite/rotation.ts';
import type { PostgresAddress } from './address.ts';
import { openPostgres } from './driver.ts';
import { createEntries } from './entries.ts';
import { createFastPath } from './fast-path.ts';
import { isAnswer } from './faults.ts';
import { createPostgresReader } from './gallery-reader.ts';
import { journalPuller, requireErasures } from './journal.ts';
import { takeLease } from './leases.ts';
import { createSharedMinutes } from './minutes.ts';
import { createNodes } from './nodes.ts';
import { createSharedMemory } from './shared-memory.ts';
import { readShared } from './shared-read.ts';

export interface PostgresLocation {
  readonly address: PostgresAddress;
  /** Connections at most. */
  readonly pool: number;
  /** From the settings. Null: it is in the file. */
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
  /** This node's copy of the journal of erasures. */
  readonly erasuresFile: string;
}

/** @throws StoreMisfit, StoreUnavailable */
export async function openPostgresStore(location: PostgresLocation, random: Random): Promise<OpenStore> {
  const { address, erasuresFile } = location;
  const context = await openPostgresContext(location, random);
  try {
    await requireErasures(context.driver, erasuresFile, address.shown);
    return await openedOn(context);
  } catch (error) {
    await context.driver.close();
    throw error;
  }
}

interface Keyed extends Prepared {
  readonly driver: Driver;
  /** Identifies this process, which holds its leases. */
  readonly owner: string;
}

/** The master secret that fits, once an interrupted rotation is finished. @throws StoreMisfit, StoreUnavailable */
export async function openKeyed(location: PostgresLocation, random: Random): Promise<Keyed> {
  const { address, pool, masterSecret, masterSecretFile } = location;
  if (!masterSecret && !existsSync(masterSecretFile))
    throw new StoreMisfit(
      `MASTER_SECRET is not set and ${masterSecretFile} is missing: all nodes on ${address.shown} need the same one. Copy that of another node. For an empty database make one with "openssl rand -base64 32 | tr '+/' '-_' | tr -d '='"`,
    );
  const found = findMasterSecrets(masterSecret, masterSecretFile, true, random).map(masterOf);
  const driver = openPostgres(address, pool);
  try {
    const later = () => secretsOnDisk(masterSecretFile).map(masterOf);
    const prepared = await migrate(driver, databaseOn(address), sql =>
      prepareKeys(sql, found as [Master, ...Master[]], later, random),
    );
    const owner = randomUUID();
    await settleMasterFile(rotatingOn(location, driver, owner), driver.read);
    return { ...prepared, driver, owner };
  } catch (error) {
    await driver.close();
    throw reported(address, error);
  }
}

export const rotatingOn = (
  { masterSecret, masterSecretFile }: PostgresLocation,
  driver: Driver,
  owner: string,
): Rotating => ({ masterSecret, masterSecretFile, lock: () => lockBy(driver, 'rotation', owner) });

const lockBy = async (driver: Driver, name: string, owner: string) =>
  (await takeLease(driver, name, owner))?.release ?? null;

/** @throws StoreMisfit, StoreUnavailable */
export async function openPostgresContext(location: PostgresLocation, random: Random): Promise<StoreContext> {
  const { erasuresFile } = location;
  const { driver, vault, owner } = await openKeyed(location, random);
  const memory = createSharedMemory(galleries => readShared(driver.read, galleries));
  return {
    driver,
    vault,
    random,
    memory,
    entries: createEntries(driver, vault, memory),
    fastPath: createFastPath({ driver, vault, random }),
    minutes: createSharedMinutes(driver, vault),
    nodes: createNodes(driver, owner),
    reader: createPostgresReader(driver.read),
    writeJournal: journalPuller(driver, erasuresFile),
    pruneJournal: before => pruneJournal(erasuresFile, before),
    takeLease: name => takeLease(driver, name, owner),
    lockImports: () => lockBy(driver, 'import', owner),
  };
}

/** At a start, when nobody knows yet whether the address is right. */
class Unreachable extends StoreUnavailable {
  constructor({ shown }: PostgresAddress, { cause }: StoreUnavailable) {
    super(cause);
    const reason = (cause as Error).message || String((cause as { code?: unknown }).code);
    this.message = isAnswer(cause)
      ? `the database ${shown} cannot be used now (${reason}): check the server, or DATABASE_URL`
      : `the database ${shown} does not answer (${reason}): start it, or check DATABASE_URL`;
  }
}

/** What a server answers that only an operator can change, by SQLSTATE. */
const MISFITS: Readonly<Record<string, (address: PostgresAddress) => string>> = {
  '28P01': ({ user, password }) =>
    `does not let ${user} in: ${password === undefined ? 'DATABASE_URL has no password' : 'check the password in DATABASE_URL'}`,
  '3D000': () => `does not exist: create it as the guide for several nodes says, or check DATABASE_URL`,
  '42501': ({ user, database }) =>
    `does not let ${user} create tables: the role must own it (ALTER DATABASE ${database} OWNER TO ${user})`,
};

function reported(address: PostgresAddress, error: unknown): unknown {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  const misfit = MISFITS[String((cause as { code?: unknown })?.code)];
  if (misfit) return new StoreMisfit(`the database ${address.shown} ${misfit(address)}`);
  return error instanceof StoreUnavailable ? new Unreachable(address, error) : error;
}

export function databaseOn({ shown }: PostgresAddress): Subject {
  return {
    file: shown,
    fix: {
      development: 'name an empty database',
      none: 'check DATABASE_URL: it must name an empty database, or one of this service',
      altered: 'undo that change',
    },
  };
}
