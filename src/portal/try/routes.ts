/**
 * `/try` on the operators' address: a page to enroll and sign in, in test mode. It is on only with DEMO=on, which the
 * settings refuse unless the portal listens on loopback. So people of this machine need no session for the test key of
 * an app: a publishable key is public anyway. Pages elsewhere get neither the key nor any answer; the portal checks
 * Host and Origin (test/portal/rules.test.ts). Held by test/portal/try.test.ts.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { readText } from '../../assets.ts';
import { AUDIENCE, KEY_HEADER_NAME } from '../../brand.ts';
import type { Deps } from '../../domain/deps.ts';
import { Refusal } from '../../domain/refusal.ts';
import { verifyToken } from '../../domain/tokens/user-token.ts';
import { CLI } from '../../typed.ts';
import { VERSION } from '../../version.ts';
import { installed, sendFile } from './files.ts';
import type { GuestKeys } from './guest-keys.ts';

const PAGE = readText('src/portal/try/page/page.html');
/** The name of the app that the first run creates. */
const DEMO_NAME = 'Demo';
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

interface TryOptions {
  readonly deps: Deps;
  readonly guests: GuestKeys;
}

export function addTry(router: Router, { deps, guests }: TryOptions): void {
  router.use('/try', async (ctx, next) => {
    if (!guests.isOn) throw new Refusal('not_found', 'This page is off. Start the service with DEMO=on.');
    isolate(ctx);
    await next();
  });

  router.get('/try', ctx => {
    ctx.set('Content-Security-Policy', policyOf(apiFor(ctx, deps)));
    ctx.set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=()');
    ctx.type = 'html';
    ctx.body = PAGE;
  });

  router.get('/try/setup.json', async ctx => {
    requireOwnPage(ctx);
    const apps = await deps.store.listApps();
    const wanted = ctx.query.app;
    // Default: the demo app, or else the only app. Among several others the operator chooses.
    const app =
      wanted === undefined
        ? (apps.find(({ name }) => name === DEMO_NAME) ?? (apps.length === 1 ? apps[0] : undefined))
        : apps.find(({ id }) => id === wanted);
    ctx.body = {
      apps: apps.map(({ id, name }) => ({ id, name })),
      app: app ? { id: app.id, name: app.name, publishable_key: guests.keyFor(app.id) } : null,
      api: apiFor(ctx, deps),
      issuer: deps.settings.baseUrl,
      threshold: deps.settings.matchThreshold,
      installed: installed(),
      snippets: { version: VERSION, keyHeader: KEY_HEADER_NAME, testAudience: AUDIENCE.test, cli: CLI },
    };
  });

  router.get('/try/verify.json', async ctx => {
    requireOwnPage(ctx);
    const token = BEARER.exec(ctx.get('Authorization'))?.[1];
    const appId = ctx.query.app;
    if (!token || typeof appId !== 'string')
      throw new Refusal(
        'invalid_request',
        'Send the token as "Authorization: Bearer …" and the app ID as ?app=.',
      );
    ctx.body = await verifyToken(deps, { gallery: { appId, mode: 'test' } }, token);
  });

  router.get('/try/*path', ctx => {
    if (!sendFile(ctx, ctx.path.slice('/try/'.length)))
      throw new Refusal('not_found', 'There is no such file.');
  });
}

/** The encoder's threads need isolation. It also keeps other pages from reading or framing this one. */
function isolate(ctx: Context): void {
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Embedder-Policy', 'require-corp');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Referrer-Policy', 'no-referrer');
}

/** Images and scripts of other pages send no Origin, but browsers send Sec-Fetch-Site. */
function requireOwnPage(ctx: Context): void {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '' && site !== 'same-origin' && site !== 'none')
    throw new Refusal('origin_not_allowed', 'Only the page /try may use this address.');
}

/** The API's URL for the browser, which cannot connect to the wildcard address 0.0.0.0 or [::]. */
function apiFor(ctx: Context, { settings }: Pick<Deps, 'settings'>): string {
  const url = new URL(settings.baseUrl);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = ctx.hostname;
  return url.href.replace(/\/$/, '');
}

/** Allows only the page's own scripts and styles, connections to it and the API, and WebAssembly, but no eval. */
function policyOf(api: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval' blob:",
    "worker-src 'self' blob:",
    "style-src 'self'",
    `connect-src 'self' ${new URL(api).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
