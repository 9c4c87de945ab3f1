/**
 * The checks that every request passes, in their order: (1) credential and Origin, from the headers alone, (2) request
 * limits, (3) reading the body, (4) its validation. From step 4b on (the encoder) the route's own domain function goes on.
 */
import type { Context, Middleware } from 'koa';
import * as v from 'valibot';
import { SESSION_COOKIE } from '../brand.ts';
import type { Client } from '../domain/caller.ts';
import type { Deps } from '../domain/deps.ts';
import { limitCodeAddress } from '../domain/limits/code-limits.ts';
import { limitAddress, limitSecretKey, limitUser } from '../domain/limits/request-limits.ts';
import { Refusal } from '../domain/refusal.ts';
import { faultText } from '../protocol/bodies.ts';
import { TOKEN_LIFETIME_SECONDS } from '../protocol/limits.ts';
import { readBytes, readJson } from './body.ts';
import { clientOf } from './client-address.ts';
import { type Guarded, guarded } from './guard.ts';
import type { Reply } from './reply.ts';
import type { Limit, Route } from './route.ts';

export function pipeline(deps: Deps, route: Route): Middleware {
  const { body: schema } = route;
  const limits = [route.limit ?? []].flat();
  return async ctx => {
    const client = clientOf(ctx);
    const caller = route.guard === 'open' ? undefined : await guarded(deps, route.guard, ctx, client); // 1
    for (const limit of limits) await limitRequest(deps, limit, client, caller); // 2
    const sent = schema ? await readJson(ctx, route.bytes) : await readBytes(ctx, route.bytes); // 3
    const body = schema ? validated(schema, sent) : undefined; // 4
    const query = route.query ? validated(route.query, ctx.query) : undefined;
    // The types were checked where the route was made; here only their erased form is known.
    send(ctx, await route.handle({ deps, caller, body, query, params: ctx.params } as never), caller);
  };
}

/** Takes the request from its limit. @throws Refusal rate_limited */
async function limitRequest(
  deps: Deps,
  limit: Limit,
  client: Client,
  caller: Guarded | undefined,
): Promise<void> {
  if (limit === 'address') limitAddress(deps, client);
  if (limit === 'secret-key' && caller && 'keyId' in caller) limitSecretKey(deps, caller.keyId);
  if (limit === 'user' && caller && 'user' in caller) limitUser(deps, caller.user.id);
  if (limit === 'code-requests') await limitCodeAddress(deps, client, 'requests');
  if (limit === 'code-verifies') await limitCodeAddress(deps, client, 'verifies');
}

function validated(schema: v.GenericSchema, input: object): unknown {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (!result.success) throw new Refusal('invalid_request', faultText(result.issues));
  return result.output;
}

function send(ctx: Context, reply: Reply, caller: Guarded | undefined): void {
  ctx.status = reply.status;
  ctx.body = reply.body;
  if (reply.cacheControl) ctx.set('Cache-Control', reply.cacheControl);
  if (!caller?.app.firstParty) return;
  if (reply.session) setSession(ctx, reply.session, TOKEN_LIFETIME_SECONDS);
  if (reply.endsSession) setSession(ctx, '', 0);
}

function setSession(ctx: Context, token: string, seconds: number): void {
  ctx.append(
    'Set-Cookie',
    `${SESSION_COOKIE}=${token}; Max-Age=${seconds}; Path=/v1; HttpOnly; Secure; SameSite=Lax`,
  );
}
