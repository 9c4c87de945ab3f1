/** What a handler returns, and the views of a user that several routes answer. */
import type { SignedIn } from '../domain/sign-in.ts';
import { iso } from '../domain/time.ts';
import type { TokenClaims } from '../domain/tokens/claims.ts';
import type { UserRecord } from '../ports/store.ts';
import * as answers from '../protocol/answers.ts';
import { viewOf } from '../protocol/view.ts';

export interface Reply {
  readonly status: number;
  /** Null: the answer has none (204). */
  readonly body: object | null;
  /** Replaces the default `no-store`. */
  readonly cacheControl?: string;
  /** A new user token. First-party apps also get it as a cookie. */
  readonly session?: string;
  /** The session is over: first-party apps get their cookie cleared. */
  readonly endsSession?: true;
}

/** The user in the answers of enroll and match. */
const userView = viewOf(answers.user);

const own = viewOf(answers.ownUser);

/** The user in the answers of /v1/me. A token that says so proves the address, also while a face is unconfirmed. */
export const ownView = (user: UserRecord, token: Pick<TokenClaims, 'email_verified'>) =>
  own({ ...user, emailVerified: user.emailVerified || token.email_verified });

export function signedInReply(status: number, { user, token }: SignedIn, more: object = {}): Reply {
  const body = { user: userView(user), token: token.token, expires_at: iso(token.expiresAt), ...more };
  return { status, body, session: token.token };
}
