/** What operators do with the data of a service, running or not: back it up, put it back, look at it. */
import { rmSync } from 'node:fs';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { MailRoute } from './mail/open-mailer.ts';
import { probeMail } from './mail/probe.ts';
import { backUp, draftOf } from './sql/backup.ts';
import {
  examineDatabase,
  examineSecret,
  type Finding,
  latestMoment,
  type Trace,
  traceOf,
} from './sql/examine.ts';
import type { StoreLocation } from './sql/open-store.ts';
import { type Restored, type Restoring, restore } from './sql/restore.ts';
import type { Tell } from './sql/watched.ts';

export interface Examination {
  readonly database: Finding;
  readonly secret: Finding;
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
    trace: id => traceOf(location, id),
    examine: async () => ({
      database: examineDatabase(location),
      secret: examineSecret(location),
      mail: await examineMail(mail),
      latest: latestMoment(location),
      now: clock.now(),
    }),
  };
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
