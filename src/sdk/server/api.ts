/**
 * The API calls that a server makes with its secret key: tokens, users, usage, its app. Converts field names to camel
 * case and timestamps to Dates. Held by test/sdk/server-api.test.ts.
 */
import type { Mode } from '../../protocol/mode.ts';
import type { Fields } from '../fields.ts';
import type { CallOptions } from './abort.ts';
import { type Ask, queryOf } from './ask.ts';
import { ServiceError } from './errors.ts';

export interface User {
  /** `usr_` and 24 characters: key your accounts on it. */
  readonly id: string;
  /** As written at enrollment, or as verified since. */
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly createdAt: Date;
  /** The last sign-in by face or email code. Null before the first one. */
  readonly lastSignInAt: Date | null;
}

export interface UserPage {
  readonly users: readonly User[];
  /** Pass it to get the next page. Null on the last page. */
  readonly nextCursor: string | null;
}

export interface Usage {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  /** Counted against the plan: enrolls and matches that reached face matching, and sign-ins by email code. */
  readonly auths: number;
  /** Monthly auths of the plan. Null if it has no limit, and in test mode. */
  readonly limit: number | null;
  readonly enrolls: number;
  readonly matchesOk: number;
  readonly matchesFailed: number;
  readonly mode: Mode;
}

/** Options of a list of users. */
export interface PageOptions extends CallOptions {
  /** Users per page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined;
}

/**
 * Every method may reject with a ServiceError. Its code is `unauthorized` or `rate_limited` from the API,
 * `unavailable`, `unexpected_answer` or `aborted`.
 */
export interface Users {
  /**
   * A page of the app's users in this mode, in the order they enrolled.
   * @param query `cursor`: the `nextCursor` of the previous page
   * @throws ServiceError also invalid_request, if limit or cursor is invalid
   */
  list(query?: PageOptions & { readonly cursor?: string | undefined }): Promise<UserPage>;
  /** All users. Fetches page by page, as you iterate. */
  all(query?: PageOptions): AsyncGenerator<User, void, undefined>;
  /** @throws ServiceError also not_found */
  get(id: string, options?: CallOptions): Promise<User>;
  /**
   * Permanently erases the user and all their data.
   * @throws ServiceError also not_found; after `aborted` or `unavailable` the user may have been deleted nevertheless
   */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** The answer of /v1/tokens/verify. */
type OnlineVerdict =
  | { readonly valid: true; readonly sub: unknown; readonly jti: unknown }
  | { readonly valid: false; readonly reason: unknown };

export interface Api {
  readonly users: Users;
  /**
   * What the app has used of its plan, in the mode of the verifier.
   * @param query `month`: `YYYY-MM` in UTC. Default: the current month
   * @throws ServiceError as for `Users`; also invalid_request, if the month is invalid
   */
  usage(query?: CallOptions & { readonly month?: string | undefined }): Promise<Usage>;
  /**
   * The app of the secret key.
   * @throws ServiceError as for `Users`
   */
  app(options?: CallOptions): Promise<{ readonly id: string; readonly name: string }>;
  /** @throws ServiceError */
  verifyToken(token: string, options?: CallOptions): Promise<OnlineVerdict>;
}

export function createApi(ask: Ask): Api {
  const users: Users = {
    async list({ limit, cursor, signal } = {}) {
      const body = await ask('GET', `/v1/users${queryOf({ limit, cursor })}`, { signal });
      const next = body.value('next_cursor');
      return {
        users: body.list('users').map(userOf),
        nextCursor: next === null ? null : body.text('next_cursor'),
      };
    },
    async *all(query = {}) {
      let cursor: string | null | undefined;
      do {
        const page: UserPage = await users.list({ ...query, ...(cursor && { cursor }) });
        yield* page.users;
        cursor = page.nextCursor;
      } while (cursor !== null);
    },
    get: async (id, { signal } = {}) => userOf(await ask('GET', pathOf(id), { signal })),
    async delete(id, { signal } = {}) {
      await ask('DELETE', pathOf(id), { goneIsDone: true, signal });
    },
  };

  return {
    users,
    async usage({ month, signal } = {}) {
      const body = await ask('GET', `/v1/usage${queryOf({ month })}`, { signal });
      const count = (name: string) => body.numeric(name);
      return {
        month: body.text('month'),
        auths: count('auths'),
        limit: body.value('limit') === null ? null : count('limit'),
        enrolls: count('enrolls'),
        matchesOk: count('matches_ok'),
        matchesFailed: count('matches_failed'),
        mode: body.value('livemode') === false ? 'test' : 'live',
      };
    },
    async app({ signal } = {}) {
      const body = await ask('GET', '/v1/app', { signal });
      return { id: body.text('id'), name: body.text('name') };
    },
    async verifyToken(token, { signal } = {}) {
      const body = await ask('POST', '/v1/tokens/verify', { json: { token }, signal });
      if (body.value('valid') !== true) return { valid: false, reason: body.text('reason') };
      const claims = body.inner('claims');
      return { valid: true, sub: claims.value('sub'), jti: claims.value('jti') };
    },
  };
}

function userOf(body: Fields): User {
  return {
    id: body.text('id'),
    email: body.text('email'),
    name: body.text('name'),
    createdAt: body.time('created_at'),
    lastSignInAt: body.timeOrNull('last_sign_in_at'),
  };
}

/** An id of another form cannot exist, and must not lead to another path. */
function pathOf(id: string): string {
  if (typeof id === 'string' && /^usr_[0-9A-Za-z]+$/.test(id)) return `/v1/users/${id}`;
  throw new ServiceError('not_found', 'There is no such user: ids are "usr_" and 24 characters.');
}
