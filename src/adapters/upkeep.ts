/** What operators do with the data of a service, running or not: back it up, put it back, look at it. */
import { existsSync, rmSync } from 'node:fs';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { MailRoute } from './mail/open-mailer.ts';
import { probeMail } from './mail/probe.ts';
import { oldOf } from './secrets/master-secret.ts';
import { backUp, draftOf } from './sqlite/backup.ts';
import { examineDatabase, latestMoment, type Trace, traceOf } from './sqlite/examine.ts';
import { examineDataKeys, examineOldSecret, examineSecret, isSealedWith } from './sqlite/examine-keys.ts';
import type { Finding } from './sqlite/examine-reading.ts';
import { examineSealed } from './sqlite/examine-sealed.ts';
import type { StoreLocation } from './sqlite/location.ts';
import { masterIn, openKeyed } from './sqlite/open-store.ts';
import { type Restored, type Restoring, restore } from './sqlite/restore.ts';
import { destroyOld, type Rotated, RotationFault, rotateMaster } from './sqlite/rotation.ts';
import type { Tell } from './sqlite/watched.ts';
import { type Exported, type Exporting, exportApp } from './transfer/export-app.ts';
import { type Imported, type Importing, importApp } from './transfer/import-app.ts';

export interface Examination {
  readonly database: Finding;
  readonly secret: Finding;
  /** Null: no secret from before a rotation lies there. */
  readonly oldSecret: Finding | null;
  readonly dataKeys: Finding;
  readonly sealed: Finding;
  readonly mail: Finding;
  /** The latest moment that the service has stored, in milliseconds since the epoch. */
  readonly latest: number | null;
  readonly now: number;
}

export interface Upkeep {
  /** @returns the size in bytes. @throws Error naming the file and the mend; then there is no file */
  backUp(file: string, tell: Tell): Promise<number>;
  /** Removes what a backup that is to be interrupted has written. */
  dropDraft(file: string): void;
  /** @throws Error naming the file and the mend; then nothing has changed */
  restore(files: Omit<Restoring, 'now'>): Promise<Restored>;
  /**
   * Replaces the master secret.
   * @param secret the new one; null: a random one
   * @throws Error saying why; then nothing has changed
   */
  rotateMaster(secret: Buffer | null): Promise<Rotated>;
  /** Destroys the secret from before the last rotation. @returns its file. @throws Error saying why not */
  destroyOldSecret(): string;
  /** Writes an app into a file for another deployment. @throws Error saying why; then there is no file */
  exportApp(request: Omit<Exporting, 'now'>): Promise<Exported>;
  /** Takes an app in. @throws Error saying why; then nothing of it is here */
  importApp(request: Omit<Importing, 'now'>): Promise<Imported>;
  /** Looks at everything outside the program that it needs, and changes nothing. */
  examine(): Promise<Examination>;
  /** What is known of a user who may be erased. @throws Error when database or secret cannot be used */
  trace(id: string): Trace;
}

export function createUpkeep(
  location: StoreLocation,
  mail: MailRoute | null,
  clock: Clock,
  random: Random,
): Upkeep {
  return {
    backUp: (file, tell) => backUp(location.path, file, tell),
    dropDraft: file => rmSync(draftOf(file), { force: true }),
    restore: files => restore(location, { ...files, now: clock.now() }, random),
    rotateMaster: secret => rotate(location, secret, random),
    destroyOldSecret: () =>
      destroyOld(location, () => isSealedWith(location, oldOf(location.masterSecretFile))),
    exportApp: request => exportApp(location, { ...request, now: clock.now() }, random),
    importApp: request => importApp(location, { ...request, now: clock.now() }, random),
    trace: id => traceOf(location, id),
    examine: async () => ({
      database: examineDatabase(location),
      secret: examineSecret(location),
      oldSecret: examineOldSecret(location),
      dataKeys: examineDataKeys(location),
      sealed: examineSealed(location),
      mail: await examineMail(mail),
      latest: latestMoment(location),
      now: clock.now(),
    }),
  };
}

async function rotate(location: StoreLocation, secret: Buffer | null, random: Random): Promise<Rotated> {
  if (!existsSync(location.path))
    throw new RotationFault(`there is no database ${location.path} yet: check DATA_DIR`);
  const { driver, master } = await openKeyed(location, random);
  try {
    return await rotateMaster(location, driver, master, secret, random, masterIn);
  } finally {
    await driver.close();
  }
}

async function examineMail(mail: MailRoute | null): Promise<Finding> {
  if (!mail) return { ok: true, detail: 'MAIL_URL is not set: there are no email codes' };
  const where = mail.kind === 'file' ? mail.folder : new URL(mail.url).host;
  try {
    await probeMail(mail);
    return { ok: true, detail: `${mail.kind}, ${where}` };
  } catch (error) {
    return { ok: false, detail: `${where}: ${(error as Error).message}` };
  }
}
