/** What operators do with the data of a service, running or not, and beside the files that ports/upkeep.ts speaks of. */
import { existsSync } from 'node:fs';
import type { Clock, Random } from '../ports/system.ts';
import type { Finding } from '../ports/upkeep.ts';
import type { MailRoute } from './mail/open-mailer.ts';
import { probeMail } from './mail/probe.ts';
import { oldOf } from './secrets/master-secret.ts';
import { isSealedWith } from './sqlite/examine-keys.ts';
import type { StoreLocation } from './sqlite/location.ts';
import { masterIn, openKeyed } from './sqlite/open-store.ts';
import { destroyOld, type Rotated, RotationFault, rotateMaster } from './sqlite/rotation.ts';
import { type Exported, type Exporting, exportApp } from './transfer/export-app.ts';
import { type Imported, type Importing, importApp } from './transfer/import-app.ts';

export interface Upkeep {
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
}

export function createUpkeep(location: StoreLocation, clock: Clock, random: Random): Upkeep {
  return {
    rotateMaster: secret => rotate(location, secret, random),
    destroyOldSecret: () =>
      destroyOld(location, () => isSealedWith(location, oldOf(location.masterSecretFile))),
    exportApp: request => exportApp(location, { ...request, now: clock.now() }, random),
    importApp: request => importApp(location, { ...request, now: clock.now() }, random),
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

/** Whether messages could be sent, for `doctor`. */
export async function examineMail(mail: MailRoute | null): Promise<Finding> {
  if (!mail) return { ok: true, detail: 'MAIL_URL is not set: there are no email codes' };
  const where = mail.kind === 'file' ? mail.folder : new URL(mail.url).host;
  try {
    await probeMail(mail);
    return { ok: true, detail: `${mail.kind}, ${where}` };
  } catch (error) {
    return { ok: false, detail: `${where}: ${(error as Error).message}` };
  }
}
