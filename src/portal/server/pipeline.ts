/**
 * Every check of a request of the internal API, in order. A request that fails a check is refused there.
 *
 *  1. Host, Origin, Sec-Fetch-Site and media type: passGate (gate.ts). Then the route and its method (internal.ts).
 *  2. The session, by cookie and header: sessionOf (session.ts).
 *  3. Requests of the session in this minute.
 *  4. What the path names: find (rights.ts).
 *  5. Whether the operator may do any of the route's actions; if there is only one, also the step-up: requireAny,
 *     requireAll (rights.ts).
 *  6. Body and query, by the route's schemas. Once a body has arrived, 2, 4 and 5 again.
 *  7. What the body names, and the actions that it needs: requireAll (rights.ts).
 *  8. The route's own limits.
 *
 * Held by test/portal/internal/order.test.ts.
 */
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { newId } from '../../domain/ids.ts';
import { takeRequest } from '../../domain/operators/limits.ts';
import { requireStepUp } from '../../domain/operators/rights.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hasBody, readBytes, readJson } from '../../http/body.ts';
import { clientOf } from '../../http/client-address.ts';
import { validated } from '../../http/pipeline.ts';
import { BODY_BYTES } from '../../protocol/limits.ts';
import { recordingOf, recordRefused, type Seen } from './audit.ts';
import { cookieValues, setCookie } from './cookies.ts';
import type { PortalDeps } from './deps.ts';
import { portalAnswered } from './errors.ts';
import type { PortalReply } from './reply.ts';
import { find, findTeam, requireAll, requireAny } from './rights.ts';
import type { PortalRoute } from './route.ts';
import { sessionOf } from './session.ts';

export function internalPipeline(deps: PortalDeps, route: PortalRoute, log: Logger): Middleware {
  return async ctx => {
    const signedIn = await sessionOf(deps, ctx); // 2
    if (!signedIn && route.needs.who !== 'anybody') throw signInFirst();
    if (signedIn) await takeRequest(deps.windows, signedIn); // 3
    let seen: Seen = { client: clientOf(ctx), signedIn, params: ctx.params };
    const see = (more: Partial<Seen>) => {
      seen = { ...seen, ...more };
      return seen;
    };
    try {
      const reply = await answerTo(deps, route, ctx, seen, see);
      send(ctx, deps, reply);
    } catch (thrown) {
      const answered = portalAnswered(thrown);
      await recordRefused(deps, route, seen, answered).catch(error =>
        log.error(
          { requestId: ctx.state.requestId, cause: String(error) },
          'a refusal is not in the audit log',
        ),
      );
      throw thrown;
    }
  };
}

async function answerTo(
  deps: PortalDeps,
  route: PortalRoute,
  ctx: Context,
  first: Seen,
  see: (more: Partial<Seen>) => Seen,
): Promise<PortalReply> {
  const { needs, schema, audit, limits, handler } = route;
  const { params } = first;
  let { signedIn } = first;
  const mayAsk = async (now: number) => {
    if (needs.who === 'right' && signedIn) {
      const found = await find(deps, needs, signedIn, params); // 4
      see(found);
      requireAny(signedIn, needs, found, now); // 5
      if (!route.choose && needs.from !== 'body' && needs.scope !== 'listing')
        requireAll(signedIn, needs.actions, found, now);
    } else if (needs.who === 'operator' && signedIn && needs.stepUp)
      requireStepUp(signedIn, needs.stepUp, now);
  };
  await mayAsk(deps.clock.now());

  const sent = schema.body ? await readJson(ctx, BODY_BYTES) : await readBytes(ctx, BODY_BYTES); // 6
  if (signedIn && hasBody(ctx)) {
    // A body can take long to arrive, and rights may have ended meanwhile.
    signedIn = await sessionOf(deps, ctx);
    if (!signedIn && needs.who !== 'anybody') throw signInFirst();
    see({ signedIn });
    await mayAsk(deps.clock.now());
  }
  const now = deps.clock.now();
  const body = schema.body ? validated(schema.body, sent) : undefined;
  const query = schema.query ? validated(schema.query, ctx.query) : undefined;
  let seen = see({ body });
  if (needs.who === 'right' && signedIn) {
    if (needs.from === 'body')
      // 7
      seen = see({ team: await findTeam(deps, signedIn, (body as { team_id: unknown }).team_id) });
    const chosen = route.choose?.({ ...seen, query }) ?? (needs.from === 'body' ? needs.actions : []);
    requireAll(signedIn, chosen, seen, now);
  }
  const checked = { ...seen, query };
  for (const limit of limits) await limit(deps, checked); // 8

  const when = audit?.when ?? 'change';
  const id = audit?.creates ? newId(deps.random, audit.creates) : '';
  const entry =
    audit && signedIn && when !== 'domain' ? recordingOf(deps, route, { ...seen, newId: id }) : null;
  const store = entry && when === 'change' ? deps.store.recording(entry) : deps.store;
  const [browser] = cookieValues(ctx, deps.portal.url, 'browser');
  const reply = await handler({ ...checked, deps: { ...deps, store }, newId: id, browser });
  // Before anything of an export is sent.
  if (entry && when === 'answer') await deps.store.appendAudit({ ...entry, outcome: 'ok' });
  return reply;
}

function signInFirst(): Refusal {
  return new Refusal('unauthorized', 'Sign in first, or again: there is no session, or it has ended.');
}

function send(
  ctx: Context,
  { portal }: PortalDeps,
  { status, body, file, session, browser }: PortalReply,
): void {
  ctx.status = status;
  ctx.body = file ? Readable.from(file.lines) : body;
  if (file) {
    ctx.set('Content-Type', file.type);
    ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
  }
  if (session !== undefined) setCookie(ctx, portal.url, 'session', session);
  if (browser !== undefined) setCookie(ctx, portal.url, 'browser', browser);
}
