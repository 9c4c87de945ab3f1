/**
 * What a server asks of the API with its secret key: about tokens, users, usage, its app. Field names become those of
 * JavaScript, timestamps become Dates. Held by test/sdk/server-api.test.ts.
 */
import type { Mode } from '../../protocol/mode.ts';
import type { CallOptions } from './abort.ts';
import { ServiceError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Request, request } from './request.ts';

export interface User {
  /** `usr_` and 24 characters: key your accounts on it. */
  readonly id: string;
  /** As it was written at enrollment, or proven since. */
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly createdAt: Date;
  /** The last sign-in by face or email code; null until the first one. */
  readonly lastSignInAt: Date | null;
}

export interface UserPage {
  readonly users: readonly User[];
  /** Asks for the next page; null on the last one. */
  readonly nextCursor: string | null;
}

export interface Usage {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  /** What the plan limits: enrolls and matches that reached face matching, and email codes that signed in. */
  readonly auths: number;
  /** Auths a month of the plan; null when it has no limit, and in test mode. */
  readonly limit: number | null;
  readonly enrolls: number;
  readonly matchesOk: number;
  readonly matchesFailed: number;
  readonly mode: Mode;
}

/** A page of users, or all of them page by page: how many are asked for at once. */
export interface PageOptions extends CallOptions {
  /** 1 to 100, usually 50. */
  readonly limit?: number | undefined;
}

/**
 * Every method rejects with a ServiceError: of the API `unauthorized` and `rate_limited`; `unavailable`, `unexpected_answer`
 * and `aborted`.
 */
export interface Users {
  /**
   * A page of the app's users of this mode, by the time they enrolled.
   * @param query `cursor`: the `nextCursor` of the page before
   * @throws ServiceError also invalid_request: a limit or cursor that is none
   */
  list(query?: PageOptions & { readonly cursor?: string | undefined }): Promise<UserPage>;
  /** All users, page by page, while they are asked for. */
  all(query?: PageOptions): AsyncGenerator<User, void, undefined>;
  /** @throws ServiceError also not_found */
  get(id: string, options?: CallOptions): Promise<User>;
  /**
   * Erases the user with everything of theirs, for good.
   * @throws ServiceError also not_found; after `aborted` or `unavailable` it may have been done all the same
   */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** What /v1/tokens/verify says. */
export type OnlineVerdict =
  | { readonly valid: true; readonly sub: unknown; readonly jti: unknown }
  | { readonly valid: false; readonly reason: unknown };

export interface Api {
  readonly users: Users;
  /**
   * What the app has used of its plan, in the mode of the verifier.
   * @param query `month`: `YYYY-MM`, usually this one, in UTC
   * @throws ServiceError as `Users`; also invalid_request: a month that is none
   */
  usage(query?: CallOptions & { readonly month?: string | undefined }): Promise<Usage>;
  /**
   * The app of the secret key.
   * @throws ServiceError as `Users`
   */
  app(options?: CallOptions): Promise<{ readonly id: string; readonly name: string }>;
  /** @throws ServiceError */
  verifyToken(token: string, options?: CallOptions): Promise<OnlineVerdict>;
}

export function createApi(settings: Settings): Api {
  async function ask(method: Request['method'], path: string, more: Partial<Request> = {}): Promise<Fields> {
    const { secretKey, baseUrl } = settings;
    if (secretKey === null) throw new TypeError('This needs the option secretKey.');
    const headers = { authorization: `Bearer ${secretKey}` };
    const { json } = await request(settings, { method, url: `${baseUrl}${path}`, headers, ...more });
    return new Fields(json ?? {});
  }

  const users: Users = {
    async list({ limit, cursor, signal } = {}) {
      const body = await ask('GET', `/v1/users${queryOf({ limit, cursor })}`, { signal });
      return { users: body.list('users').map(userOf), nextCursor: body.textOrNull('next_cursor') };
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
      const count = (name: string) => body.number(name);
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
      const claims = new Fields(body.value('claims'));
      return { valid: true, sub: claims.value('sub'), jti: claims.value('jti') };
    },
  };
}

function userOf(body: Fields): User {
  const lastSignIn = body.textOrNull('last_sign_in_at');
  return {
    id: body.text('id'),
    email: body.text('email'),
    name: body.text('name'),
    createdAt: new Date(body.text('created_at')),
    lastSignInAt: lastSignIn === null ? null : new Date(lastSignIn),
  };
}

/** An id of another form is nobody's, and must not become another path. */
function pathOf(id: string): string {
  if (typeof id === 'string' && /^usr_[0-9A-Za-z]+$/.test(id)) return `/v1/users/${id}`;
  throw new ServiceError('not_found', 'There is no such user: ids are "usr_" and 24 characters.');
}

function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** Reads the fields of an answer, of which each has to be there. */
class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(json: unknown) {
    if (typeof json !== 'object' || json === null) throw unexpected('an object');
    this.#fields = json as Record<string, unknown>;
  }

  value(name: string): unknown {
    return this.#fields[name];
  }

  text(name: string): string {
    const value = this.#fields[name];
    if (typeof value !== 'string') throw unexpected(name);
    return value;
  }

  textOrNull(name: string): string | null {
    return this.#fields[name] === null ? null : this.text(name);
  }

  number(name: string): number {
    const value = this.#fields[name];
    if (typeof value !== 'number') throw unexpected(name);
    return value;
  }

  list(name: string): Fields[] {
    const value = this.#fields[name];
    if (!Array.isArray(value)) throw unexpected(name);
    return value.map(item => new Fields(item));
  }
}

function unexpected(what: string): ServiceError {
  return new ServiceError(
    'unexpected_answer',
    `The answer lacks ${what}: is this the address of the service?`,
  );
}
