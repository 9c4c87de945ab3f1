/** Asks a mail route whether it would take messages, without sending one. What a server answers is not repeated. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { adviceOn } from './faults.ts';
import type { MailRoute } from './open-mailer.ts';

const PATIENCE_MS = 5_000;

/** @throws Error saying what is wrong, when it would not */
export async function probeMail(route: MailRoute): Promise<void> {
  if (route.kind === 'smtp') await greet(route.url, route.requireTls);
  else if (route.kind === 'http') await reach(route.url);
  else requireFolder(route.folder);
}

/** Connects, and logs in where the address has a user. */
async function greet(url: string, requireTls: boolean): Promise<void> {
  const patience = {
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, requireTLS: requireTls, ...patience });
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(adviceOn(error) ?? `the mail server did not accept the connection: ${codeOf(error)}`);
  } finally {
    transport.close();
  }
}

/** Any answer will do: what it would say to a message is known only by sending one. */
async function reach(address: string): Promise<void> {
  const { request } = await import('undici');
  const url = new URL(address);
  url.username = '';
  url.password = '';
  try {
    const { body } = await request(url, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE_MS) });
    await body.dump();
  } catch (error) {
    throw new Error(adviceOn(error) ?? `the endpoint does not answer: ${codeOf(error)}`);
  }
}

/** It is made with the first start, so what is asked for is that it can be. */
function requireFolder(folder: string): void {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`the folder cannot be written: ${codeOf(error)}`);
  }
  if (!statSync(there).isDirectory()) throw new Error(`a file is in the way: ${there}`);
}

function codeOf(error: unknown): string {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return [code ?? name, responseCode].filter(Boolean).join(' ');
}
