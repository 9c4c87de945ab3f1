/**
 * Who reads the status page, `/health`, `/metrics` and `/docs`. They show versions and problems, name apps and users by
 * their ids only, and show no key or address. Where only this machine reaches the portal, everybody does. Behind TLS,
 * it takes METRICS_TOKEN or an operator's session. Its cookie alone is enough, since pages are opened without the
 * header: with https it is for this host only. Held by test/portal/readers.test.ts.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { hasOpenSession } from '../domain/access/sessions.ts';
import { Refusal } from '../domain/refusal.ts';
import type { OperationDeps } from '../operations/table/deps.ts';
import { cookieValues, sessionOf } from './server/cookies.ts';

export interface Reading {
  /** Only this machine reaches the portal. */
  readonly isOnlyLocal: boolean;
  /** METRICS_TOKEN. */
  readonly token: string | null;
}

export async function mayRead(
  deps: OperationDeps,
  { isOnlyLocal, token }: Reading,
  ctx: Context,
): Promise<boolean> {
  if (isOnlyLocal || (token !== null && hasToken(ctx, token))) return true;
  const { url } = deps.portal;
  if (!url.startsWith('https:')) return (await sessionOf(deps, ctx)) !== null;
  for (const cookie of cookieValues(ctx, url, 'session')) if (await hasOpenSession(deps, cookie)) return true;
  return false;
}

/** Refuses whoever may not read. */
export function requireReader(deps: OperationDeps, reading: Reading): Middleware {
  return async (ctx, next) => {
    if (await mayRead(deps, reading, ctx)) return next();
    ctx.set('WWW-Authenticate', 'Bearer');
    throw new Refusal(
      'unauthorized',
      'Sign in to the portal first, or send METRICS_TOKEN as a bearer token.',
    );
  };
}

function hasToken(ctx: Context, token: string): boolean {
  const [, sent] = /^Bearer +(\S+)$/i.exec(ctx.req.headers.authorization ?? '') ?? [];
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

/** Of one length, whatever is sent. */
const digest = (text: string) => hash('sha256', text, 'buffer');
