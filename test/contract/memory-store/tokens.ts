/** Signing keys and revoked tokens. */
import { createHash } from 'node:crypto';
import {
  type NewSigningKey,
  SIGNING_KEYS,
  type SigningKeyRecord,
  type TokenStore,
} from '../../../src/ports/store.ts';
import { DAY } from '../../../src/protocol/limits.ts';
import { by, type Data, type SigningKey, type Sync } from './data.ts';
import { openFor, sealFor, signingKeyContext } from './sealing.ts';
import { findUser } from './users.ts';

const nameOf = (what: string, userId: string) =>
  `${what}:${createHash('sha256').update(userId).digest('base64url')}`;

function revoke({ revokedTokens }: Data, jti: string, expiresAt: number): boolean {
  if (revokedTokens.get(jti)) return false;
  revokedTokens.insert({ jti, expiresAt });
  return true;
}

export function revokeUnproven(data: Data, userId: string, at: number): void {
  revoke(data, nameOf('unproven', userId), at + DAY);
}

/** Up to the moment; in the place of an earlier one. */
export function revokeEarlier({ revokedTokens }: Data, userId: string, at: number): void {
  revokedTokens.set({ jti: nameOf('earlier', userId), expiresAt: at + DAY });
}

export function unreadableSigningKeys(data: Data): number {
  return data.signingKeys.where(row => !openFor(data, SIGNING_KEYS, signingKeyContext(row), row.sealed))
    .length;
}

export function tokenVerbs(data: Data): Sync<TokenStore> {
  const { signingKeys, revokedTokens } = data;

  function privateHalf(key: SigningKey | undefined): (SigningKeyRecord['publicJwk'] & object) | null {
    const clear = key && openFor(data, SIGNING_KEYS, signingKeyContext(key), key.sealed);
    return clear ? JSON.parse(clear.toString()) : null;
  }

  function records(): SigningKeyRecord[] {
    const order = by<SigningKey>(
      row => row.signsAt,
      row => row.createdAt,
    );
    return signingKeys
      .where()
      .sort(order)
      .flatMap(row => {
        const half = privateHalf(row);
        if (!half) return [];
        const { kty, crv, x, y } = half;
        const { sealed: _, ...key } = row;
        return [{ ...key, publicJwk: { kty, crv, x, y } }];
      });
  }

  const published = (now: number) => records().filter(({ leavesAt }) => leavesAt === null || leavesAt > now);

  function insert({ kid, createdAt, signsAt, privateJwk }: NewSigningKey): void {
    const clear = Buffer.from(JSON.stringify(privateJwk));
    const sealed = sealFor(data, SIGNING_KEYS, signingKeyContext({ kid }), clear);
    signingKeys.insert({ kid, sealed, createdAt, signsAt, leavesAt: null });
  }

  return {
    signingKeys: published,
    openSigningKey: kid => privateHalf(signingKeys.get(kid)),
    addFirstSigningKey(key) {
      if (records().length > 0) return false;
      insert(key);
      return true;
    },
    rotateSigningKey({ key, now, keep, revokeOld }) {
      if (published(now).length > 1 && !revokeOld) return 'too_soon';
      signingKeys.deleteWhere(row => revokeOld || (row.leavesAt !== null && row.leavesAt <= now));
      for (const row of signingKeys.where())
        signingKeys.set({
          ...row,
          leavesAt: key.signsAt + keep,
          signsAt: Math.min(row.signsAt, key.signsAt),
        });
      insert(key);
      return 'rotated';
    },
    revokeToken: (jti, expiresAt) => revoke(data, jti, expiresAt),
    tokenStanding(gallery, { jti, sub, iat, email_verified: proven }) {
      const earlier = revokedTokens.get(nameOf('earlier', sub));
      const isRevoked =
        revokedTokens.get(jti) ||
        (!proven && revokedTokens.get(nameOf('unproven', sub))) ||
        (!proven && earlier && iat * 1_000 + DAY <= earlier.expiresAt);
      if (isRevoked) return 'revoked';
      return findUser(data, gallery, sub) ? 'good' : 'user_missing';
    },
  };
}
