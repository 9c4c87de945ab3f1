/**
 * Creates the mailer for a route, loads only its modules, and logs the outcome of each message. Failures are logged by
 * code only, because messages of mail servers contain addresses.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailEnd, Mailer } from '../../ports/mailer.ts';
import { codesOf, tlsAdviceOn } from './faults.ts';
import type { SmtpRoute } from './smtp.ts';

export type MailRoute =
  | SmtpRoute
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'file'; readonly folder: string };

export interface MailLog {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
}

const MS = 1_000;

/** @param from sender of every message. @param onEnd gets the outcome of each */
export async function openMailer(
  route: MailRoute,
  from: string,
  log: MailLog,
  onEnd: (end: MailEnd) => void = () => undefined,
): Promise<Mailer> {
  const sent = (detail: object) => log.info({ by: route.kind, ...detail }, 'mail sent');
  const mailer =
    route.kind === 'smtp'
      ? (await import('./smtp.ts')).smtpMailer(route, from)
      : route.kind === 'http'
        ? (await import('./http.ts')).httpMailer(route.url, from)
        : fileMailer(route.folder, from, file => sent({ file }));
  return {
    async send(message, signal) {
      const began = performance.now();
      const end = (isSent: boolean, isOfMessage: boolean) =>
        onEnd({ isSent, isOfMessage, seconds: (performance.now() - began) / MS });
      try {
        await mailer.send(message, signal);
      } catch (error) {
        const advice = tlsAdviceOn(error);
        log.warn({ by: route.kind, cause: codesOf(error), ...(advice && { advice }) }, 'mail failed');
        end(false, isOfMessage(error));
        throw error;
      }
      end(true, false);
      if (route.kind !== 'file') sent({});
    },
    close: mailer.close,
  };
}

/** Whether the server refused this recipient, or the endpoint this body: then mail in general works. */
function isOfMessage(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  if (code === 'EENVELOPE') return command === 'RCPT TO';
  return code === 'EMESSAGE' || (code === undefined && (responseCode === 400 || responseCode === 422));
}

/**
 * For development: writes each message to a JSON file. Names sort by time; a file appears when it is complete.
 * @param onWritten gets the name of each file
 */
function fileMailer(folder: string, from: string, onWritten: (file: string) => void): Mailer {
  let count = 0;
  return {
    async send({ to, subject, text }) {
      const time = new Date().toISOString().replaceAll(':', '-');
      const number = String(count++).padStart(6, '0');
      const file = `${time}-${number}-${randomBytes(4).toString('hex')}.json`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${file}.part`);
      const message = `${JSON.stringify({ from, to, subject, text }, null, 2)}\n`;
      await writeFile(draft, message, { flag: 'wx', mode: 0o600 });
      await rename(draft, join(folder, file));
      onWritten(file);
    },
    close: () => undefined,
  };
}
