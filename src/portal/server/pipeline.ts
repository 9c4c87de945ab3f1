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
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { newId } from '../../domain/ids.ts';
import { doRecorded } from '../../domain/operators/audit.ts';
import { takeRequest } from '../../domain/operators/limits.ts';
import { requireStepUp } from '../../domain/operators/rights.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hasBody, readBytes, readJson } from '../../http/body.ts';
import { clientOf } from '../../http/client-address.ts';
import { validated } from '../../http/pipeline.ts';
import { BODY_BYTES } from '../../protocol/limits.ts';
import type { Action } from '../../protocol/portal/roles.ts';
import { recordingOf, recordRefused, recordServed, type Seen } from './audit.ts';
import { cookieValues, setCookie } from './cookies.ts';
import type { PortalDeps } from './deps.ts';
import { portalAnswered } from './errors.ts';
import type { PortalReply } from './reply.ts';
import { find, findTeam, requireAll, requireAny, requireSameReach } from './rights.ts';
import type { PortalRoute } from './route.ts';
import { sessionOf } from './session.ts';
import { streamOf } from './stream.ts';

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
    const refused = (thrown: unknown, isCut = false) =>
      recordRefused(deps, route, seen, portalAnswered(thrown), isCut).catch(error =>
        log.error(
          { requestId: ctx.state.requestId, cause: String(error) },
          'a refusal is not in the audit log',
        ),
      );
    try {
      const { reply, again } = await answerTo(deps, route, ctx, seen, see);
      if (reply.file) {
        const { lines } = reply.file;
        ctx.body = streamOf({ ctx, lines, again, clock: deps.clock, onCut: thrown => refused(thrown, true) });
      } else ctx.body = reply.body;
      finish(ctx, deps, reply);
    } catch (thrown) {
      await refused(thrown);
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
): Promise<{ reply: PortalReply; again: () => Promise<void> }> {
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
  let chosen: readonly Action[] =
    !route.choose && needs.who === 'right' && needs.scope !== 'listing' ? needs.actions : [];
  if (needs.who === 'right' && signedIn) {
    if (needs.from === 'body')
      // 7
      seen = see({ team: await findTeam(deps, signedIn, (body as { team_id: unknown }).team_id) });
    chosen = route.choose?.({ ...seen, query }) ?? chosen;
    requireAll(signedIn, chosen, seen, now);
  }
  const checked = { ...seen, query };
  for (const limit of limits) await limit(deps, checked); // 8

  const when = audit?.when ?? 'change';
  const id = audit?.creates ? newId(deps.random, audit.creates) : '';
  const entry =
    audit && signedIn && when !== 'domain' ? recordingOf(deps, route, { ...seen, newId: id }) : null;
  const [browser] = cookieValues(ctx, deps.portal.url, 'browser');
  const handle = (given: PortalDeps) => handler({ ...checked, deps: given, newId: id, browser });
  const reply = await (entry && when === 'change' ? doRecorded(deps, entry, handle) : handle(deps));
  // Before anything of it is sent.
  if (entry) await recordServed(deps, route, entry, query as object);

  /** For what takes long to send: whether it may go on. The step-up was recent enough when it began. */
  const again = async () => {
    const fresh = await sessionOf(deps, ctx);
    if (!fresh || !signedIn) throw signInFirst();
    if (needs.who !== 'right') return;
    requireAll(fresh, chosen, { ...seen, ...(await find(deps, needs, fresh, params)) }, now);
    if (needs.scope === 'listing') requireSameReach(signedIn, fresh);
  };
  return { reply, again };
}

function signInFirst(): Refusal {
  return new Refusal('unauthorized', 'Sign in first, or again: there is no session, or it has ended.');
}

function finish(ctx: Context, { portal }: PortalDeps, { status, file, session, browser }: PortalReply): void {
  ctx.status = status;
  if (file) {
    ctx.set('Content-Type', file.type);
    ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
  }
  if (session !== undefined) setCookie(ctx, portal.url, 'session', session);
  if (browser !== undefined) setCookie(ctx, portal.url, 'browser', browser);
}
