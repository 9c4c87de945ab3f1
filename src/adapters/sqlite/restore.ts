/**
 * Restores a backup into a data folder without a database. Erasures since the backup are repeated; challenges, codes
 * and rate-limit windows are dropped; tokens issued before are revoked. All this happens in a draft, which becomes the
 * database at the end, or not at all.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { StoreMisfit } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import type { OnProgress, Restored, Restoring } from '../../ports/upkeep.ts';
import { utcDay } from '../../protocol/time.ts';
import { setErasuresReach } from '../sql/keys/meta.ts';
import { WrongMaster } from '../sql/keys/prepare.ts';
import { settleRestored } from '../sql/restored.ts';
import { backupAt, SchemaMisfit, type Subject } from '../sql/schema.ts';
import { SERVICE } from '../sql/scope.ts';
import type { StoreContext } from '../sql/store/context.ts';
import type { Erasure } from '../sql/store/journal.ts';
import { BackupFault, publish } from './backup.ts';
import { readErasures } from './erasure-journal.ts';
import {
  gapAfter,
  type Known,
  knownHere,
  knownInBackup,
  knownInJournal,
  unknownSince,
} from './erasure-reach.ts';
import { latestMomentIn } from './examine.ts';
import { requireSchema, withFile } from './examine-reading.ts';
import { lockBriefly } from './instance-lock.ts';
import type { StoreLocation } from './location.ts';
import { openContext } from './open-store.ts';
import { copyPrivately } from './private-copy.ts';
import { sync } from './sync.ts';
import { withCopy } from './unchanged.ts';
import { watched } from './watched.ts';

const DATABASE_HEAD = 'SQLite format 3\0';
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/** @throws BackupFault, StoreMisfit; then nothing has changed */
export async function restore(
  location: StoreLocation,
  request: Restoring,
  random: Random,
): Promise<Restored> {
  const release = lockOut(location.path);
  try {
    refuseFolder(location);
    return await restoreLocked(location, request, random);
  } finally {
    release();
  }
}

/**
 * Two restores would share the draft: one could publish it before the other has erased anybody. A server would take the
 * missing database for a first start. So it is the lock of a server (service/instance.ts).
 */
function lockOut(path: string): () => void {
  const release = lockBriefly(`${path}.lock`);
  if (release) return release;
  throw new BackupFault(
    `a server or another restore uses ${path}: stop the server, or wait until the restore has ended`,
  );
}

/** @throws BackupFault */
function refuseFolder({ path, erasuresFile, masterSecret, masterSecretFile }: StoreLocation): void {
  for (const end of COMPANIONS) {
    if (existsSync(path + end))
      throw new BackupFault(
        `${path + end} exists: restore needs a folder without a database; move its files away, but leave ${erasuresFile} if there is one`,
      );
  }
  if (!masterSecret && !existsSync(masterSecretFile))
    throw new BackupFault(
      `the backup needs its master secret: put it into ${masterSecretFile} or set MASTER_SECRET`,
    );
}

async function restoreLocked(location: StoreLocation, request: Restoring, random: Random): Promise<Restored> {
  const { path, erasuresFile } = location;
  const journals = { here: readErasures(erasuresFile), given: erasuresIn(request.erasures) };
  const draft = `${path}.restoring`;
  const removeDraft = () => {
    for (const end of COMPANIONS) rmSync(draft + end, { force: true });
  };
  removeDraft();
  try {
    const id = await copyBackup(request.backup, draft, request.onProgress);
    const moment = withFile(draft, latestMomentIn);
    if (!request.acceptGap && moment !== null)
      refuseGapAfter(moment, request.backup, location.erasuresFile, request);
    const known = knownOf(location.erasuresFile, request.erasures);
    const since = moment === null ? null : unknownSince(moment, known);
    const context = await openDraft({ ...location, path: draft }, request.backup, random);
    try {
      const restored = await settleRestored(context, journals, request);
      // A journal that is given is taken for whole.
      if (since !== null && request.erasures === null)
        await context.driver.write(SERVICE, sql => setErasuresReach(sql, request.now));
      request.onProgress('rebuilding', 0);
      await context.writeJournal();
      await context.driver.file?.compact();
      await context.driver.close();
      sync(draft);
      publish(draft, path, id);
      return { ...restored, erasuresUnknownSince: since };
    } finally {
      await context.driver.close();
    }
  } finally {
    removeDraft();
  }
}

/** @param what the database, as messages name it. @throws BackupFault if not all erasures since the moment are known */
export function refuseGapAfter(
  moment: number,
  what: string,
  erasuresFile: string,
  request: Pick<Restoring, 'erasures'>,
): void {
  const known = knownOf(erasuresFile, request.erasures);
  if (known.length === 0)
    throw new BackupFault(
      `there is no journal of erasures ${erasuresFile}, so erasures since ${new Date(moment).toISOString()}, when ${what} was made, cannot be known: copy the journal there, name it with --erasures, or use --accept-gap to let erased users come back`,
    );
  const from = gapAfter(moment, known);
  if (from === null) return;
  throw new BackupFault(
    `${what} is from ${utcDay(moment)}, but erasures are known only from ${utcDay(from)} on: users erased in between would come back. Use --erasures with a journal or backup that knows them, or a newer backup, or --accept-gap to restore anyway`,
  );
}

const knownOf = (here: string, given: string | null) =>
  [knownHere(here), knownIn(given)].filter(each => each !== null);

function knownIn(file: string | null): Known | null {
  if (file === null) return null;
  return isDatabase(file) ? knownInBackup(file) : knownInJournal(file);
}

/** @throws StoreMisfit saying which master secret a backup needs */
async function openDraft(draft: StoreLocation, backup: string, random: Random): Promise<StoreContext> {
  try {
    // An interrupted rotation is finished with the database itself, not with a draft.
    return await openContext(draft, random, { settle: false });
  } catch (error) {
    if (!(error instanceof WrongMaster)) throw error;
    throw new StoreMisfit(
      `${backup} was made with another master secret: a backup from before a rotation needs the secret of that time, so put it into ${draft.masterSecretFile} or set MASTER_SECRET`,
    );
  }
}

/** @returns the id of the draft (file-id.ts) */
async function copyBackup(
  backup: string,
  draft: string,
  onProgress: Restoring['onProgress'],
): Promise<string> {
  if (!existsSync(backup)) throw new BackupFault(`there is no backup ${backup}: check the path`);
  if (!isDatabase(backup)) throw new BackupFault(`${backup} is not a backup: choose a file made by "backup"`);
  const copying: OnProgress = (done, total) => onProgress('copying', done, total);
  const id = await watched(copyPrivately(backup, draft), draft, statSync(backup).size, copying);
  onProgress('checking', 0);
  const damage = withFile(draft, copy => damageOf(copy, backupAt(backup)));
  if (damage !== null) throw new BackupFault(`${backup} is damaged (${damage}): use another backup`);
  return id;
}

/** The schema first: in a foreign one, the check would evaluate what the file says. @throws SchemaMisfit */
function damageOf(database: Database.Database, subject: Subject): string | null {
  try {
    requireSchema(database, subject);
    return database.pragma('integrity_check', { simple: true }) === 'ok' ? null : 'integrity_check';
  } catch (error) {
    if (error instanceof SchemaMisfit) throw error;
    return (error as Error).message;
  }
}

/** Reads the erasures from a journal or from another backup. */
export function erasuresIn(file: string | null): Erasure[] {
  if (file === null) return [];
  if (!existsSync(file)) throw new BackupFault(`there is no journal of erasures ${file}: check the path`);
  if (isDatabase(file)) return storedIn(file);
  const erasures = readErasures(file);
  if (erasures.length === 0 && readFileSync(file, 'utf8').trim() !== '')
    throw new BackupFault(`${file} is not a journal of erasures: choose an erasures.jsonl or a backup`);
  return erasures;
}

function storedIn(file: string): Erasure[] {
  return withCopy(file, database => {
    requireSchema(database, backupAt(file), true);
    return database.prepare<[], Erasure>('SELECT hash, erased_at AS at FROM erasures').all();
  });
}

function isDatabase(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(DATABASE_HEAD.length);
    readSync(handle, head, 0, head.length, 0);
    return head.toString('latin1') === DATABASE_HEAD;
  } finally {
    closeSync(handle);
  }
}
