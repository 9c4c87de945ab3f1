/**
 * The cookies of the portal: its session, and the one that binds a passkey's challenge to a browser. Behind https their
 * names begin with `__Host-`, so that no other host and no unencrypted page can set them. Cookies of localhost go to
 * every port, and any page there can set one of the same name; so all values of a name count.
 * Held by test/portal/internal/cookies.test.ts.
 */
import type { Context } from 'koa';
import { PORTAL_COOKIE, PORTAL_HEADER_NAME } from '../../brand.ts';
import { signedInBy } from '../../domain/access/sessions.ts';
import { cookieValues as valuesOf } from '../../http/guards.ts';
import type { OperationDeps } from '../../operations/table/deps.ts';
import type { SignedInOperator } from '../../ports/store/operators.ts';

/** More than a browser has by itself. */
const MOST_VALUES = 5;
const SESSION_SECONDS = 12 * 3_600;
const CEREMONY_SECONDS = 300;

type PortalCookie = 'session' | 'browser';

/** @param url PORTAL_URL */
export function cookieName(url: string, cookie: PortalCookie): string {
  const name = cookie === 'session' ? PORTAL_COOKIE : `${PORTAL_COOKIE}_challenge`;
  return isSecure(url) ? `__Host-${name}` : name;
}

/** All values that the request has for the cookie, without empty ones. */
export function cookieValues(ctx: Context, url: string, cookie: PortalCookie): string[] {
  return valuesOf(ctx.req.headers.cookie, cookieName(url, cookie))
    .filter(value => value !== '')
    .slice(0, MOST_VALUES);
}

/** @param value null: clears the cookie */
export function setCookie(ctx: Context, url: string, cookie: PortalCookie, value: string | null): void {
  const seconds = cookie === 'session' ? SESSION_SECONDS : CEREMONY_SECONDS;
  const parts = [
    `${cookieName(url, cookie)}=${value ?? ''}`,
    `Max-Age=${value === null ? 0 : seconds}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
  ];
  if (isSecure(url)) parts.push('Secure');
  ctx.append('Set-Cookie', parts.join('; '));
}

const isSecure = (url: string) => url.startsWith('https:');

const HEADER = PORTAL_HEADER_NAME.toLowerCase();

/** Whose session a request has: the cookie and the header together. Neither alone is a session. */
export async function sessionOf(deps: OperationDeps, ctx: Context): Promise<SignedInOperator | null> {
  const secret = ctx.req.headers[HEADER];
  if (typeof secret !== 'string') return null;
  for (const cookie of cookieValues(ctx, deps.portal.url, 'session')) {
    const signedIn = await signedInBy(deps, cookie, secret);
    if (signedIn) return signedIn;
  }
  return null;
}
