/**
 * CORS headers. Every answer names the exact Origin of the request, so that a page can read why it was refused. What
 * the page may do is decided by the checks of the request itself. `null` and malformed Origins get no CORS headers.
 */
import type { Context, Middleware } from 'koa';
import { KEY_HEADER_NAME } from '../brand.ts';
import { isOrigin } from '../domain/origins.ts';
import type { AppRecord, Store } from '../ports/store.ts';

const PREFLIGHT_SECONDS = '7200';

export function cors(store: Store): Middleware {
  return async (ctx, next) => {
    ctx.append('Vary', 'Origin');
    const origin = ctx.get('Origin');
    if (origin === '' || !isOrigin(origin)) return next();
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
    ctx.set('Access-Control-Allow-Headers', `Authorization, Content-Type, ${KEY_HEADER_NAME}`);
    ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    await allowFirstParty(ctx, store);
    ctx.status = 204;
  };
}

/** When the app is unknown: any first-party app may read the answer to a request that its page sent with a cookie. */
export async function allowFirstParty(ctx: Context, store: Store): Promise<void> {
  if ((await store.firstPartyOrigins()).has(ctx.get('Origin')))
    ctx.set('Access-Control-Allow-Credentials', 'true');
}

/** Only first-party apps may send cookies, and only from the origins that they list. */
export function allowCredentials(ctx: Context, app: AppRecord): void {
  if (app.firstParty && app.allowedOrigins.includes(ctx.get('Origin')))
    ctx.set('Access-Control-Allow-Credentials', 'true');
}
