/** What operators see of an app's keys, and of signing keys. */
import type { Mode } from '../mode.ts';
import { iso, isoOrNull } from '../time.ts';

export interface KeyView {
  readonly id: string;
  readonly type: 'secret' | 'publishable';
  readonly mode: Mode;
  readonly last4: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

interface NewKey extends Pick<KeyView, 'id' | 'type' | 'mode' | 'last4'> {
  readonly appId: string;
  readonly createdAt: number;
}

export function keyView({
  id,
  type,
  mode,
  last4,
  createdAt,
  revokedAt,
}: NewKey & { readonly revokedAt: number | null }): KeyView {
  return { id, type, mode, last4, created_at: iso(createdAt), revoked_at: isoOrNull(revokedAt) };
}

/** The only view that contains the key itself. It is shown once. */
export interface MadeKeyView extends Omit<KeyView, 'revoked_at'> {
  readonly key: string;
  readonly app_id: string;
}

export function madeKeyView(key: string, { id, type, mode, appId, last4, createdAt }: NewKey): MadeKeyView {
  return { id, key, type, mode, app_id: appId, last4, created_at: iso(createdAt) };
}

export interface SigningKeyView {
  readonly kid: string;
  readonly status: 'next' | 'current' | 'previous';
  readonly created_at: string;
}

export function signingKeyView({
  kid,
  status,
  createdAt,
}: Omit<SigningKeyView, 'created_at'> & { readonly createdAt: number }): SigningKeyView {
  return { kid, status, created_at: iso(createdAt) };
}
