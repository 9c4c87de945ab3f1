/** Checks whether mail can be sent, without sending a message. Server messages are not repeated. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from '../../ports/upkeep.ts';
import { adviceOn } from './faults.ts';
import type { MailRoute } from './open-mailer.ts';
import type { SmtpRoute } from './smtp.ts';

const TIMEOUT_MS = 5_000;

/** For `doctor`. */
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

/** @throws Error that says what is wrong */
export async function probeMail(route: MailRoute): Promise<void> {
  if (route.kind === 'smtp') await logIn(route);
  else if (route.kind === 'http') await reach(route.url);
  else requireFolder(route.folder);
}

/** Connects, and logs in if the address has a user. */
async function logIn({ url, requireTls, name }: SmtpRoute): Promise<void> {
  const timeouts = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    requireTLS: requireTls,
    ...(name !== undefined && { name }),
    ...timeouts,
  });
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(adviceOn(error) ?? `the mail server did not accept the connection: ${codeOf(error)}`);
  } finally {
    transport.close();
  }
}

/** Any response is good: only a real message would show whether the endpoint accepts messages. */
async function reach(address: string): Promise<void> {
  const { request } = await import('undici');
  const url = new URL(address);
  url.username = '';
  url.password = '';
  try {
    const { body } = await request(url, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await body.dump();
  } catch (error) {
    throw new Error(adviceOn(error) ?? `the endpoint does not respond: ${codeOf(error)}`);
  }
}

/** The first start creates the folder, so it is enough that it can be created. */
function requireFolder(folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`the folder cannot be written: ${codeOf(error)}`);
  }
  if (!statSync(existing).isDirectory()) throw new Error(`a file is in the way: ${existing}`);
}

function codeOf(error: unknown): string {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return [code ?? name, responseCode].filter(Boolean).join(' ');
}
