/**
 * Opens the SQL store on PostgreSQL: schema, master secret, memory of a node. All nodes need the same master secret,
 * so it is never made here. Refuses a database of another one.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { StoreMisfit, StoreUnavailable } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import type { FilesLocation } from '../journal/files.ts';
import { pruneJournal } from '../journal/prune-journal.ts';
import { type Rotating, settleMasterFile } from '../journal/rotation.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import { findMasterSecrets, secretsOnDisk } from '../secrets/master-secret.ts';
import type { Driver } from '../sql/driver.ts';
import { type Prepared, prepareKeys } from '../sql/keys/prepare.ts';
import { migrate } from '../sql/migrate.ts';
import type { Subject } from '../sql/schema.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { type OpenStore, openedOn } from '../sql/store.ts';
import type { PostgresAddress } from './address.ts';
import { openPostgres } from './driver.ts';
import { isAnswer } from './faults.ts';
import { journalPuller, requireErasures } from './journal.ts';
import { takeLease } from './leases.ts';
import { createSharedMinutes } from './minutes.ts';
import { createNodes } from './nodes.ts';
import { refusePooler } from './refuse-pooler.ts';
import { createSharedMemory, readShared } from './shared-memory.ts';

export interface PostgresLocation extends FilesLocation {
  readonly address: PostgresAddress;
  /** Connections at most. */
  readonly pool: number;
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
    await refusePooler(address);
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
  return {
    driver,
    vault,
    random,
    memory: createSharedMemory(galleries => readShared(driver.read, galleries)),
    minutes: createSharedMinutes(driver, vault),
    nodes: createNodes(driver, owner),
    writeJournal: journalPuller(driver, erasuresFile),
    pruneJournal: before => pruneJournal(erasuresFile, before),
    takeLease: (name, patience) => takeLease(driver, name, owner, patience),
    lockImports: () => lockBy(driver, 'import', owner),
  };
}

/** At a start, when nobody knows yet whether the address is right. */
class Unreachable extends StoreUnavailable {
  constructor(cause: unknown, message: string) {
    super(cause);
    this.message = message;
  }
}

const NOT_OWNER = '42501';

const untrusted = ({ authorityFile, setting }: PostgresAddress) =>
  `has a certificate that is not signed by ${authorityFile ?? 'a public authority'}: name the right one with &sslrootcert=FILE in ${setting}`;

/** Faults that only an operator can fix, by SQLSTATE or by the code of TLS. */
const MISFITS: Readonly<Record<string, (address: PostgresAddress, reason: string) => string>> = {
  '28000': ({ user }, reason) =>
    `does not let ${user} in (${reason}): add this machine and role to pg_hba.conf`,
  '28P01': ({ user, password, setting }) =>
    `does not let ${user} in: ${password ? `check the password in ${setting}` : `${setting} has no password`}`,
  '3D000': ({ user, database, setting }) =>
    `does not exist: run createdb -O ${user} -T template0 -E UTF8 --lc-collate=C ${database}, or check ${setting}`,
  [NOT_OWNER]: ({ user, database }, reason) =>
    `refuses ${user} (${reason}): the role must own the database and its tables (ALTER DATABASE "${database}" OWNER TO "${user}")`,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ setting }) =>
    `has a certificate for another host name: use that name in ${setting}`,
};

function reported(address: PostgresAddress, error: unknown): unknown {
  const { shown, setting, hosts } = address;
  const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error & { code?: unknown };
  const code = String(cause?.code);
  const reason = cause?.message || code;
  const misfit = MISFITS[code];
  if (misfit) {
    const message = `the database ${shown} ${misfit(address, reason)}`;
    // Of several hosts, the one that would let the node in may only be away.
    return hosts.length > 1 && code !== NOT_OWNER
      ? new Unreachable(cause, message)
      : new StoreMisfit(message);
  }
  if (!(error instanceof StoreUnavailable)) return error;
  const what = isAnswer(cause)
    ? `cannot be used now (${reason}): check the server`
    : `does not answer (${reason}): start it`;
  return new Unreachable(cause, `the database ${shown} ${what}, or check ${setting}`);
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
