/**
 * Chooses how messages go out, loads no more than that takes, and logs that they did: how, and what went wrong by its code alone. Texts of mail servers
 * repeat addresses, so they are never logged.
 */
import type { Mailer } from '../../ports/mailer.ts';
import { fileMailer } from './file.ts';

export type MailRoute =
  | { readonly kind: 'smtp'; readonly url: string }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'file'; readonly folder: string };

export interface MailLog {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
}

/** @param from sender of every message */
export async function openMailer(route: MailRoute, from: string, log: MailLog): Promise<Mailer> {
  const sent = (detail: object) => log.info({ by: route.kind, ...detail }, 'mail sent');
  const mailer =
    route.kind === 'smtp'
      ? (await import('./smtp.ts')).smtpMailer(route.url, from)
      : route.kind === 'http'
        ? (await import('./http.ts')).httpMailer(route.url, from)
        : fileMailer(route.folder, from, file => sent({ file }));
  return {
    async send(message, signal) {
      try {
        await mailer.send(message, signal);
      } catch (error) {
        log.warn({ by: route.kind, cause: codeOf(error) }, 'mail failed');
        throw error;
      }
      if (route.kind !== 'file') sent({});
    },
    close: mailer.close,
  };
}

function codeOf(error: unknown): string {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return [name, code, responseCode].filter(Boolean).join(' ');
}
