/**
 * The checks that every request passes, in their order: (1) credential and Origin, from the headers alone, (2) request
 * limits, (3) reading the body, (4) its validation. From step 5 on the route's own domain function goes on.
 */
import type { Context, Middleware } from 'koa';
import * as v from 'valibot';
import { KEY_HEADER, SESSION_COOKIE } from '../brand.ts';
import type { Caller, Client } from '../domain/caller.ts';
import { authenticate, requireOrigin } from '../domain/credentials.ts';
import type { Deps } from '../domain/deps.ts';
import { limitAddress, limitSecretKey } from '../domain/limits/request-limits.ts';
import { Refusal } from '../domain/refusal.ts';
import { faultText } from '../protocol/bodies.ts';
import { TOKEN_LIFETIME_SECONDS } from '../protocol/limits.ts';
import { bodySkipper, jsonReader } from './body.ts';
import { clientOf } from './client-address.ts';
import { allowCredentials } from './cors.ts';
import type { Reply } from './reply.ts';
import type { Route } from './route.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

export function pipeline(deps: Deps, route: Route): Middleware {
  const { body: schema } = route;
  const skipBody = bodySkipper(route.bytes);
  const readJson = jsonReader(route.bytes);
  return async ctx => {
    const client = clientOf(ctx);
    const caller = await guard(deps, route, ctx, client); // 1
    if (route.limit === 'address') limitAddress(deps, client); // 2
    if (route.limit === 'secret-key' && caller) limitSecretKey(deps, caller.credential.key.id);
    const sent = schema ? await readJson(ctx) : await skipBody(ctx); // 3
    const body = schema && sent ? validated(schema, sent) : undefined; // 4
    const query = route.query ? validated(route.query, ctx.query) : undefined;
    // The types were checked where the route was made; here only their erased form is known.
    send(ctx, await route.handle({ deps, caller, body, query, params: ctx.params } as never), caller);
  };
}

async function guard(deps: Deps, route: Route, ctx: Context, client: Client): Promise<Caller | undefined> {
  if (route.guard === 'open') return undefined;
  const { headers } = ctx.req;
  const key =
    route.guard === 'publishable' ? headers[KEY_HEADER] : BEARER.exec(headers.authorization ?? '')?.[1];
  const credential = await authenticate(deps.store, route.guard, typeof key === 'string' ? key : undefined);
  requireOrigin(credential, headers.origin);
  allowCredentials(ctx, credential.app);
  return { ...client, credential, gallery: { appId: credential.app.id, mode: credential.key.mode } };
}

function validated(schema: v.GenericSchema, input: object): unknown {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (!result.success) throw new Refusal('invalid_request', faultText(result.issues));
  return result.output;
}

function send(ctx: Context, reply: Reply, caller: Caller | undefined): void {
  ctx.status = reply.status;
  ctx.body = reply.body;
  if (reply.cacheControl) ctx.set('Cache-Control', reply.cacheControl);
  if (reply.session && caller?.credential.app.firstParty) {
    ctx.append(
      'Set-Cookie',
      `${SESSION_COOKIE}=${reply.session}; Max-Age=${TOKEN_LIFETIME_SECONDS}; Path=/v1; HttpOnly; Secure; SameSite=Lax`,
    );
  }
}
