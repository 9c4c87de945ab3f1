/** What a handler answers. The only shapes that leave the service are built here and in errors.ts. */
import type { SignedIn } from '../domain/sign-in.ts';
import { iso, isoOrNull } from '../domain/time.ts';
import type { TokenClaims } from '../domain/tokens/claims.ts';
import type { UserRecord } from '../ports/store.ts';

export interface Reply {
  readonly status: number;
  /** Null: the answer has none (204). */
  readonly body: object | null;
  /** Replaces the `no-store` that every answer has otherwise. */
  readonly cacheControl?: string;
  /** A new user token: first-party apps get it as a cookie too. */
  readonly session?: string;
  /** The session is over: browsers of first-party apps forget the cookie. */
  readonly endsSession?: true;
}

/** The user as enroll and match answer it. */
export function userView(user: UserRecord): object {
  return { id: user.id, email: user.email, name: user.name, created_at: iso(user.createdAt) };
}

/** The user as the routes under /v1/me answer it: to a token that says so the address is proven, also while a face is unconfirmed. */
export function ownView(user: UserRecord, token: Pick<TokenClaims, 'email_verified'>): object {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    email_verified: user.emailVerified || token.email_verified,
    created_at: iso(user.createdAt),
    last_sign_in_at: isoOrNull(user.lastSignInAt),
  };
}

export function signedInReply(status: number, { user, token }: SignedIn, more: object = {}): Reply {
  const body = { user: userView(user), token: token.token, expires_at: iso(token.expiresAt), ...more };
  return { status, body, session: token.token };
}
