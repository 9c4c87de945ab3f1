/**
 * Restores a backup into a data folder without a database. Erasures since the backup are repeated; challenges, codes
 * and rate-limit windows are dropped; tokens issued before are revoked. All this happens in a draft, which becomes the
 * database at the end, or not at all.
 */

import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type Database from 'better-sqlite3';
import { StoreMisfit } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { BackupFault, type OnProgress, type Restored, type Restoring } from '../../ports/upkeep.ts';
import { knownHere, refuseGapAfter, unknownSince } from '../journal/erasure-reach.ts';
import { fileIdIn, publish, sync } from '../journal/files.ts';
import { lockBriefly } from '../journal/instance-lock.ts';
import { setErasuresReach } from '../sql/keys/meta.ts';
import { WrongMaster } from '../sql/keys/prepare.ts';
import { settleRestored } from '../sql/restored.ts';
import { backupAt, SchemaMisfit, type Subject } from '../sql/schema.ts';
import { SERVICE } from '../sql/scope.ts';
import type { StoreContext } from '../sql/store/context.ts';
import { latestMomentIn } from './examine.ts';
import { requireSchema, withFile } from './examine-reading.ts';
import { isDatabase, knownIn } from './given-erasures.ts';
import type { StoreLocation } from './location.ts';
import { openContext } from './open-store.ts';
import { watched } from './watched.ts';

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
  const [here, given] = [knownHere(erasuresFile), knownIn(request.erasures)];
  const known = [here, given].filter(each => each !== null);
  const draft = `${path}.restoring`;
  const removeDraft = () => {
    for (const end of COMPANIONS) rmSync(draft + end, { force: true });
  };
  removeDraft();
  try {
    const id = await copyBackup(request.backup, draft, request.onProgress);
    const moment = withFile(draft, latestMomentIn);
    if (!request.acceptGap && moment !== null) refuseGapAfter(moment, request.backup, erasuresFile, known);
    const since = moment === null ? null : unknownSince(moment, known);
    const context = await openDraft({ ...location, path: draft }, request.backup, random);
    try {
      const journals = { here: here?.erasures ?? [], given: given?.erasures ?? [] };
      const restored = await settleRestored(context, journals, request);
      // A journal that is given is taken for whole.
      if (since !== null && given === null)
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

/** @returns the id of the draft (journal/files.ts) */
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

const PIECE = 1024 * 1024;

/**
 * Copies a file so that only this user can read the copy, from its first byte on. The system's own copy function would
 * give it the mode of the original. It never writes to an existing file or link, which may belong to another user.
 * Held by test/sqlite/private-copy.test.ts.
 * @returns the id of the copy (journal/files.ts)
 */
export async function copyPrivately(from: string, to: string): Promise<string> {
  const file = await open(to, 'wx', 0o600);
  const id = fileIdIn(await file.stat());
  await pipeline(createReadStream(from, { highWaterMark: PIECE }), file.createWriteStream());
  return id;
}
