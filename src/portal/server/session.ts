/** Whose session a request has: the cookie and the header together. Neither alone is a session. */
import type { Context } from 'koa';
import { PORTAL_HEADER_NAME } from '../../brand.ts';
import { signedInBy } from '../../domain/access/sessions.ts';
import type { OperationDeps } from '../../operations/table/deps.ts';
import type { SignedInOperator } from '../../ports/store/operators.ts';
import { cookieValues } from './cookies.ts';

const HEADER = PORTAL_HEADER_NAME.toLowerCase();

export async function sessionOf(deps: OperationDeps, ctx: Context): Promise<SignedInOperator | null> {
  const secret = ctx.req.headers[HEADER];
  if (typeof secret !== 'string') return null;
  for (const cookie of cookieValues(ctx, deps.portal.url, 'session')) {
    const signedIn = await signedInBy(deps, cookie, secret);
    if (signedIn) return signedIn;
  }
  return null;
}
