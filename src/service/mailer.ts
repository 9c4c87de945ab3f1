/** The way that messages go out, by the settings. */
import type { Logger } from 'pino';
import { type MailEnd, openMailer } from '../adapters/mail/open-mailer.ts';
import type { Config } from '../config.ts';
import type { Mailer } from '../ports/mailer.ts';
import { makeFolder } from '../settings/folder.ts';
import { MAIL_FOLDER_EXAMPLE } from '../settings/mail.ts';

/** Null: there is none. @param onEnd is told what became of each message */
export async function mailerOf(
  { mail, mailFrom, baseUrl }: Config,
  log: Logger,
  onEnd: (end: MailEnd) => void,
): Promise<Mailer | null> {
  if (!mail) return null;
  if (mail.kind === 'file') makeFolder('MAIL_URL', mail.folder, MAIL_FOLDER_EXAMPLE);
  const host = baseUrl ? new URL(baseUrl).hostname : '';
  const domain = /[a-z]/.test(host) && !host.includes(':') ? host : 'localhost';
  return openMailer(mail, mailFrom ?? `no-reply@${domain}`, log, onEnd);
}
