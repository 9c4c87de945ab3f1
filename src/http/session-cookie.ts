/**
 * The sessions in the cookies of a request. There may be several: a page of a sibling domain, or of another path, can
 * set a cookie of the same name, and a planted cookie looks like ours. So all of them count: a logout ends every
 * session that this page may end, and no session survives because another cookie came first.
 * Held by test/http/cookies.test.ts and test/http/me-logout-planted.test.ts.
 */
import type { Context } from 'koa';
import { SESSION_COOKIE } from '../brand.ts';
import type { Deps } from '../domain/deps.ts';
import { Refusal } from '../domain/refusal.ts';
import { type Session, userByToken } from '../domain/tokens/user-token.ts';
import { allowFirstParty } from './cors.ts';

/**
 * @returns the sessions of apps that list the Origin; if no app does, one session, whose Origin the caller must refuse
 * @throws Refusal unauthorized, token_revoked, not_found: the refusal of the first cookie, if no cookie is valid
 */
export async function sessionsByCookie(deps: Deps, ctx: Context): Promise<[Session, ...Session[]]> {
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
function presented(header = ''): Set<string | undefined> {
  const values = header
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${SESSION_COOKIE}=`))
    .map(pair => pair.slice(SESSION_COOKIE.length + 1).replace(/^"(.*)"$/, '$1'));
  return new Set(values.length === 0 ? [undefined] : values);
}
