/** Creates the mailer for the settings. */
import { adviceOn, codesOf } from '../adapters/mail/faults.ts';
import { type MailLog, type MailRoute, openMailer } from '../adapters/mail/open-mailer.ts';
import type { Config } from '../config.ts';
import type { MailEnd, Mailer } from '../ports/mailer.ts';
import { makeFolder } from '../settings/folder.ts';
import { MAIL_FOLDER_EXAMPLE } from '../settings/mail.ts';

/** Without another name, this machine greets mail servers with the host of BASE_URL, if that is a name. */
export function mailRouteOf({ mail, baseUrl }: Pick<Config, 'mail' | 'baseUrl'>): MailRoute | null {
  const name = hostNameOf(baseUrl);
  return mail?.kind === 'smtp' && name !== null ? { name, ...mail } : mail;
}

/** Null: it has none, only an address in numbers. */
function hostNameOf(baseUrl: string | null): string | null {
  const host = baseUrl === null ? '' : new URL(baseUrl).hostname;
  return /[a-z]/.test(host) && !host.includes(':') ? host : null;
}

/** @param onEnd gets the outcome of each message. @returns null if no mail is set up */
export async function mailerOf(
  config: Config,
  log: MailLog,
  onEnd: (end: MailEnd) => void,
): Promise<Mailer | null> {
  const mail = mailRouteOf(config);
  if (!mail) return null;
  if (mail.kind === 'file') makeFolder('MAIL_URL', mail.folder, MAIL_FOLDER_EXAMPLE);
  const from = config.mailFrom ?? `no-reply@${hostNameOf(config.baseUrl) ?? 'localhost'}`;
  return openMailer(mail, from, log, onEnd);
}

const TIMEOUT_MS = 15_000;
const TEST_SUBJECT = 'Test message from your sign-in service';
const TEST_TEXT =
  'This message was sent by "mail test". If you can read it, codes for signing in can be delivered to this address.\n';

/** @returns null if the message was accepted; otherwise the fault, without addresses and secrets */
export async function sendTestMail(config: Config, to: string): Promise<string | null> {
  const silent = { info: () => undefined, warn: () => undefined };
  const mailer = await mailerOf(config, silent, () => undefined);
  if (!mailer)
    return 'MAIL_URL is not set: set it to your mail server, for example MAIL_URL=smtps://USER:PASSWORD@mail.example:465';
  try {
    await mailer.send({ to, subject: TEST_SUBJECT, text: TEST_TEXT }, AbortSignal.timeout(TIMEOUT_MS));
    return null;
  } catch (error) {
    return adviceOn(error) ?? `the message was not sent: ${codesOf(error)}`;
  } finally {
    mailer.close();
  }
}
