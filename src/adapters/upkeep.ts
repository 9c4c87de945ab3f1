/** Maintenance that is not about the database file alone (that is ports/upkeep.ts). A server may run meanwhile. */
import { existsSync } from 'node:fs';
import type { Random } from '../ports/system.ts';
import type { Finding } from '../ports/upkeep.ts';
import type { MailRoute } from './mail/open-mailer.ts';
import { probeMail } from './mail/probe.ts';
import { masterIn } from './secrets/master-secret.ts';
import { checkValue } from './sql/keys/meta.ts';
import { withSql } from './sqlite/examine-reading.ts';
import type { StoreLocation } from './sqlite/location.ts';
import { openKeyed } from './sqlite/open-store.ts';
import { destroyOld, type Rotated, RotationFault, rotateMaster, rotatingIn } from './sqlite/rotation.ts';

export interface Upkeep {
  /**
   * Replaces the master secret.
   * @param secret the new one; null: a random one
   * @throws Error with the reason; nothing has changed then
   */
  rotateMaster(secret: Buffer | null): Promise<Rotated>;
  /** Destroys the secret before the last rotation. @returns its file. @throws Error with the reason */
  destroyOldSecret(): Promise<string>;
}

export function createUpkeep(location: StoreLocation, random: Random): Upkeep {
  return {
    rotateMaster: secret => rotate(location, secret, random),
    destroyOldSecret: () =>
      destroyOld(
        location.masterSecretFile,
        location.path,
        async old =>
          existsSync(location.path) &&
          masterIn(old)?.checkValue === (await withSql(location.path, checkValue)),
      ),
  };
}

async function rotate(location: StoreLocation, secret: Buffer | null, random: Random): Promise<Rotated> {
  if (!existsSync(location.path))
    throw new RotationFault(`there is no database ${location.path} yet: check DATA_DIR`);
  const { driver, master } = await openKeyed(location, random);
  try {
    return await rotateMaster(rotatingIn(location), driver, master, secret, random);
  } finally {
    await driver.close();
  }
}

/** For `doctor`: checks whether messages can be sent. */
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
