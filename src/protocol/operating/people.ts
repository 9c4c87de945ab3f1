/** What operators see of a user. */
import type { Mode } from '../mode.ts';
import { iso, isoOrNull } from '../time.ts';

export interface UserView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
  readonly email_verified: boolean;
  readonly mode: Mode;
  readonly template_count: number;
}

interface PlacedUser {
  readonly gallery: { readonly mode: Mode };
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly emailVerified: boolean;
    readonly createdAt: number;
    readonly lastSignInAt: number | null;
  };
  readonly templateCount: number;
}

export function userView({ gallery, user, templateCount }: PlacedUser): UserView {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    created_at: iso(user.createdAt),
    last_sign_in_at: isoOrNull(user.lastSignInAt),
    email_verified: user.emailVerified,
    mode: gallery.mode,
    template_count: templateCount,
  };
}
