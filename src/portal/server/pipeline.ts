/**
 * Every check of a request of the internal API, in order. A request that fails a check is refused there.
 *
 *  1. Host, Origin, Sec-Fetch-Site and media type: passGate. Then method and path (internal.ts).
 *  2. The session, by cookie and header: sessionOf (cookies.ts).
 *  3. Requests of the session in this minute.
 *  4. What the path names: find (rights.ts).
 *  5. Whether the operator may do any of the operation's actions; if there is only one, also the step-up: requireAny,
 *     requireAll (rights.ts).
 *  6. Body and query, by the operation's schemas. Once a body has arrived, 2, 4 and 5 again.
 *  7. What the body names, and the actions that it needs: requireAll (rights.ts).
 *  8. Its own limits.
 *
 * Held by test/portal/internal/order.test.ts.
 */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { takeRequest } from '../../domain/access/limits.ts';
import { requireStepUp } from '../../domain/access/rights.ts';
import { newId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hasBody, readBytes, readJson } from '../../http/body.ts';
import { clientOf } from '../../http/client-address.ts';
import { validated } from '../../http/pipeline.ts';
import type { OperationDeps } from '../../operations/table/deps.ts';
import { type Operation, statusOf } from '../../operations/table/operation.ts';
import { recordingOf, recordRefused, recordServed, type Seen } from '../../operations/table/recording.ts';
import { Reply } from '../../operations/table/reply.ts';
import { find, findTeam, requireAll, requireAny, requireSameReach } from '../../operations/table/rights.ts';
import { BODY_BYTES } from '../../protocol/limits.ts';
import type { Action } from '../../protocol/portal/roles.ts';
import { cookieValues, sessionOf, setCookie } from './cookies.ts';
import { portalAnswered } from './errors.ts';
import { streamOf } from './stream.ts';

export function internalPipeline(deps: OperationDeps, operation: Operation, log: Logger): Middleware {
  return async ctx => {
    const signedIn = await sessionOf(deps, ctx); // 2
    if (!signedIn && operation.needs.who !== 'anybody') throw signInFirst();
    if (signedIn) await takeRequest(deps.windows, signedIn); // 3
    let seen: Seen = { client: clientOf(ctx), signedIn, params: ctx.params };
    const see = (more: Partial<Seen>) => {
      seen = { ...seen, ...more };
      return seen;
    };
    const refused = (thrown: unknown, isCut = false) =>
      recordRefused(deps, operation, seen, portalAnswered(thrown), isCut).catch(error =>
        log.error(
          { requestId: ctx.state.requestId, cause: String(error) },
          'a refusal is not in the audit log',
        ),
      );
    try {
      const { reply, again } = await answerTo(deps, operation, ctx, seen, see);
      ctx.status = statusOf(operation);
      if (reply.more.file) {
        const { lines } = reply.more.file;
        ctx.body = streamOf({ ctx, lines, again, clock: deps.clock, onCut: thrown => refused(thrown, true) });
      } else ctx.body = reply.body ?? null;
      finish(ctx, deps, reply.more);
    } catch (thrown) {
      await refused(thrown);
      throw thrown;
    }
  };
}

async function answerTo(
  deps: OperationDeps,
  operation: Operation,
  ctx: Context,
  first: Seen,
  see: (more: Partial<Seen>) => Seen,
): Promise<{ reply: Reply<unknown>; again: () => Promise<void> }> {
  const { needs, audit, limits = [] } = operation;
  const { params } = first;
  let { signedIn } = first;
  const mayAsk = async (now: number) => {
    if (needs.who === 'right' && signedIn) {
      const found = await find(deps, needs, signedIn, params); // 4
      see(found);
      requireAny(signedIn, needs, found, now); // 5
      if (!operation.choose && needs.from !== 'body' && needs.scope !== 'listing')
        requireAll(signedIn, needs.actions, found, now);
    } else if (needs.who === 'operator' && signedIn && needs.stepUp)
      requireStepUp(signedIn, needs.stepUp, now);
  };
  await mayAsk(deps.clock.now());

  const sent = operation.body ? await readJson(ctx, BODY_BYTES) : await readBytes(ctx, BODY_BYTES); // 6
  if (signedIn && hasBody(ctx)) {
    // A body can take long to arrive, and rights may have ended meanwhile.
    signedIn = await sessionOf(deps, ctx);
    if (!signedIn && needs.who !== 'anybody') throw signInFirst();
    see({ signedIn });
    await mayAsk(deps.clock.now());
  }
  const now = deps.clock.now();
  const body = operation.body ? validated(operation.body, sent) : undefined;
  const query = operation.query ? validated(operation.query, ctx.query) : undefined;
  let seen = see({ body });
  let chosen: readonly Action[] =
    !operation.choose && needs.who === 'right' && needs.scope !== 'listing' ? needs.actions : [];
  if (needs.who === 'right' && signedIn) {
    if (needs.from === 'body')
      // 7
      seen = see({ team: await findTeam(deps, signedIn, (body as { team_id: unknown }).team_id) });
    chosen = operation.choose?.({ ...seen, query }) ?? chosen;
    requireAll(signedIn, chosen, seen, now);
  }
  const checked = { ...seen, query };
  for (const limit of limits) await limit(deps, checked); // 8

  const when = audit?.when ?? 'change';
  const id = audit?.creates ? newId(deps.random, audit.creates) : '';
  const entry =
    audit && signedIn && when !== 'domain' ? recordingOf(deps, operation, { ...seen, newId: id }) : null;
  const [browser] = cookieValues(ctx, deps.portal.url, 'browser');
  const given = entry && when === 'change' ? { ...deps, entry } : deps;
  const answer = await operation.run({ ...checked, deps: given, newId: id, browser });
  const reply = answer instanceof Reply ? answer : new Reply(answer, {});
  // Before anything of it is sent.
  if (entry) await recordServed(deps, operation, entry, query as object);

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

function finish(
  ctx: Context,
  { portal }: OperationDeps,
  { file, session, browser }: Reply<unknown>['more'],
): void {
  if (file) {
    ctx.set('Content-Type', file.type);
    ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
  }
  if (session !== undefined) setCookie(ctx, portal.url, 'session', session);
  if (browser !== undefined) setCookie(ctx, portal.url, 'browser', browser);
}
