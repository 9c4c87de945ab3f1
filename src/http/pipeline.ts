/**
 * Every check of a request, in order. A request that fails a check is refused there: no later check consumes or counts
 * anything.
 *
 * For every route, here:
 *  1. Route (app.ts), then credential and Origin: the route's guard (guards.ts), from the headers alone.
 * 2. Request limits: the route's limits (domain/limits/). Every request that gets here counts, whatever its answer.
 *  3. Body: media type and encoding, size, well-formed JSON (body.ts).
 *  4. Body and query, by the route's schemas.
 *
 * For some routes, in the domain function that the handler calls:
 *  4b. The encoder is the one the gallery was made with: requireEncoder (domain/encoder.ts).
 *  5. Consent to an enrollment: requireConsent (domain/enrolment.ts).
 *  6. Plan, caps of the day, failures, budget of the app: requireAdmission, takeBudgets (domain/limits/admission.ts),
 *     admitCodeRequest and admitEmailChange (domain/limits/code-limits.ts).
 *  7. The gallery is loaded: ready (domain/galleries/galleries.ts).
 *  8. The challenge is consumed: consumeChallenge (domain/challenges.ts). A match only looks at it here, and consumes
 *     it in the transaction that records the outcome.
 *  9. Number of test users, then the email address: enrolBlocker (ports/store/sign-in.ts).
 * 10. Faces are compared: search (domain/galleries/galleries.ts). From here on enroll and match count as an auth.
 *
 * What only reads, a match asks at once, for an engine on a network; it is refused by the first that refuses, in this
 * order.
 *
 * enrol (domain/enrolment.ts), signInByFace (domain/sign-in.ts) and addOwnTemplates (domain/me/templates.ts) call steps
 * 4b to 10 in this order. Held by test/http/order-of-checks.test.ts, order-of-limits.test.ts and
 * test/domain/steps.test.ts.
 */
import type { Context, Middleware } from 'koa';
import * as v from 'valibot';
import { SESSION_COOKIE } from '../brand.ts';
import type { Caller } from '../domain/caller.ts';
import type { Deps } from '../domain/deps.ts';
import { Refusal } from '../domain/refusal.ts';
import { BODY_BYTES, TOKEN_LIFETIME_SECONDS } from '../protocol/limits.ts';
import { readBytes, readJson } from './body.ts';
import { clientOf } from './client-address.ts';
import type { Reply, Route } from './route.ts';

export function pipeline(deps: Deps, { guard, limits, schema, handler }: Route): Middleware {
  const { body: bodySchema, query: querySchema, bytes = BODY_BYTES } = schema;

  return async ctx => {
    const caller = await guard.enter(deps, ctx, clientOf(ctx)); // 1
    for (const limit of limits) await limit(deps, caller); // 2
    const sent = bodySchema ? await readJson(ctx, bytes) : await readBytes(ctx, bytes); // 3
    const body = bodySchema ? validated(bodySchema, sent) : undefined; // 4
    const query = querySchema ? validated(querySchema, ctx.query) : undefined;
    // The types were checked where the route was made; here only their erased form is known.
    const input = { deps, caller, body, query, params: ctx.params, gone: () => goneSignal(ctx) };
    const reply = await handler(input as never); // 4b to 10
    send(ctx, reply, (caller as Partial<Caller>).app?.firstParty ? deps.settings.baseUrl : null);
  };
}

function goneSignal({ res }: Context): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once('close', () => gone.abort());
  return gone.signal;
}

/** The fields of a body or a query. @throws Refusal invalid_request naming the first invalid field */
export function validated(schema: v.GenericSchema, input: object): unknown {
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (!result.success) throw new Refusal('invalid_request', faultText(result.issues));
  return result.output;
}

/** The first invalid field, by its path: `descriptors[1][127]: must be a finite number`. */
function faultText([issue]: readonly [v.BaseIssue<unknown>, ...unknown[]]): string {
  const path = (issue.path ?? [])
    .map(({ key }, depth) =>
      typeof key === 'number' ? `[${key}]` : `${depth === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
  return `${path || 'body'}: ${issue.message}`;
}

/** @param firstParty the address at which first-party apps call the API; null: no app of that kind */
function send(ctx: Context, reply: Reply, firstParty: string | null): void {
  ctx.status = reply.status;
  ctx.body = reply.body;
  if (reply.cacheControl) ctx.set('Cache-Control', reply.cacheControl);
  if (firstParty === null) return;
  if (reply.session) setSession(ctx, firstParty, reply.session, TOKEN_LIFETIME_SECONDS);
  if (reply.endsSession) setSession(ctx, firstParty, '', 0);
}

/** Browsers compare the path with that of the address they called, which a proxy may have shortened. */
function setSession(ctx: Context, baseUrl: string, token: string, seconds: number): void {
  const path = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/v1`;
  ctx.append(
    'Set-Cookie',
    `${SESSION_COOKIE}=${token}; Max-Age=${seconds}; Path=${path}; HttpOnly; Secure; SameSite=Lax`,
  );
}
