/**
 * Step 1 of every request: the credential that the route asks for, then the Origin, from the headers alone. Which rules
 * these are is the domain's; here is only where they stand in a request.
 */
import type { Context } from 'koa';
import { KEY_HEADER } from '../brand.ts';
import type { Client, KeyCaller, UserCaller } from '../domain/caller.ts';
import { authenticate, requireListedOrigin, requireOrigin, warnOfLeak } from '../domain/credentials.ts';
import type { Deps } from '../domain/deps.ts';
import { Refusal } from '../domain/refusal.ts';
import { userByToken } from '../domain/tokens/user-token.ts';
import type { Mode } from '../protocol/mode.ts';
import { allowCredentials } from './cors.ts';
import type { Guard } from './route.ts';
import { sessionsByCookie } from './session-cookie.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

export type Guarded = KeyCaller | UserCaller;

/** @throws Refusal unauthorized, origin_not_allowed, token_revoked, not_found */
export async function guarded(
  deps: Deps,
  guard: Exclude<Guard, 'open'>,
  ctx: Context,
  client: Client,
): Promise<Guarded> {
  try {
    const caller =
      guard === 'publishable' || guard === 'secret'
        ? await byKey(deps, guard, ctx, client)
        : await byToken(deps, guard, ctx, client);
    allowCredentials(ctx, caller.app);
    return caller;
  } catch (thrown) {
    // Only pages send an Origin.
    const isFromPage = thrown instanceof Refusal && ctx.req.headers.origin !== undefined;
    throw isFromPage ? warnOfLeak(thrown, [keyIn(ctx), bearer(ctx)]) : thrown;
  }
}

async function byKey(
  deps: Deps,
  type: 'publishable' | 'secret',
  ctx: Context,
  client: Client,
): Promise<KeyCaller> {
  const key = type === 'publishable' ? keyIn(ctx) : bearer(ctx);
  const credential = await authenticate(deps, type, key);
  note(ctx, credential.app.id, credential.key.mode);
  requireOrigin(credential, ctx.req.headers.origin);
  const { app } = credential;
  return { ...client, app, gallery: { appId: app.id, mode: credential.key.mode }, keyId: credential.key.id };
}

/** A token in the header wins over one in the cookie, which browsers send without being asked. */
async function byToken(
  deps: Deps,
  guard: 'user' | 'session',
  ctx: Context,
  client: Client,
): Promise<UserCaller> {
  if (guard === 'user' || ctx.req.headers.authorization !== undefined) {
    const caller = { ...client, ...(await userByToken(deps, bearer(ctx))) };
    note(ctx, caller.app.id, caller.gallery.mode);
    return caller;
  }
  const [session, ...others] = await sessionsByCookie(deps, ctx);
  note(ctx, session.app.id, session.gallery.mode);
  requireListedOrigin(session.app, ctx.req.headers.origin);
  return { ...client, ...session, alsoPresented: others.map(({ claims }) => claims) };
}

/** For the line of the request in the log. */
function note(ctx: Context, app: string, mode: Mode): void {
  ctx.state.app = app;
  ctx.state.mode = mode;
}

function keyIn(ctx: Context): string | undefined {
  const key = ctx.req.headers[KEY_HEADER];
  return typeof key === 'string' ? key : undefined;
}

function bearer(ctx: Context): string | undefined {
  return BEARER.exec(ctx.req.headers.authorization ?? '')?.[1];
}
