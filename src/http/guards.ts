/**
 * Step 1 of every request: the credential that the route requires, then the Origin, from the headers alone. There is
 * one guard per kind of caller. The rules themselves are in the domain.
 * Held by test/http/credentials.test.ts, origins.test.ts and matrix.test.ts.
 */
import type { Context } from 'koa';
import { KEY_HEADER, SESSION_COOKIE } from '../brand.ts';
import type { Caller, Client, KeyCaller, UserCaller } from '../domain/caller.ts';
import { authenticate, requireListedOrigin, requireOrigin, warnOfLeak } from '../domain/credentials.ts';
import type { Deps } from '../domain/deps.ts';
import { requireOwner } from '../domain/me/face.ts';
import { Refusal } from '../domain/refusal.ts';
import { type Session, userByToken } from '../domain/tokens/user-token.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import type { Mode } from '../protocol/mode.ts';
import { allowCredentials, allowFirstParty } from './cors.ts';
import type { Guard } from './route.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;
const KEY_ERRORS: readonly ErrorCode[] = ['unauthorized', 'origin_not_allowed'];
const TOKEN_ERRORS: readonly ErrorCode[] = ['unauthorized', 'token_revoked', 'not_found'];

/** Anybody. */
export const open: Guard<Client> = {
  name: 'open',
  schemes: [],
  errors: [],
  enter: async (_deps, _ctx, client) => client,
};

/** A page of an app, by its publishable key. */
export const publishable: Guard<KeyCaller> = ofApp({
  name: 'publishable',
  schemes: ['publishableKey'],
  errors: KEY_ERRORS,
  enter: (deps, ctx, client) => byKey(deps, 'publishable', ctx, client),
});

/** The server of an app, by its secret key. */
export const secret: Guard<KeyCaller> = ofApp({
  name: 'secret',
  schemes: ['secretKey'],
  errors: KEY_ERRORS,
  enter: (deps, ctx, client) => byKey(deps, 'secret', ctx, client),
});

/** A user, by a token as Bearer. */
export const user: Guard<UserCaller> = ofApp({
  name: 'user',
  schemes: ['userToken'],
  errors: TOKEN_ERRORS,
  enter: byToken,
});

/** The same, but while the enrolled face is in question only by a token from an email code. */
export const owner: Guard<UserCaller> = ofApp({
  ...user,
  async enter(deps, ctx, client) {
    const caller = await byToken(deps, ctx, client);
    requireOwner(caller);
    return caller;
  },
});

/** A user, by a token as Bearer, or on a first-party app's own pages by its session cookie. */
export const session: Guard<UserCaller> = ofApp({
  name: 'session',
  schemes: ['userToken', 'sessionCookie'],
  errors: [...TOKEN_ERRORS, 'origin_not_allowed'],
  // The header wins over the cookie, which browsers send without being asked.
  enter: (deps, ctx, client) =>
    (ctx.req.headers.authorization === undefined ? byCookie : byToken)(deps, ctx, client),
});

/** For callers of an app: its first-party pages may read the answer, and a page that exposes a secret is warned. */
function ofApp<C extends Caller>(guard: Guard<C>): Guard<C> {
  return {
    ...guard,
    async enter(deps, ctx, client) {
      try {
        const caller = await guard.enter(deps, ctx, client);
        allowCredentials(ctx, caller.app);
        return caller;
      } catch (thrown) {
        // Only pages send an Origin.
        const isFromPage = thrown instanceof Refusal && ctx.req.headers.origin !== undefined;
        throw isFromPage ? warnOfLeak(thrown, [keyIn(ctx), bearer(ctx)]) : thrown;
      }
    },
  };
}

async function byKey(
  deps: Deps,
  type: 'publishable' | 'secret',
  ctx: Context,
  client: Client,
): Promise<KeyCaller> {
  const given = type === 'publishable' ? keyIn(ctx) : bearer(ctx);
  const credential = await authenticate(deps, type, given);
  const { app, key } = credential;
  note(ctx, app.id, key.mode);
  requireOrigin(credential, ctx.req.headers.origin);
  deps.keyUses.note(key.id);
  const requireKey = async () => void (await authenticate(deps, type, given));
  return { ...client, app, gallery: { appId: app.id, mode: key.mode }, keyId: key.id, requireKey };
}

async function byToken(deps: Deps, ctx: Context, client: Client): Promise<UserCaller> {
  const caller = { ...client, ...(await userByToken(deps, bearer(ctx))) };
  note(ctx, caller.app.id, caller.gallery.mode);
  return caller;
}

async function byCookie(deps: Deps, ctx: Context, client: Client): Promise<UserCaller> {
  const [first, ...others] = await sessionsByCookie(deps, ctx);
  note(ctx, first.app.id, first.gallery.mode);
  requireListedOrigin(first.app, ctx.req.headers.origin);
  return { ...client, ...first, alsoPresented: others.map(({ claims }) => claims) };
}

/** For the request's line in the log. */
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

/**
 * The sessions in the cookies of a request. There may be several: a page of a sibling domain, or of another path, can
 * set a cookie of the same name, and a planted cookie looks like ours. So all of them count: a logout ends every
 * session that this page may end, and no session survives because another cookie came first.
 * Held by test/http/cookies.test.ts and test/http/me-logout.test.ts.
 * @returns the sessions of apps that list the Origin; if no app does, one session, whose Origin the caller must refuse
 * @throws Refusal unauthorized, token_revoked, not_found: the refusal of the first cookie, if no cookie is valid
 */
async function sessionsByCookie(deps: Deps, ctx: Context): Promise<[Session, ...Session[]]> {
  const good: Session[] = [];
  let refusal: Refusal | undefined;
  for (const token of presented(ctx.req.headers.cookie))
    try {
      good.push(await userByToken(deps, token, app => app.firstParty));
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      refusal ??= thrown;
    }
  const { origin = '' } = ctx.req.headers;
  const [first, ...others] = good.sort((a, b) => Number(lists(b, origin)) - Number(lists(a, origin)));
  if (!first) {
    // The page must be able to read this answer, to learn that its session is over.
    await allowFirstParty(ctx, deps.store);
    throw refusal;
  }
  return [first, ...others.filter(other => lists(other, origin))];
}

const lists = ({ app }: Session, origin: string) => app.allowedOrigins.includes(origin);

/** Never empty: without a cookie it contains undefined, for the missing token. */
function presented(header: string | undefined): Set<string | undefined> {
  const values = cookieValues(header, SESSION_COOKIE).map(value => value.replace(/^"(.*)"$/, '$1'));
  return new Set(values.length === 0 ? [undefined] : values);
}

/** All values of a cookie, in the order of the header. */
export function cookieValues(header = '', name: string): string[] {
  return header
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1));
}
