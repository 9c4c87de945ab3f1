/** The way that messages go out, by the settings. */
import { adviceOn, codesOf } from '../adapters/mail/faults.ts';
import { type MailEnd, type MailLog, openMailer } from '../adapters/mail/open-mailer.ts';
import type { Config } from '../config.ts';
import type { Mailer } from '../ports/mailer.ts';
import { makeFolder } from '../settings/folder.ts';
import { MAIL_FOLDER_EXAMPLE } from '../settings/mail.ts';

/** Null: there is none. @param onEnd is told what became of each message */
export async function mailerOf(
  { mail, mailFrom, baseUrl }: Config,
  log: MailLog,
  onEnd: (end: MailEnd) => void,
): Promise<Mailer | null> {
  if (!mail) return null;
  if (mail.kind === 'file') makeFolder('MAIL_URL', mail.folder, MAIL_FOLDER_EXAMPLE);
  const host = baseUrl ? new URL(baseUrl).hostname : '';
  const domain = /[a-z]/.test(host) && !host.includes(':') ? host : 'localhost';
  return openMailer(mail, mailFrom ?? `no-reply@${domain}`, log, onEnd);
}

const PATIENCE_MS = 15_000;
const TEST_SUBJECT = 'Test message from your sign-in service';
const TEST_TEXT =
  'This message was sent by "mail test". If you can read it, codes for signing in can be delivered to this address.\n';

/** Sends one message by the settings. @returns null when it was handed over; else what happened, without an address or secret */
export async function sendTestMail(config: Config, to: string): Promise<string | null> {
  const silent = { info: () => undefined, warn: () => undefined };
  const mailer = await mailerOf(config, silent, () => undefined);
  if (!mailer)
    return 'MAIL_URL is not set: set it to how mail goes out, for example MAIL_URL=smtps://USER:PASSWORD@mail.example:465';
  try {
    await mailer.send({ to, subject: TEST_SUBJECT, text: TEST_TEXT }, AbortSignal.timeout(PATIENCE_MS));
    return null;
  } catch (error) {
    return adviceOn(error) ?? `the message was not sent: ${codesOf(error)}`;
  } finally {
    mailer.close();
  }
}
